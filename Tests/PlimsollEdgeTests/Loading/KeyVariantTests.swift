import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// One document for each key that has signed it, and keys that are not to be believed any more.
@Suite struct KeyVariantTests {
    /// A key besides that of the fixture.
    private struct Other {
        let id = KeyID(UUID())
        let key = P256.Signing.PrivateKey()
        var signer: ContentSigner { ContentSigner(keyID: id, privateKey: key) }
        var trusted: TrustedKeys.Key { .init(id: id, publicKey: PublicKey(key.publicKey)) }
    }

    private let plain = "/distribution/harbour/availability-ios"
    private let short = "/distribution/availability-ios"
    private let other = Other()

    private func variant(_ key: KeyID) -> String {
        "/distribution/harbour/keys/\(key)/availability-ios"
    }

    private func both(_ fixture: ExportFixture) -> TrustedKeys {
        TrustedKeys(fixture.trusted.all + [other.trusted])
    }

    /// The key whose signature an answer carries.
    private func signer(
        _ edge: EdgeService,
        _ path: String,
        at host: String = "edge.example"
    ) -> String? {
        edge.table.head(path, at: host)?.split(separator: "\r\n")
            .first { $0.hasPrefix("x-amz-meta-signature: ") }?
            .split(separator: "\"").dropFirst().first.map(String.init)
    }

    @Test func `a document with one signature is found under its key too`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            try fixture.publish(7)
            await fixture.loader(edge).load(fixture.app)
            let key = fixture.signer.keyID
            #expect(edge.table.head(variant(key)) == edge.table.head(plain))
            #expect(edge.table.body(variant(other.id)) == nil)
            #expect(edge.table.body("/distribution/keys/\(key)/availability-ios") == nil)
        }
    }

    @Test func `each of two keys has its documents, and the leading one those without a key`()
        async throws
    {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge, trusting: both(fixture))
            for (number, order) in [
                [fixture.signer, other.signer], [other.signer, fixture.signer],
            ].enumerated() {
                try fixture.publish(
                    Int64(7 + number),
                    isDefault: true,
                    with: order[0],
                    and: [order[1]]
                )
                await loader.load(fixture.app)
                for path in [plain, short] {
                    #expect(signer(edge, path) == order[0].keyID.text)
                }
                for signer in order {
                    #expect(self.signer(edge, variant(signer.keyID)) == signer.keyID.text)
                }
                #expect(edge.table.body(variant(other.id)) == edge.table.body(plain))
            }
        }
    }

    @Test func `a leading key that is not trusted here leaves the place to another`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            try fixture.publish(7, with: other.signer, and: [fixture.signer])
            await fixture.loader(edge).load(fixture.app)
            #expect(signer(edge, plain) == fixture.signer.keyID.text)
            #expect(edge.table.body(variant(other.id)) == nil)
        }
    }

    @Test func `a host of a key has nothing that another key has signed`() async throws {
        try await ExportFixture.with { fixture in
            let host = try #require(KeyHost("K2.example=\(other.id)"))
            let edge = fixture.edge()
            let loader = fixture.loader(edge, trusting: both(fixture), hosts: [host])
            try fixture.publish(7, isDefault: true, and: [other.signer])
            try fixture.publish(7, of: try fixture.slug("quay"))
            try await loader.loadAll()
            let own = fixture.signer.keyID.text
            for name in ["k2.example", "K2.EXAMPLE", "k2.example:8081"] {
                #expect(signer(edge, plain, at: name) == other.id.text, "\(name)")
                #expect(signer(edge, short, at: name) == other.id.text, "\(name)")
                #expect(signer(edge, variant(fixture.signer.keyID), at: name) == own)
                #expect(edge.table.body("/distribution/quay/availability-ios", at: name) == nil)
            }
            for name in ["", "k2.example.org", "k2.exampl", "xk2.example", "k2.example8081"] {
                #expect(signer(edge, plain, at: name) == own, "\(name)")
            }
        }
    }

    @Test func `what a revoked key has signed goes at once, and the rest stays`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge, trusting: both(fixture))
            try fixture.publish(7, isDefault: true, and: [other.signer])
            try fixture.publishKeys()
            try await loader.loadAll()
            let own = fixture.signer.keyID
            #expect(signer(edge, short) == own.text)
            // Whatever became of the folder: it is done from memory.
            try fixture.export.removeTree()
            await loader.trust(TrustedKeys([other.trusted], revoked: [own]))
            for path in [plain, short, variant(other.id)] {
                #expect(signer(edge, path) == other.id.text, "\(path)")
            }
            #expect(edge.table.body(variant(own)) == nil)
            #expect(edge.table.body("/distribution/harbour/manifest.json") == nil)
            #expect(edge.table.body("/distribution/harbour/manifest.json.sig") == nil)
        }
    }

    @Test func `an app that only a revoked key has signed is served no more`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge, trusting: both(fixture))
            try fixture.publish(7)
            await loader.load(fixture.app)
            let own = fixture.signer.keyID
            let revoked = TrustedKeys(both(fixture).all, revoked: [own])
            await loader.trust(revoked)
            #expect(edge.table.body(plain) == nil)
            #expect(edge.table.body(variant(own)) == nil)
            // The next snapshot brings it back.
            try fixture.publish(8, with: other.signer)
            await loader.load(fixture.app)
            #expect(edge.table.body(plain) == "ios harbour 8")
        }
    }

    @Test func `a key that is only forgotten takes nothing away`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge, trusting: both(fixture))
            try fixture.publish(7, and: [other.signer])
            await loader.load(fixture.app)
            await loader.trust(TrustedKeys([other.trusted]))
            #expect(signer(edge, plain) == fixture.signer.keyID.text)
            await loader.trust(TrustedKeys([]))
            #expect(signer(edge, plain) == fixture.signer.keyID.text)
        }
    }

    @Test func `a key that is trusted later has its documents without a new snapshot`()
        async throws
    {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publish(7, and: [other.signer])
            await loader.load(fixture.app)
            #expect(edge.table.body(variant(other.id)) == nil)
            await loader.trust(both(fixture))
            #expect(signer(edge, variant(other.id)) == other.id.text)
            #expect(signer(edge, plain) == fixture.signer.keyID.text)
        }
    }

    @Test func `a later key with a wrong signature, or of another app, has nothing`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            let impostor = ContentSigner(keyID: other.id, privateKey: P256.Signing.PrivateKey())
            try fixture.publish(7, and: [impostor])
            await loader.load(fixture.app)
            await loader.trust(both(fixture))
            #expect(edge.table.body(variant(other.id)) == nil)
            #expect(edge.table.body(plain) == "ios harbour 7")
            let foreign = TrustedKeys.Key(
                id: other.id,
                app: try fixture.slug("quay"),
                publicKey: PublicKey(other.key.publicKey)
            )
            await loader.trust(TrustedKeys(fixture.trusted.all + [foreign]))
            #expect(edge.table.body(variant(other.id)) == nil)
        }
    }

    @Test(arguments: [
        "", "=", "k2.example", "k2.example=", "=3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
        "k2.example=3F0C5E9A-7D1B-4C62-9A35-E8D2B41F6C07",
        "k2.example:80=3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
        "k2 example=3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
        "a=b=3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
    ])
    func `what is no host and key is refused`(text: String) {
        #expect(KeyHost(text) == nil)
    }
}
