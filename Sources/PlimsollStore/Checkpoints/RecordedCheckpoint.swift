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
        after start: Int64 = -1,
        upTo end: Int64 = .max
    ) async throws(PostgresError) -> [RecordedCheckpoint] {
        try await database.query(
            """
            SELECT size, root, frontier, note FROM log.checkpoint
            WHERE size > \(start) AND size <= \(end) ORDER BY size
            """,
            timeout: EventLog.scanTimeout
        ).map { row throws(PostgresError) in try RecordedCheckpoint(row) }
    }

    func isSigned(by key: VerifierKey?) -> Bool { stored?.isSigned(by: key) ?? false }
}
