import Foundation
import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A log in the test's own database, and the folder that it is published in.
struct LogHouse: Sendable {
    let folder: ExportFolder
    let key: LogKeyFile
    let connection: ConnectionString

    init(root: Path, connection: ConnectionString, origin: String? = "log.example.com/harbour") {
        folder = ExportFolder(root / "export")
        key = LogKeyFile(root / "keys" / "log", origin: origin.flatMap(KeyName.init))
        self.connection = connection
    }

    static func with(_ body: (LogHouse) async throws -> Void) async throws {
        try await withScratchFolder { root in
            try await body(LogHouse(root: root, connection: ScratchDatabase.current.connection))
        }
    }

    /// Appends entries that only this test can read; the tree does not care.
    func append(_ count: Int) async throws {
        try await asOwner(
            """
            INSERT INTO log.event (
                position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
            )
            SELECT head + n, head + n, now(), gen_random_uuid(), gen_random_uuid(), 1, 'service',
                'test', convert_to('entry ' || head + n, 'UTF8')
            FROM generate_series(1, \(Int64(count))) AS n,
                (SELECT coalesce(max(position), 0) AS head FROM log.event) AS log
            """
        )
    }

    /// Does what only somebody can who owns the database.
    func asOwner(_ statements: Statement...) async throws {
        let session = try await Session.open(connection)
        for statement in statements {
            try await session.execute(statement, timeout: .seconds(240))
        }
        await session.close()
    }

    /// Works as the exporter that leads.
    func publishing<Result>(
        witnesses: [VerifierKey] = [],
        memory: LogMemory? = nil,
        _ body: (LogPublisher, inout LogPublisher.Edge, Leadership) async throws -> Result
    ) async throws -> Result {
        let session = try await Session.open(connection, settings: .service)
        let lead = Leadership(
            .exporter,
            on: connection,
            isAlone: true,
            terms: LeaseTerms(length: .seconds(600))
        )
        let log = PublicLog(
            checkpoints: Checkpoints(EventLog(session)),
            key: key,
            witnesses: witnesses
        )
        let result: Swift.Result<Result, any Error>
        do {
            try await lead.takeIfFree()
            try ExportTerm(try lead.confirm().epoch, in: folder).begin()
            let publisher = LogPublisher(log, folder, lead: lead, memory: memory)
            var edge = try await publisher.begin()
            result = .success(try await body(publisher, &edge, lead))
        } catch {
            result = .failure(error)
        }
        await lead.release()
        await session.close()
        return try result.get()
    }

    /// Publishes what there is, as an exporter does that has just started.
    @discardableResult
    func publish(knowing memory: LogMemory? = nil) async throws -> MerkleRoot {
        try await publishing(memory: memory) { publisher, edge, _ in
            try await publisher.publish(&edge)
        }
    }

    /// Has nothing published but by a start.
    func begin() async throws {
        try await publishing { _, _, _ in }
    }

    /// How many checkpoints the database has.
    func recorded() async throws -> [Int] {
        let session = try await Session.open(connection)
        let rows = try await session.query("SELECT size FROM log.checkpoint ORDER BY size")
        await session.close()
        return try rows.map { Int(try $0.value(at: 0, as: Int64.self)) }
    }

    /// The tree of what the database holds, from the hashes that PostgreSQL computes.
    func tree() async throws -> MerkleTree {
        let session = try await Session.open(connection)
        let rows = try await session.query("SELECT leaf_hash FROM log.event ORDER BY position")
        await session.close()
        return MerkleTree(
            leaves: try rows.map { row in
                try #require(MerkleHash(bytes: row.value(at: 0, as: [UInt8].self)))
            }
        )
    }

    /// What a client makes of the folder, with nothing but the files in it: the checkpoint's root,
    /// once every hash under it was found in the tiles and leads there.
    func audited() async throws -> MerkleRoot {
        let key = String(decoding: try folder.logKey.read(sizeMaximum: 4096), as: UTF8.self)
        let trust = LogTrust(
            logKeys: [try VerifierKey(parsing: key.trimmingCharacters(in: .newlines))]
        )
        let bytes = try folder.logCheckpoint.read(sizeMaximum: 1 << 16)
        guard
            case .verified(let checkpoint) = try SignedCheckpoint(parsing: bytes)
                .verification(by: trust)
        else { throw NothingServed() }
        let root = checkpoint.root
        let store = TileStore(folder)
        var tiles = TileHashes()
        for address in TileAddress.added(from: 0, to: root.size) where address.content != .entries {
            tiles.insert(try #require(try store.tile(address), "\(address)"))
        }
        let leaves = try (0..<root.size).map { index in
            try tiles.hash(of: PerfectSubtree(level: 0, index: index))
        }
        #expect(MerkleTree(leaves: leaves).root == root)
        #expect(try MerkleHash.over(0..<root.size) { try tiles.hash(of: $0) } == root.hash)
        return root
    }

    /// The names of all files of the log, in order.
    func files() throws -> [String] { try files(below: folder.log, named: "") }

    private func files(below folder: Path, named prefix: String) throws -> [String] {
        try folder.entries().flatMap { name in
            let path = folder / name
            guard try path.isFolder() else { return [prefix + name] }
            return try files(below: path, named: "\(prefix)\(name)/")
        }
    }
}
