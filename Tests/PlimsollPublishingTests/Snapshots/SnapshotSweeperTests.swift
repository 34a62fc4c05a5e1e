import FoundationEssentials
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollPublishing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct SnapshotSweeperTests {
    private let builder: SnapshotBuilder

    init() throws { builder = try SnapshotBuilder() }

    /// A day and an hour after the snapshot of a number was issued.
    private func dayAfter(_ number: Int64) throws -> Instant {
        try builder.snapshot(number).manifest.manifest.issue.issuedAt.advanced(by: .seconds(90_000))
    }

    private func withSweeper(
        of numbers: ClosedRange<Int64>,
        keeping retention: SnapshotRetention = SnapshotRetention(days: 1, count: 3),
        _ body: (LogHouse, inout SnapshotSweeper) async throws -> Void
    ) async throws {
        try await LogHouse.with { house in
            for number in numbers { try house.place(try builder.snapshot(number)) }
            try await house.publishing { _, _, lead in
                let store = SnapshotStore(house.folder)
                var sweeper = SnapshotSweeper(store, retention, lead, quietLogger)
                try await body(house, &sweeper)
            }
        }
    }

    @Test func `what is older than it has to be goes, and the newest stay`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await withSweeper(of: 1...9) { house, sweeper in
                try await sweeper.sweepAll(at: try dayAfter(1).advanced(by: .seconds(-7_200)))
                #expect(try house.kept() == Array(1...9))
                try await sweeper.sweepAll(at: try dayAfter(4).advanced(by: .seconds(-3_600)))
                #expect(try house.kept() == Array(4...9))
                try await sweeper.sweepAll(at: try dayAfter(900))
                #expect(try house.kept() == [7, 8, 9])
                #expect(try house.folder.terms.entries().count == 1)
            }
        }
        #expect(notebook["plimsoll.snapshots.removed"] == 6)
    }

    @Test func `nothing goes while the time is in doubt`() async throws {
        try await withSweeper(of: 1...9) { house, sweeper in
            try await sweeper.sweepAll(at: nil)
            #expect(try house.kept() == Array(1...9))
        }
    }

    @Test func `what is current stays, and what is newer`() async throws {
        try await withSweeper(of: 1...9, keeping: SnapshotRetention(days: 1, count: 2)) {
            house,
            sweeper in
            try house.makeCurrent(3)
            try await sweeper.sweepAll(at: try dayAfter(900))
            #expect(try house.kept() == Array(2...9))
            #expect(try house.listed() == [3, 2])
            try house.folder.current(of: harbour).removeFile()
            try await sweeper.sweepAll(at: try dayAfter(900))
            #expect(try house.kept() == Array(2...9))
        }
    }

    @Test func `what cannot be read stays, and is not listed`() async throws {
        try await withSweeper(of: 1...6) { house, sweeper in
            let manifest =
                try house.folder.snapshot(house.number(1), of: harbour)
                / Manifest.fileName
            try manifest.writeDurably(Array("soup".utf8))
            let stray = house.folder.snapshots(of: harbour) / "notes"
            try stray.createFolder()
            try await sweeper.sweepAll(at: try dayAfter(900))
            #expect(try house.kept() == [1, 4, 5, 6])
            #expect(try house.listed() == [6, 5, 4])
            #expect(try stray.isFolder())
        }
    }

    @Test func `what the disk does not give back stays, and holds up nothing`() async throws {
        try await withSweeper(of: 1...6) { house, sweeper in
            let manifest =
                try house.folder.snapshot(house.number(1), of: harbour) / Manifest.fileName
            try manifest.removeFile()
            try manifest.createFolder()
            try await sweeper.sweepAll(at: try dayAfter(900))
            #expect(try house.kept() == [1, 4, 5, 6])
            #expect(try house.listed() == [6, 5, 4])
        }
    }

    @Test func `a leader that comes late takes nothing away`() async throws {
        try await withSweeper(of: 1...9) { house, sweeper in
            let epoch = try #require(Epoch(rawValue: 99))
            try ExportTerm(epoch, in: house.folder, of: UUID()).begin()
            await #expect(throws: ExportSuperseded.self) {
                try await sweeper.sweepAll(at: try dayAfter(900))
            }
            #expect(try house.kept() == Array(1...9))
        }
    }

    @Test func `one that dies in the middle leaves nothing half`() async throws {
        try await withSweeper(of: 1...9) { house, sweeper in
            var dying = sweeper
            await #expect(throws: FileError.self) {
                try await withFault(at: "export.term.taken-away") {
                    try await dying.sweepAll(at: try dayAfter(900))
                }
            }
            #expect(try house.kept() == Array(2...9))
            for number in try house.kept() {
                let place = house.folder.snapshot(try house.number(number), of: harbour)
                #expect(try place.entries().count == 4)
            }
            try await sweeper.sweepAll(at: try dayAfter(900))
            #expect(try house.kept() == [7, 8, 9])
            let next = ExportTerm(try #require(Epoch(rawValue: 99)), in: house.folder, of: UUID())
            try next.begin()
            #expect(try house.folder.terms.entries().count == 1)
        }
    }

    @Test func `the list says what is kept, and is written when that changes`() async throws {
        try await withSweeper(of: 7...9) { house, sweeper in
            try await sweeper.sweepAll(at: nil)
            let path = house.folder.snapshots(of: harbour) / SnapshotIndex.fileName
            let bytes = try path.read(sizeMaximum: 1 << 20)
            let object = try JSONValue(parsingCanonical: bytes)
            #expect(object["app"]?.string == "harbour")
            let newest = try #require(object["snapshots"]?.array?.first)
            let manifest = try Manifest(parsing: house.manifest(of: 9))
            #expect(newest["sequence"]?.integer == 9)
            #expect(newest["issuedAt"]?.string == manifest.issue.issuedAt.rfc3339)
            #expect(newest["expiresAt"]?.string == manifest.issue.expiresAt.rfc3339)
            #expect(newest["manifest"]?.string == ContentDigest(of: try house.manifest(of: 9)).hex)
            let identity = try path.identity()
            try await sweeper.sweepAll(at: nil)
            #expect(try path.identity() == identity)
            try path.writeDurably(Array("soup".utf8))
            try house.place(try builder.snapshot(10))
            try await sweeper.sweepAll(at: nil)
            #expect(try house.listed() == [10, 9, 8, 7])
        }
    }

    @Test func `what was lost and signed anew is listed by what lies there now`() async throws {
        try await withSweeper(of: 8...9) { house, sweeper in
            try await sweeper.sweepAll(at: nil)
            let before = try house.manifest(of: 9)
            try house.place(try builder.snapshot(9))
            try #require(try house.manifest(of: 9) != before)
            for number: Int64 in [9, 10] {
                try house.place(try builder.snapshot(number))
                try await sweeper.sweepAll(at: nil)
                let digest = ContentDigest(of: try house.manifest(of: 9)).hex
                #expect(try house.listedDigest(of: 9) == digest)
            }
        }
    }
}

