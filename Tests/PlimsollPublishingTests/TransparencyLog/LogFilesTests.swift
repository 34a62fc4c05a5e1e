import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Synchronization
import Testing

/// The log as it is computed from the database, held against the files that are exported.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct LogFilesTests {
    @Test func `every tile has the bytes that are exported, and entries lead to them`()
        async throws
    {
        try await LogHouse.with { house in
            try await house.append(600)
            let root = try await house.publish()
            try await house.append(10)
            try await withFiles(of: house) { files in
                let exported = try house.folder.logCheckpoint.read(sizeMaximum: 4096)
                #expect(try await files.checkpoint() == exported)
                for address in TileAddress.added(from: 0, to: root.size) {
                    let bytes = try #require(try await files.tile(address.path), "\(address)")
                    guard address.content == .entries else {
                        let file = try house.folder.tile(address).read(sizeMaximum: 8192)
                        #expect(bytes == file, "\(address)")
                        continue
                    }
                    let leaves = try #require(EntryBundle(address, bytes: bytes)?.leaves)
                    let path = house.folder.tile(leaves.address)
                    #expect(try leaves.bytes == path.read(sizeMaximum: 8192), "\(address)")
                }
            }
        }
    }

    @Test func `tiles of earlier checkpoints are answered, those of no checkpoint are not`()
        async throws
    {
        try await LogHouse.with { house in
            try await house.append(300)
            try await withFiles(of: house) { files in
                #expect(try await files.tile("tile/0/000") == nil)
                try await house.publish()
                try await house.append(5)
                #expect(try await files.tile("tile/0/000.p/7")?.count == 7 * 32)
                #expect(try await files.tile("tile/0/001.p/44")?.count == 44 * 32)
                for path in [
                    "tile/0/001.p/45", "tile/0/001", "tile/1/000", "tile/1/000.p/2",
                    "tile/63/000.p/1", "tile/0/x999/999", "tile/entries/001.p/45", "tile/0/0",
                    "tile/0/000.p/256", "tile/64/000", "checkpoint", "",
                ] {
                    #expect(try await files.tile(path) == nil, "\(path)")
                }
            }
        }
    }

    @Test func `the proof of every event leads to the newest checkpoint`() async throws {
        try await LogHouse.with { house in
            try await house.append(300)
            try await house.publish()
            try await house.append(1)
            let trust = LogTrust(logKeys: [try #require(try house.key.signer()).verifierKey])
            let leaves = try await house.tree()
            try await withFiles(of: house) { files in
                for position in [1, 2, 255, 256, 257, 299, 300] {
                    let bytes = try #require(try await files.proof(of: Position(position)))
                    let proof = try LogProof(parsing: bytes)
                    let subtree = PerfectSubtree(level: 0, index: position - 1)
                    let verdict = proof.verification(of: leaves.hash(of: subtree), by: trust)
                    #expect(verdict != .refused(.path), "\(position)")
                    guard case .verified = verdict else {
                        Issue.record("\(position): \(verdict)")
                        continue
                    }
                    #expect(proof.inclusion.index == position - 1)
                }
                #expect(try await files.proof(of: Position(301)) == nil)
                #expect(try await files.proof(of: .start) == nil)
            }
        }
    }

    // Whoever has the service's login can record one, of the very same tree even.
    @Test func `a checkpoint that the log's key has not signed is shown to nobody`() async throws {
        try await LogHouse.with { house in
            try await house.append(3)
            try await house.publish()
            try await house.append(2)
            let session = try await Session.open(house.connection, settings: .service)
            let checkpoints = Checkpoints(EventLog(session))
            let frontier = try await checkpoints.frontier(size: 5)
            _ = try await checkpoints.add(
                StoredCheckpoint(frontier: frontier, note: Array("x".utf8))
            )
            await session.close()
            try await withFiles(of: house) { files in
                let exported = try house.folder.logCheckpoint.read(sizeMaximum: 4096)
                #expect(try await files.checkpoint() == exported)
                #expect(try await files.proof(of: Position(3)) != nil)
                #expect(try await files.proof(of: Position(4)) == nil)
            }
        }
    }

    // Goal: the first who ask after a start, all at once, have the log read once for all of them.
    // Method: how many statements ask for entries, of which a full tile costs one.
    @Test func `many who ask at once have each tile's root computed once`() async throws {
        try await LogHouse.with { house in
            try await house.append(1100)
            try await house.publish()
            let session = try await Session.open(house.connection, settings: .service)
            let reads = CountedReads(session)
            let files = LogFiles(EventLog(reads))
            let tiles = try await withThrowingTaskGroup { group in
                for _ in 1...8 {
                    group.addTask { try await files.tile("tile/1/000.p/4") }
                }
                return try await group.reduce(into: [[UInt8]?]()) { $0.append($1) }
            }
            await session.close()
            let address = try #require(TileAddress(path: "tile/1/000.p/4"))
            let exported = try house.folder.tile(address).read(sizeMaximum: 8192)
            #expect(tiles == Array(repeating: exported, count: 8))
            #expect(reads.count == 4)
        }
    }

    private func withFiles(
        of house: LogHouse,
        _ body: (LogFiles) async throws -> Void
    ) async throws {
        let session = try await Session.open(house.connection, settings: .service)
        let result: Result<Void, any Error>
        do {
            let files = LogFiles(EventLog(session)) { [key = house.key] in
                (try? key.signer())?.verifierKey
            }
            result = .success(try await body(files))
        } catch {
            result = .failure(error)
        }
        await session.close()
        try result.get()
    }
}

/// A session that counts how often entries are asked for.
private final class CountedReads: Querying {
    private let session: Session
    private let reads = Atomic(0)

    init(_ session: Session) { self.session = session }

    var count: Int { reads.load(ordering: .relaxed) }

    func outcome(
        of statement: Statement,
        timeout: Duration?
    ) async throws(PostgresError) -> StatementOutcome {
        if statement.text.contains("FROM log.event") { reads.add(1, ordering: .relaxed) }
        return try await session.outcome(of: statement, timeout: timeout)
    }
}
