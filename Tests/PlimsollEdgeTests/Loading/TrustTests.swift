import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// What is never served, however it came to the disk.
@Suite struct TrustTests {
    private let path = "/distribution/harbour/availability-ios"

    /// Whether the loader refused, with the good snapshot 7 still served.
    private func isRefused(_ fixture: ExportFixture, _ spoil: () throws -> Void) async throws {
        let edge = fixture.edge()
        let loader = fixture.loader(edge)
        try fixture.publish(7)
        await loader.load(fixture.app)
        try fixture.publish(8)
        try spoil()
        let outcome = await loader.load(fixture.app)
        guard case .refused(let refusal) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect("\(refusal)".hasSuffix("."))
        #expect(edge.table.body(path) == "ios harbour 7")
        #expect(edge.table.publications.map(\.sequence.rawValue) == [7])
    }

    @Test(arguments: [Manifest.fileName, Manifest.signaturesFileName, "availability-ios"])
    func `no bit of a snapshot can be flipped`(name: String) async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(8)
            let file = fixture.folder(8) / name
            let good = try file.read(sizeMaximum: 1 << 20)
            for index in stride(from: 0, to: good.count, by: max(1, good.count / 40)) {
                var bad = good
                bad[index] ^= 1 << UInt8(index % 8)
                try file.writeDurably(bad)
                let edge = fixture.edge()
                let outcome = await fixture.loader(edge).load(fixture.app)
                guard case .refused = outcome else {
                    Issue.record("byte \(index) of \(name): \(outcome)")
                    continue
                }
                #expect(edge.table.resources.isEmpty)
            }
        }
    }

    @Test(arguments: [Manifest.fileName, Manifest.signaturesFileName, "availability-ios"])
    func `a file that is cut, grown or gone is refused`(name: String) async throws {
        try await ExportFixture.with { fixture in
            let file = fixture.folder(8) / name
            try await isRefused(fixture) {
                try file.writeDurably(Array(try file.read(sizeMaximum: 1 << 20).dropLast()))
            }
        }
        try await ExportFixture.with { fixture in
            let file = fixture.folder(8) / name
            try await isRefused(fixture) {
                try file.writeDurably(try file.read(sizeMaximum: 1 << 20) + [0x20])
            }
        }
        try await ExportFixture.with { fixture in
            let file = fixture.folder(8) / name
            try await isRefused(fixture) { try file.removeFile() }
        }
    }

    @Test(arguments: [
        (Manifest.fileName, 2), (Manifest.signaturesFileName, 2), ("availability-ios", 17),
    ])
    func `a file beyond all measure is refused unread`(name: String, megabytes: Int) async throws {
        try await ExportFixture.with { fixture in
            let file = fixture.folder(8) / name
            try await isRefused(fixture) {
                try file.writeDurably([UInt8](repeating: 0, count: megabytes << 20))
            }
        }
    }

    @Test(arguments: [
        "../../etc", "/etc", "../snapshots/other/8", "../snapshots/harbour/../harbour/8",
        "../snapshots/harbour/08", "../snapshots/harbour/+8", "../snapshots/harbour/0",
        "../snapshots/harbour/", "../snapshots/harbour/8/", "../snapshots/harbour/-8",
        "../snapshots/harbour/99",
    ])
    func `a link that leads elsewhere is refused`(destination: String) async throws {
        try await ExportFixture.with { fixture in
            try await isRefused(fixture) { try fixture.link(fixture.app, to: destination) }
        }
    }

    @Test func `a folder or file where the link should be is refused`() async throws {
        try await ExportFixture.with { fixture in
            try (fixture.export / "current" / fixture.app.text).createFolder()
            guard case .refused = await fixture.loader(fixture.edge()).load(fixture.app) else {
                Issue.record("a folder was taken for a link")
                return
            }
        }
    }

    @Test func `a snapshot under another number or app is refused`() async throws {
        try await ExportFixture.with { fixture in
            try await isRefused(fixture) {
                try fixture.folder(7).rename(to: fixture.folder(12))
                try fixture.link(fixture.app, to: "../snapshots/harbour/12")
            }
        }
        try await ExportFixture.with { fixture in
            let other = try fixture.slug("other")
            try await isRefused(fixture) {
                try fixture.publish(12, of: other)
                try fixture.folder(12, other).rename(to: fixture.folder(12))
                try fixture.link(fixture.app, to: "../snapshots/harbour/12")
            }
        }
    }

    @Test func `a stranger's key is refused until it is trusted`() async throws {
        try await ExportFixture.with { fixture in
            let key = P256.Signing.PrivateKey()
            let stranger = ContentSigner(keyID: KeyID(UUID()), privateKey: key)
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publish(7, with: stranger)
            #expect(
                await loader.load(fixture.app)
                    == .refused(.untrusted(.keyUnknown([stranger.keyID])))
            )
            let both =
                fixture.trusted.all + [
                    TrustedKeys.Key(id: stranger.keyID, publicKey: PublicKey(key.publicKey))
                ]
            // What was refused is looked at again without being asked for.
            await loader.trust(TrustedKeys(both))
            #expect(edge.table.body(path) == "ios harbour 7")
        }
    }

    @Test func `who trusts nobody yet looks at nothing`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            let edge = fixture.edge()
            let loader = fixture.loader(edge, trusting: TrustedKeys([]))
            #expect(try await loader.loadAll() == [:])
            await loader.trust(fixture.trusted)
            #expect(try await loader.loadAll().count == 1)
            #expect(edge.table.body(path) == "ios harbour 7")
        }
    }

    @Test func `a key of another app signs nothing here`() async throws {
        try await ExportFixture.with { fixture in
            let other = try fixture.slug("other")
            let keys = TrustedKeys([
                .init(id: fixture.signer.keyID, app: other, publicKey: fixture.publicKey)
            ])
            try fixture.publish(7)
            let outcome = await fixture.loader(fixture.edge(), trusting: keys).load(
                fixture.app
            )
            let refusal = VerificationRefusal.keyOfAnotherApp(fixture.signer.keyID, other)
            #expect(outcome == .refused(.untrusted(refusal)))
        }
    }

    @Test func `the keys are shown as far as they are trusted`() async throws {
        try await ExportFixture.with { fixture in
            let stranger = P256.Signing.PrivateKey()
            let own = PublishedKey(
                id: fixture.signer.keyID,
                app: fixture.app,
                state: .active,
                publicKey: fixture.publicKey
            )
            let rogue = PublishedKey(
                id: KeyID(UUID()),
                app: fixture.app,
                state: .active,
                publicKey: PublicKey(stranger.publicKey)
            )
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publishKeys([own, rogue])
            try await loader.loadAll()
            let list = try #require(edge.table.body("/distribution/keys.json"))
            #expect(Array(list.utf8) == PublishedKeys([own]).bytes)
            #expect(edge.table.body("/distribution/keys/\(own.id).pem") == own.publicKey.pem)
            #expect(edge.table.body("/distribution/keys/\(rogue.id).pem") == nil)
            // An unreadable list changes nothing.
            try (fixture.export / PublishedKeys.fileName).writeDurably(Array("{".utf8))
            try await loader.loadAll()
            #expect(edge.table.body("/distribution/keys.json") == list)
        }
    }

    @Test func `a key that the export calls compromised is not shown, although it is trusted`()
        async throws
    {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            let file = "/distribution/keys/\(fixture.signer.keyID).pem"
            for (state, isShown) in [(KeyState.active, true), (.compromised, false)] {
                let key = PublishedKey(
                    id: fixture.signer.keyID,
                    app: fixture.app,
                    state: state,
                    publicKey: fixture.publicKey
                )
                try fixture.publishKeys([key])
                try await loader.loadAll()
                let list = try #require(edge.table.body("/distribution/keys.json"))
                #expect(Array(list.utf8) == PublishedKeys(isShown ? [key] : []).bytes)
                #expect((edge.table.body(file) != nil) == isShown)
            }
        }
    }

    @Test func `a file cannot take the place of the keys`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7, isDefault: true, files: ["keys.json": "mine"])
            try fixture.publishKeys()
            let edge = fixture.edge()
            try await fixture.loader(edge).loadAll()
            #expect(edge.table.body("/distribution/keys.json") != "mine")
            #expect(edge.table.body("/distribution/harbour/keys.json") == "mine")
        }
    }
}