extension LogHouse {
    fileprivate func number(_ number: Int64) throws -> SnapshotSequence {
        try #require(SnapshotSequence(rawValue: number))
    }

    /// Puts a snapshot in its place, and makes it current.
    fileprivate func place(_ snapshot: VerifiedSnapshot) throws {
        let sequence = snapshot.manifest.manifest.sequence
        let place = folder.snapshot(sequence, of: harbour)
        try place.createFolder()
        for file in snapshot.files {
            try (place / file.description.name.text).writeDurably(file.body)
        }
        try (place / Manifest.fileName).writeDurably(snapshot.manifest.bytes)
        try (place / Manifest.signaturesFileName).writeDurably(snapshot.manifest.signatures.bytes)
        try makeCurrent(sequence.rawValue)
    }

    fileprivate func makeCurrent(_ number: Int64) throws {
        try folder.currents.createFolder()
        try SnapshotStore(folder).makeCurrent(try self.number(number), of: harbour)
    }

    fileprivate func kept() throws -> [Int64] {
        try folder.snapshots(of: harbour).entries().compactMap { Int64($0) }.sorted()
    }

    fileprivate func listed() throws -> [Int64] {
        let path = folder.snapshots(of: harbour) / SnapshotIndex.fileName
        let list = try JSONValue(parsing: path.read(sizeMaximum: 1 << 20))
        return list["snapshots"]?.array?.compactMap { $0["sequence"]?.integer } ?? []
    }

    fileprivate func listedDigest(of number: Int64) throws -> String? {
        let path = folder.snapshots(of: harbour) / SnapshotIndex.fileName
        let list = try JSONValue(parsing: path.read(sizeMaximum: 1 << 20))
        let entry = list["snapshots"]?.array?.first { $0["sequence"]?.integer == number }
        return entry?["manifest"]?.string
    }

    fileprivate func manifest(of number: Int64) throws -> [UInt8] {
        let place = folder.snapshot(try self.number(number), of: harbour)
        return try (place / Manifest.fileName).read(sizeMaximum: 1 << 20)
    }
}
