import Foundation
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite struct WebhookKeyTests {
    private let webhook = WebhookID(UUID())

    @Test func `a secret is the same each time it is made, and no two are alike`() throws {
        try withFolder { folder in
            let key = WebhookKey(folder / "keys" / "webhooks")
            #expect(try key.id() == nil)
            let id = try key.make()
            #expect(try key.make() == id)
            #expect(try WebhookKey(key.path).id() == id)
            let first = WebhookSecret(generation: 1, key: id, until: nil)
            let second = WebhookSecret(generation: 2, key: id, until: nil)
            let secret = try key.secret(of: webhook, first).text
            #expect(try key.secret(of: webhook, first).text == secret)
            #expect(try key.secret(of: webhook, second).text != secret)
            #expect(try key.secret(of: WebhookID(UUID()), first).text != secret)
            #expect(secret.hasPrefix("whsec_"))
            #expect(Data(base64Encoded: String(secret.dropFirst(6)))?.count == 32)
        }
    }

    @Test func `only its owner can read the file, or it is not used`() throws {
        try withFolder { folder in
            let key = WebhookKey(folder / "webhooks")
            _ = try key.make()
            #expect(try key.path.status()?.permissions == .ownerOnly)
            try key.path.setPermissions(.readableByAll)
            #expect(throws: WebhookKeyError.self) { try key.id() }
            #expect(throws: WebhookKeyError.self) { try key.make() }
        }
    }

    @Test func `a secret that was made from another key is refused`() throws {
        try withFolder { folder in
            let (key, other) = (WebhookKey(folder / "a"), WebhookKey(folder / "b"))
            _ = try key.make()
            let secret = WebhookSecret(generation: 1, key: try other.make(), until: nil)
            #expect(throws: WebhookKeyError.another(key.path)) {
                try key.secret(of: webhook, secret)
            }
            #expect(throws: WebhookKeyError.missing(folder / "c")) {
                try WebhookKey(folder / "c").secret(of: webhook, secret)
            }
        }
    }

    @Test(arguments: ["", "AAAA\n", "not base64 at all, and of some length\n"])
    func `a file that holds no key is refused, and kept`(_ text: String) throws {
        try withFolder { folder in
            let key = WebhookKey(folder / "webhooks")
            try key.path.writeDurably(Array(text.utf8), permissions: .ownerOnly)
            #expect(throws: WebhookKeyError.malformed(key.path)) { try key.make() }
            #expect(try key.path.read(sizeMaximum: 100) == Array(text.utf8))
        }
    }
}
