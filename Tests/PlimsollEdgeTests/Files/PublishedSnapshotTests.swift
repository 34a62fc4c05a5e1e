import Crypto
import FoundationEssentials
import Logging
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// What an edge hands out of the snapshots that it serves no more.
@Suite(.timeLimit(.minutes(2)))
struct PublishedSnapshotTests {
    private static let list = #"{"app":"harbour","snapshots":[]}"#

    /// Snapshots 7 and 8 were published, the second is served, and a ninth lies there already.
    private func serving(
        _ body: @escaping @Sendable (ExportFixture, inout RawConnection) async throws -> Void
    ) async throws {
        try await ExportFixture.with { fixture in
            for sequence in [7, 9, 8] as [Int64] { try fixture.publish(sequence) }
            let lists = fixture.export / "snapshots" / "harbour"
            try (lists / "index.json").writeDurably(Array(Self.list.utf8))
            for text in ["proof of 7", "proof of 9"] {
                let folder = fixture.folder(text.hasSuffix("7") ? 7 : 8)
                try (folder / Manifest.proofFileName).writeDurably(Array(text.utf8))
            }
            try await EdgeFixture.with { edge, address in
                try await load(fixture, edge)
                try await RawConnection.with(address) { try await body(fixture, &$0) }
            }
        }
    }

    private func load(
        _ fixture: ExportFixture,
        _ edge: EdgeService,
        trusting keys: TrustedKeys? = nil
    ) async throws {
        var settings = SnapshotLoader.Settings(export: fixture.export)
        settings.proofs = { bytes, manifest, _ in
            let good = "proof of \(manifest.manifest.sequence)"
            return String(decoding: bytes, as: UTF8.self) == good
                ? .proven(cosignatures: 0) : .refused("another one")
        }
        let loader = SnapshotLoader(
            settings,
            trusting: keys ?? fixture.trusted,
            edge: edge,
            logger: Logger(label: "edge")
        )
        try await loader.loadAll()
    }

    private func answer(
        _ path: String,
        _ connection: inout RawConnection,
        fields: [String] = []
    ) async throws -> Answer {
        try await connection.send(EdgeFixture.get("/distribution/\(path)", fields: fields))
        return try #require(try await connection.answer())
    }

    @Test func `an older snapshot is answered as it lies there`() async throws {
        try await serving { fixture, connection in
            let document = try await answer(
                "harbour/snapshots/7/availability-ios",
                &connection
            )
            #expect(document.status == 200 && document.text == "ios harbour 7")
            #expect(document["Content-Type"] == "application/json")
            #expect(document["Cache-Control"] == "public, max-age=31536000, immutable")
            for name in [Manifest.fileName, Manifest.signaturesFileName, Manifest.proofFileName] {
                let found = try await answer("harbour/snapshots/7/\(name)", &connection)
                #expect(found.status == 200, "\(name)")
                let stored = try (fixture.folder(7) / name).read(sizeMaximum: 1 << 20)
                #expect(found.body == stored)
                #expect(found["Cache-Control"] == "public, max-age=60")
            }
            let current = try await answer("harbour/snapshots/8/manifest.json", &connection)
            #expect(current.status == 200)
            let tag = try #require(document["ETag"])
            let known = try await answer(
                "harbour/snapshots/7/availability-ios",
                &connection,
                fields: ["If-None-Match: \(tag)"]
            )
            #expect(known.status == 304)
        }
    }

    @Test func `the list of what is kept is answered at both its addresses`() async throws {
        try await serving { _, connection in
            for name in ["", "index.json"] {
                let list = try await answer("harbour/snapshots/\(name)", &connection)
                #expect(list.status == 200 && list.text == Self.list)
                #expect(list["Cache-Control"] == "public, max-age=60")
            }
        }
    }

    // What phones look at is not there: an address of an older document leads no phone back.
    @Test func `an older document is answered without a signature`() async throws {
        try await serving { _, connection in
            let path = "harbour/snapshots/8/availability-ios"
            let old = try await answer(path, &connection)
            #expect(old.status == 200 && !old.has("x-amz-meta-signature"))
            let served = try await answer("harbour/availability-ios", &connection)
            #expect(served.body == old.body && served.has("x-amz-meta-signature"))
        }
    }

    @Test(arguments: [
        "9/manifest.json", "6/manifest.json", "07/manifest.json", "7/availability-android",
        "7/", "7", "7/../8/manifest.json", "7/%2e%2e/8/manifest.json", "7/.damaged",
        "../../keys.json", "..", "7/manifest.json/x", "8/proof.json", "-7/manifest.json",
    ])
    func `nothing else is found there`(_ name: String) async throws {
        try await serving { _, connection in
            let found = try await answer("harbour/snapshots/\(name)", &connection)
            #expect(found.status == 404, "\(found.text)")
        }
    }

    @Test func `an app that is not served has no older snapshots`() async throws {
        try await serving { fixture, connection in
            let ferry = try fixture.slug("ferry")
            try fixture.publish(3, of: ferry)
            for path in ["ferry/snapshots/", "ferry/snapshots/3/manifest.json"] {
                #expect(try await answer(path, &connection).status == 404)
            }
        }
    }

    @Test(arguments: ["manifest.json", "manifest.json.sig", "availability-ios", "proof.json"])
    func `a file that was altered is not handed out`(_ name: String) async throws {
        try await serving { fixture, connection in
            let file = fixture.folder(7) / name
            var bytes = try file.read(sizeMaximum: 1 << 20)
            bytes[bytes.count / 2] ^= 1
            try file.writeDurably(bytes)
            let found = try await answer("harbour/snapshots/7/\(name)", &connection)
            #expect(found.status == 404)
        }
    }

