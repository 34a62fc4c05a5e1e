import Foundation
import PlimsollService
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

struct AdminTokenTests {
    @Test func `a token is made once, for its owner alone`() throws {
        try withFolder { folder in
            let file = folder / "admin-token"
            #expect(try AdminToken.kept(in: file) == nil)
            let first = try AdminToken.prepare(in: file)
            #expect(try file.status()?.permissions == .ownerOnly)
            #expect(try AdminToken.prepare(in: file).secret.text == first.secret.text)
            #expect(try AdminToken.kept(in: file)?.secret.text == first.secret.text)
        }
    }

    @Test func `instances that start at once get one token, the one that is kept`() async throws {
        try await withFolder { folder in
            let file = folder / "admin-token"
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<16 {
                    group.addTask { try AdminToken.prepare(in: file).secret.text }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(tokens == [try #require(try AdminToken.kept(in: file)).secret.text])
        }
    }

    @Test(arguments: ["", "\n", "plm_", "plm_0\n", "secret", "plm_é"])
    func `a file with something else is named, and left alone`(_ content: String) throws {
        try withFolder { folder in
            let file = folder / "admin-token"
            try file.writeDurably(Array(content.utf8), permissions: .ownerOnly)
            let error = #expect(throws: UnusableAdminToken.self) {
                try AdminToken.prepare(in: file)
            }
            #expect(error?.description.contains("\(file)") == true)
            #expect(try file.read(sizeMaximum: 100) == Array(content.utf8))
        }
    }

    @Test func `a token that others can read is refused`() throws {
        try withFolder { folder in
            let file = folder / "admin-token"
            _ = try AdminToken.prepare(in: file)
            try file.setPermissions(.readableByAll)
            #expect(throws: FileError.self) { try AdminToken.kept(in: file) }
        }
    }
}
