import PlimsollLog
import PlimsollPostgres

/// A record of a checkpoint, as it is found: whoever has the service's login can add one over no
/// more events than there are.
struct RecordedCheckpoint: Sendable {
    let size: Int
    /// `nil` where the root is not that of the frontier.
    let stored: StoredCheckpoint?

    init(size: Int64, root: [UInt8], frontier: [UInt8], note: String) {
        self.size = Int(size)
        let frontier = MerkleFrontier(size: self.size, bytes: frontier)
        stored = frontier.flatMap {
            $0.root.hash.bytes == root
                ? StoredCheckpoint(frontier: $0, note: Array(note.utf8)) : nil
        }
    }

    /// Reads the columns in the order in which ``all(in:after:upTo:)`` asks for them.
    init(_ row: Row) throws(PostgresError) {
        let (size, root, frontier, note) = try row.decode((Int64, [UInt8], [UInt8], String).self)
        self.init(size: size, root: root, frontier: frontier, note: note)
    }

    /// Those over more events than one number and no more than another, the shortest first.
    static func all(
        in database: some Querying,
        after start: Int64,
        upTo end: Int64
    ) async throws(PostgresError) -> [RecordedCheckpoint] {
        try await database.query(
            """
            SELECT size, root, frontier, note FROM log.checkpoint
            WHERE size > \(start) AND size <= \(end) ORDER BY size
            """,
            timeout: EventLog.scanTimeout
        ).map { row throws(PostgresError) in try RecordedCheckpoint(row) }
    }

    /// Reads the columns in the order in which ``fold(on:into:_:)`` asks for them.
    private init(_ row: inout CopiedRow) throws(PostgresError) {
        self.init(
            size: try row.int64(),
            root: try row.bytes(),
            frontier: try row.bytes(),
            note: try row.string()
        )
    }

    /// Hands over all there are, the shortest first, one by one: after years there are millions.
    static func fold<Value: Sendable>(
        on session: Session,
        into initial: Value,
        _ take: @Sendable (inout Value, RecordedCheckpoint) -> Void
    ) async throws -> Value {
        try await session.copyOut(
            """
            COPY (SELECT size, root, frontier, note FROM log.checkpoint ORDER BY size)
            TO STDOUT (FORMAT binary)
            """,
            into: initial,
            timeout: EventLog.scanTimeout
        ) { value, row in take(&value, try RecordedCheckpoint(&row)) }
    }

    /// The sizes of all there are.
    static func sizes(on session: Session) async throws -> Set<Int> {
        try await session.copyOut(
            "COPY (SELECT size FROM log.checkpoint) TO STDOUT (FORMAT binary)",
            into: [],
            timeout: EventLog.scanTimeout
        ) { sizes, row in sizes.insert(Int(try row.int64())) }
    }

    func isSigned(by key: VerifierKey?) -> Bool { stored?.isSigned(by: key) ?? false }
}
