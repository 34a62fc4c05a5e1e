package import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres

/// What the log was told of snapshots, with the bytes that are hashed.
extension Checkpoints {
    /// A `SnapshotPublished`, not read yet.
    package struct PublicationEntry: Hashable, Sendable {
        package let position: Position
        package let entry: [UInt8]

        package init(position: Position, entry: [UInt8]) {
            self.position = position
            self.entry = entry
        }
    }

    /// Those behind a size and up to another, in order, at most so many.
    package func publications(
        after size: Int,
        upTo end: Int,
        limit: Int = EventLog.pageMaximum
    ) async throws(LogError) -> [PublicationEntry] {
        try await publications(
            """
            SELECT position, entry FROM log.event
            WHERE position > \(Int64(size)) AND position <= \(Int64(end))
                AND type = \(EventType.snapshotPublished.rawValue)
            ORDER BY position LIMIT \(Int64(limit))
            """
        )
    }

    /// The newest of one app up to a size, the newest first.
    package func publications(
        of app: AppSlug,
        upTo end: Int,
        limit: Int
    ) async throws(LogError) -> [PublicationEntry] {
        try await publications(
            """
            SELECT position, entry FROM log.event
            WHERE stream = \(StreamName.export(app).text) AND position <= \(Int64(end))
                AND type = \(EventType.snapshotPublished.rawValue)
            ORDER BY revision DESC LIMIT \(Int64(limit))
            """
        )
    }

    /// Of so many that have most lines one is the key's.
    private static let cosignedMaximum = 100

    /// Of the checkpoints over at least so many events that a key has signed the one with most lines of
    /// witnesses, the newest of several, and how many those are; `nil` where none has any.
    package func cosigned(
        from size: Int,
        signedBy key: VerifierKey
    ) async throws(LogError) -> (checkpoint: StoredCheckpoint, lines: Int)? {
        let statement: Statement = """
            SELECT size, count(*) FROM log.cosignature WHERE size >= \(Int64(size))
            GROUP BY size ORDER BY count(*) DESC, size DESC LIMIT \(Int64(Self.cosignedMaximum))
            """
        let found = try await reading { () async throws(PostgresError) in
            try await log.database.query(statement)
                .map { row throws(PostgresError) in try row.decode((Int64, Int64).self) }
        }
        for (size, lines) in found {
            if let checkpoint = try await checkpoint(size: Int(size)), checkpoint.isSigned(by: key)
            {
                return (checkpoint, Int(lines))
            }
        }
        return nil
    }

    private func publications(
        _ statement: Statement
    ) async throws(LogError) -> [PublicationEntry] {
        try await log.entries(statement).map(PublicationEntry.init)
    }
}