    @Test(arguments: ["availability-ios", "manifest.json"])
    func `a link leads out of no folder`(_ name: String) async throws {
        try await serving { fixture, connection in
            let file = fixture.folder(7) / name
            let aside = fixture.root / "aside"
            try aside.writeDurably(try file.read(sizeMaximum: 1 << 20))
            try file.pointSymbolicLink(to: aside.string)
            let found = try await answer("harbour/snapshots/7/\(name)", &connection)
            #expect(found.status == 404)
        }
    }

    @Test func `what a key signed that was revoked is not handed out`() async throws {
        try await ExportFixture.with { fixture in
            let trusted = fixture.trusted
            try fixture.publish(7)
            let edge = fixture.edge()
            try await load(fixture, edge, trusting: trusted)
            let name = try #require(fileName("/distribution/harbour/snapshots/7/manifest.json"))
            let snapshots = try #require(edge.table.snapshots)
            #expect(try snapshots.file(name) != nil)
            let revoked = TrustedKeys(trusted.all, revoked: [fixture.signer.keyID])
            let none = PublishedSnapshots(
                in: fixture.export,
                trusting: revoked,
                newest: [fixture.app: try #require(SnapshotSequence(rawValue: 7))],
                proofs: nil,
                logKey: nil
            )
            #expect(try none.file(name) == nil)
        }
    }

    /// Those of snapshots up to the seventh, whose last change counts as long ago, or does not.
    private func kept(
        _ fixture: ExportFixture,
        _ keys: TrustedKeys,
        isSettled: Bool = true
    ) throws -> PublishedSnapshots {
        PublishedSnapshots(
            in: fixture.export,
            trusting: keys,
            newest: [fixture.app: try #require(SnapshotSequence(rawValue: 7))],
            proofs: nil,
            logKey: nil,
            isSettled: { _ in isSettled }
        )
    }

    // The good one vouches for what the other one cannot any more.
    @Test func `what a good key signed beside one that was revoked is handed out`() async throws {
        try await ExportFixture.with { fixture in
            let key = P256.Signing.PrivateKey()
            let other = ContentSigner(keyID: KeyID(UUID()), privateKey: key)
            try fixture.publish(7, and: [other])
            let known =
                fixture.trusted.all + [
                    .init(id: other.keyID, publicKey: PublicKey(key.publicKey))
                ]
            let revoked = TrustedKeys(known, revoked: [other.keyID])
            let snapshots = try kept(fixture, revoked)
            for file in ["manifest.json", "manifest.json.sig", "availability-ios"] {
                let name = try #require(fileName("/distribution/harbour/snapshots/7/\(file)"))
                #expect(try snapshots.file(name) != nil, "\(file)")
            }
        }
    }

    // Goal: what was verified is not read again, and only as long as nothing of it changes. Method:
    // the manifest that a document was verified by goes; then the document itself is changed.
    @Test func `what was verified is remembered until it changes`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            let snapshots = try kept(fixture, fixture.trusted)
            let document = fixture.folder(7) / "availability-ios"
            let name = try #require(
                fileName("/distribution/harbour/snapshots/7/availability-ios")
            )
            let bytes = try document.read(sizeMaximum: 1 << 20)
            let cautious = try kept(fixture, fixture.trusted, isSettled: false)
            for snapshots in [snapshots, cautious] { #expect(try snapshots.file(name) != nil) }
            try (fixture.folder(7) / Manifest.fileName).removeTree()
            #expect(try snapshots.file(name) != nil)
            #expect(try cautious.file(name) == nil)
            try document.writeDurably(bytes.dropLast() + [bytes[0] ^ 1])
            #expect(try snapshots.file(name) == nil)
        }
    }

    @Test(arguments: [(1, true), (2, true), (3, false)])
    func `with a quorum nothing is handed out that too few have seen`(
        quorum: Int,
        isHandedOut: Bool
    ) async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            try fixture.publish(8)
            try (fixture.folder(7) / "proof.json").writeDurably([1])
            let snapshots = PublishedSnapshots(
                in: fixture.export,
                trusting: fixture.trusted,
                newest: [fixture.app: try #require(SnapshotSequence(rawValue: 8))],
                proofs: { _, _, _ in .proven(cosignatures: 2) },
                logKey: nil,
                quorum: quorum
            )
            for file in ["manifest.json", "availability-ios", "proof.json"] {
                let name = try #require(fileName("/distribution/harbour/snapshots/7/\(file)"))
                #expect(try (snapshots.file(name) != nil) == isHandedOut)
            }
            // Of this one nobody has a proof yet.
            let later = try #require(fileName("/distribution/harbour/snapshots/8/manifest.json"))
            #expect(try snapshots.file(later) == nil)
        }
    }

    private func fileName(_ path: String) -> SnapshotFileName? {
        let bytes = Array(path.utf8)
        return SnapshotFileName(at: bytes.indices, in: bytes.span)
    }

    @Test func `an edge without a folder says that it has none`() async throws {
        let path = "/distribution/harbour/snapshots/"
        let answer = try await EdgeFixture.answer(to: EdgeFixture.get(path))
        #expect(answer.status == 404)
        #expect(answer.text == "This edge has no folder of older snapshots.\n")
    }
}
