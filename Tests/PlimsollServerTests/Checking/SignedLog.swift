import FoundationEssentials
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

@testable import PlimsollServer

let serverTemplate = ScratchTemplate("signed-log", scripts: StoreSchema.migrations.map(\.sql))

/// A log that a service could have written, in the test's own database, and its published tree.
///
/// 1 to 4 register harbour, 5 to 7 admit a proposer, 8 to 10 an approver, 11 and 12 propose a
/// change, 13 to 16 approve and apply it, 17 to 19 admit a responder, 20 and 21 roll it back.
struct SignedLog: Sendable {
    let data: Path
    let connection: ConnectionString

    static let count = 21

    /// Fills the database and publishes a checkpoint over it.
    static func with(_ body: (SignedLog) async throws -> Void) async throws {
        try await with(ScratchDatabase.current.connection, body)
    }

    /// The same in a database that knows its migrations, as after a start.
    static func withMigrated(_ body: (SignedLog) async throws -> Void) async throws {
        let database = try await ScratchDatabase.create(for: "migrated")
        do {
            try await StoreSchema.prepare(database.connection)
            try await with(database.connection, body)
        } catch {
            try await database.drop()
            throw error
        }
        try await database.drop()
    }

    private static func with(
        _ connection: ConnectionString,
        _ body: (SignedLog) async throws -> Void
    ) async throws {
        try await withFolder { data in
            let log = SignedLog(data: data, connection: connection)
            try await log.fill("3.2.0")
            try await log.publish()
            try await body(log)
        }
    }

    var database: RunningDatabase { RunningDatabase(connection) }

    var folder: ExportFolder { ExportFolder(data / "export") }

    /// What the check comes to, with what was published or without.
    func finding(withPublished: Bool = true) async throws -> LogCheck.Finding {
        try await LogCheck(database, data: withPublished ? data.string : nil).run()
    }

    /// Writes the history; everybody acts with a token of their own.
    func fill(_ version: String) async throws {
        try await withWriter { writer in
            _ = try await writer.perform(CommandRequest(registration(of: harbour)))
            let author = try await admit(.proposer, writer)
            let reviewer = try await admit(.approver, writer)
            let proposed = try await perform(
                ProposeChange(
                    app: harbour,
                    title: try Title(validating: "Raise the line"),
                    reason: try Reason(validating: "It loses data."),
                    base: writer.logState.position,
                    operations: raise(to: version, base: .start).operations,
                    by: author.principal
                ),
                author,
                writer
            )
            try await approve(proposed, reviewer, writer)
            let responder = try await admit(.responder, writer)
            _ = try await perform(
                RollBack(
                    app: harbour,
                    platforms: nil,
                    fields: [Field(.ios, .minimumApp, .value)],
                    request: .event(Position(10)),
                    past: PastState(position: Position(10), documents: [:]),
                    reason: try Reason(validating: "It was the wrong one."),
                    by: responder.principal
                ),
                responder,
                writer
            )
        }
    }

    /// Signs and publishes a checkpoint over all there is.
    func publish() async throws {
        let session = try await Session.open(connection, settings: .service)
        let lead = Leadership(
            .exporter,
            on: connection,
            isAlone: true,
            terms: LeaseTerms(length: .seconds(600))
        )
        try #require(try await lead.takeIfFree())
        try ExportTerm(try lead.confirm().epoch, in: folder).begin()
        let key = LogKeyFile(data / "keys" / "log", origin: KeyName("log.example.com/harbour"))
        let log = PublicLog(checkpoints: Checkpoints(EventLog(session)), key: key)
        let publisher = LogPublisher(log, folder, lead: lead)
        var edge = try await publisher.begin()
        _ = try await publisher.publish(&edge)
        await lead.release()
        await session.close()
    }

    /// Records a checkpoint of one's own, as whoever has the service's login can.
    func recordStrayCheckpoint(
        over size: Int,
        frontier: [UInt8] = [],
        root: MerkleHash = MerkleHash.leaf([]),
        note: String = "x"
    ) async throws {
        let session = try await Session.open(connection, settings: .service)
        _ = try await session.query(
            """
            SELECT log.add_checkpoint(\(Int64(size)), \(root.bytes), \(frontier), \(note))
            """
        )
        await session.close()
    }

    /// The same with a tree of other events, under the log's name: only its key tells that from a true one.
    func recordForgedCheckpoint(over size: Int) async throws {
        var tree = MerkleFrontier()
        for _ in 1...size { tree.append(entry: [1]) }
        let name = try #require(KeyName("log.example.com/harbour"))
        let signed = try LogSigner(SignerKey(name: name, kind: .note)).sign(tree.root)
        try await recordStrayCheckpoint(
            over: size,
            frontier: tree.bytes,
            root: tree.root.hash,
            note: String(decoding: signed.bytes, as: UTF8.self)
        )
    }

    /// Does what only a superuser can.
    func tamper(_ script: String) async throws {
        let session = try await Session.open(connection)
        for table in ["event", "command", "checkpoint"] {
            let disable = "ALTER TABLE log.\(table) DISABLE TRIGGER ALL"
            try await session.script(Statement(file: Array(disable.utf8)))
        }
        try await session.script(Statement(file: Array(script.utf8)))
        await session.close()
    }

    func withWriter(_ body: (Writer) async throws -> Void) async throws {
        let pool = SessionPool(connection, settings: .service)
        let writer = Writer(log: EventLog(pool), logger: LogLines().logger)
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await writer.run() }
            try await writer.whenOpen()
            try await body(writer)
        }
        await pool.close()
    }

    func admit(_ role: Role, _ writer: Writer) async throws -> TokenRecord {
        let token = sampleToken()
        let command = IssueToken(
            token: token,
            grants: [RoleGrant(role, in: .all)],
            by: .system
        )
        _ = try await writer.perform(CommandRequest(command))
        return token
    }

    private func approve(
        _ proposed: Receipt,
        _ reviewer: TokenRecord,
        _ writer: Writer
    ) async throws {
        let change = try #require(proposed.logState.openChange(.first))
        let app = try #require(proposed.logState.app(harbour))
        _ = try await perform(
            ApproveChange(
                change: .first,
                seen: ChangeDigest(of: change.content(against: app)),
                comment: nil,
                by: reviewer.principal,
                hash: { ChangeDigest(of: $0) }
            ),
            reviewer,
            writer
        )
    }

    func perform(
        _ command: some Command,
        _ token: TokenRecord,
        _ writer: Writer
    ) async throws -> Receipt {
        try await writer.perform(CommandRequest(command, authentication: .token(token.id)))
    }
}
