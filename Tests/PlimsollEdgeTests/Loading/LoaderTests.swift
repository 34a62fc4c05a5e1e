import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// From the export folder to what is served.
@Suite struct LoaderTests {
    private func sequence(_ number: Int64) throws -> SnapshotSequence {
        try #require(SnapshotSequence(rawValue: number))
    }

    private let path = "/distribution/harbour/availability-ios"

    @Test func `a published snapshot is served with its signature`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7, files: ["availability-ios": "{}", "availability-android": "[]"])
            let edge = fixture.edge()
            let outcome = await fixture.loader(edge).load(fixture.app)
            #expect(outcome == .loaded(try sequence(7)))
            #expect(edge.table.body(path) == "{}")
            #expect(edge.table.body("/distribution/harbour/availability-android") == "[]")
            #expect(edge.table.publications.map(\.sequence) == [try sequence(7)])
            let head = try #require(edge.table.head(path))
            let prefix = "x-amz-meta-signature: keyId=\"\(fixture.signer.keyID)\",signature=\""
            #expect(head.contains("\r\n" + prefix))
            #expect(
                head.contains("\r\nx-amz-meta-signature-date: Mon, 03 Aug 2020 22:59:35 UTC\r\n")
            )
        }
    }

    @Test(arguments: [true, false])
    func `what was exported for inspection is not served`(isSigned: Bool) async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7)
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            await loader.load(fixture.app)
            try fixture.publish(8)
            let folder = fixture.folder(8)
            let file = folder / Manifest.fileName
            var manifest = try Manifest(parsing: file.read(sizeMaximum: 1 << 20))
            manifest.inspection = Position(9)
            try file.writeDurably(manifest.bytes)
            let signature = try Manifest.sign(manifest.bytes, with: fixture.signer)
            try (folder / Manifest.signaturesFileName).writeDurably(
                isSigned ? ManifestSignatures([signature]).bytes : []
            )
            let outcome = await loader.load(fixture.app)
            #expect(outcome == .refused(.untrusted(.inspection(Position(9)))))
            #expect(edge.table.publications.map(\.sequence) == [try sequence(7)])
        }
    }

    @Test func `the manifest is served with the signatures that were checked`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(7, isDefault: true)
            let edge = fixture.edge()
            await fixture.loader(edge).load(fixture.app)
            let folder = fixture.export / "snapshots/harbour/7"
            for name in [Manifest.fileName, Manifest.signaturesFileName] {
                let stored = try (folder / name).read(sizeMaximum: 1 << 20)
                let served = edge.table.body("/distribution/harbour/\(name)")
                #expect(served == String(decoding: stored, as: UTF8.self))
                #expect(edge.table.body("/distribution/\(name)") == nil)
            }
            let head = try #require(edge.table.head("/distribution/harbour/manifest.json"))
            #expect(head.contains("\r\nContent-Type: application/json\r\n"))
            #expect(!head.contains("x-amz-meta-signature"))
        }
    }

    @Test func `only the default app has the short addresses`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publish(7)
            await loader.load(fixture.app)
            #expect(edge.table.body("/distribution/availability-ios") == nil)
            try fixture.publish(8, isDefault: true)
            await loader.load(fixture.app)
            #expect(edge.table.body("/distribution/availability-ios") == "ios harbour 8")
            #expect(edge.table.body(path) == "ios harbour 8")
        }
    }

    @Test func `of two default apps the one published last is it`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            try fixture.publish(8, of: try fixture.slug("aaa"), isDefault: true)
            try fixture.publish(9, isDefault: true)
            try fixture.publish(7, of: try fixture.slug("zzz"), isDefault: true)
            try await fixture.loader(edge).loadAll()
            #expect(edge.table.body("/distribution/availability-ios") == "ios harbour 9")
        }
    }

    // The two are loaded one after the other, in either order, and phones are never told 404.
    @Test(arguments: [true, false])
    func `short addresses go from one app to another without a gap`(
        isLetGoFirst: Bool
    ) async throws {
        try await ExportFixture.with { fixture in
            let (edge, quay) = (fixture.edge(), try fixture.slug("quay"))
            let loader = fixture.loader(edge)
            try fixture.publish(7, isDefault: true)
            try fixture.publish(8, of: quay)
            try await loader.loadAll()
            let short = "/distribution/availability-ios"
            try fixture.publish(9)
            try fixture.publish(9, of: quay, isDefault: true)
            await loader.load(isLetGoFirst ? fixture.app : quay)
            let between = isLetGoFirst ? "ios harbour 9" : "ios quay 9"
            #expect(edge.table.body(short) == between)
            await loader.load(isLetGoFirst ? quay : fixture.app)
            #expect(edge.table.body(short) == "ios quay 9")
            #expect(edge.table.body(path) == "ios harbour 9")
            try fixture.publish(10)
            await loader.load(fixture.app)
            #expect(edge.table.body(short) == "ios quay 9")
        }
    }

    @Test func `an empty or missing folder is no error`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            #expect(try await loader.loadAll() == [:])
            #expect(await loader.load(fixture.app) == .absent)
            try fixture.export.removeTree()
            #expect(try await loader.loadAll() == [:])
            #expect(edge.table.resources.isEmpty)
        }
    }

    @Test func `an unchanged snapshot is not read again`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publish(7)
            await loader.load(fixture.app)
            try fixture.folder(7).removeTree()
            #expect(await loader.load(fixture.app) == .unchanged(try sequence(7)))
            #expect(edge.table.body(path) == "ios harbour 7")
        }
    }

    @Test func `a snapshot that was lost and signed anew is served anew`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publish(7)
            await loader.load(fixture.app)
            let before = edge.table.head(path)
            // Renamed rather than removed, so that the system gives its number to nobody else.
            try fixture.folder(7).rename(to: fixture.folder(6))
            try fixture.publish(7)
            #expect(await loader.load(fixture.app) == .loaded(try sequence(7)))
            #expect(edge.table.head(path) != before)
            #expect(edge.table.body(path) == "ios harbour 7")
        }
    }

    // A log that was given up and the one that follows it may both have come to a number.
    @Test func `other documents under a number that was served are refused`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publish(7, files: ["availability-ios": "{}"])
            await loader.load(fixture.app)
            try fixture.folder(7).rename(to: fixture.folder(6))
            for files in [["availability-ios": "[]"], ["availability-android": "{}"]] {
                try fixture.publish(7, files: files)
                let refused = await loader.load(fixture.app)
                #expect(refused == .refused(.otherDocuments(try sequence(7))))
                #expect(edge.table.body(path) == "{}")
                try fixture.folder(7).removeTree()
            }
            try fixture.publish(8, files: ["availability-ios": "[]"])
            #expect(await loader.load(fixture.app) == .loaded(try sequence(8)))
            #expect(edge.table.body(path) == "[]")
        }
    }

    @Test func `an older snapshot is refused in the same process`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publish(8)
            await loader.load(fixture.app)
            try fixture.publish(7)
            let refusal = LoadRefusal.older(found: try sequence(7), known: try sequence(8))
            #expect(await loader.load(fixture.app) == .refused(refusal))
            #expect(edge.table.body(path) == "ios harbour 8")
        }
    }

    // Goal: a platform on which nothing changed is not lost sight of while another's changes.
    @Test func `the age of what is served is that of the oldest document`() async throws {
        try await ExportFixture.with { fixture in
            let issuedAt = Instant(millisecondsSince1970: 1_596_000_000_000)
            let issue = SnapshotIssue(
                sequence: try sequence(7),
                position: try #require(Position(rawValue: 7)),
                issuedAt: issuedAt,
                expiresAt: issuedAt.advanced(by: .seconds(604_800))
            )
            let stamp = DocumentStamp(app: fixture.app, platform: .ios, issue: issue)
            let document = AvailabilityDocument(Document(platform: .ios), stamp: stamp)
            let ios = String(decoding: document.bytes(.minimal), as: UTF8.self)
            try fixture.publish(
                9,
                files: ["availability-ios": ios, "availability-android": "{}"],
                from: ["availability-ios": 7]
            )
            let edge = fixture.edge()
            await fixture.loader(edge).load(fixture.app)
            #expect(edge.table.publications.map(\.issuedAt) == [issuedAt])
        }
    }

    @Test func `an older snapshot is refused after a restart`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.publish(8)
            await fixture.loader(fixture.edge()).load(fixture.app)
            try fixture.publish(7)
            let edge = fixture.edge()
            let refusal = LoadRefusal.older(found: try sequence(7), known: try sequence(8))
            #expect(await fixture.loader(edge).load(fixture.app) == .refused(refusal))
            #expect(edge.table.body(path) == nil)
            try fixture.publish(8)
            #expect(await fixture.loader(edge).load(fixture.app) == .loaded(try sequence(8)))
        }
    }

    @Test(arguments: ["", "garbage", "-3", "99999999999999999999999999", "\u{0}"])
    func `a damaged memory remembers nothing`(content: String) async throws {
        try await ExportFixture.with { fixture in
            try fixture.memory.createFolder()
            try (fixture.memory / fixture.app.text).writeDurably(Array(content.utf8))
            try fixture.publish(7)
            let outcome = await fixture.loader(fixture.edge()).load(fixture.app)
            #expect(outcome == .loaded(try sequence(7)))
        }
    }

    @Test func `a memory that cannot be written keeps no document from phones`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.memory.writeDurably([])
            try fixture.publish(7)
            let edge = fixture.edge()
            let outcome = await fixture.loader(edge).load(fixture.app)
            #expect(outcome == .loaded(try sequence(7)))
            #expect(edge.table.body(path) == "ios harbour 7")
        }
    }

    @Test func `a sequence that could not be written is written once it can be`() async throws {
        try await ExportFixture.with { fixture in
            try fixture.memory.writeDurably([])
            try fixture.publish(7)
            let loader = fixture.loader(fixture.edge())
            await loader.load(fixture.app)
            try fixture.memory.removeFile()
            try await loader.loadAll()
            let written = try (fixture.memory / fixture.app.text).read(sizeMaximum: 32)
            #expect(written == Array("7\n".utf8))
        }
    }

    @Test func `one bad app does not touch another`() async throws {
        try await ExportFixture.with { fixture in
            let bad = try fixture.slug("aaa")
            try fixture.publish(5, of: bad)
            try fixture.publish(7)
            try (fixture.folder(5, bad) / "availability-ios").writeDurably(Array("forged".utf8))
            let edge = fixture.edge()
            let outcomes = try await fixture.loader(edge).loadAll()
            #expect(outcomes[fixture.app] == .loaded(try sequence(7)))
            #expect(edge.table.body(path) == "ios harbour 7")
            #expect(edge.table.body("/distribution/aaa/availability-ios") == nil)
        }
    }

    @Test func `the next good snapshot is served after a bad one`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = fixture.loader(edge)
            try fixture.publish(7)
            await loader.load(fixture.app)
            try fixture.publish(8)
            try (fixture.folder(8) / Manifest.signaturesFileName).removeFile()
            guard case .refused = await loader.load(fixture.app) else {
                Issue.record("a snapshot without signatures was served")
                return
            }
            #expect(edge.table.body(path) == "ios harbour 7")
            try fixture.publish(9)
            #expect(await loader.load(fixture.app) == .loaded(try sequence(9)))
            #expect(edge.table.body(path) == "ios harbour 9")
        }
    }
}
