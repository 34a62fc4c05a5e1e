import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres

/// The checkpoints over the log that were signed, one root for each size, for ever.
package struct Checkpoints: Sendable {
    let log: EventLog

    package init(_ log: EventLog) {
        self.log = log
    }

    /// The one over most events; `nil` before the first.
    package func newest() async throws(LogError) -> StoredCheckpoint? {
        try await first(
            """
            SELECT size, root, frontier, note FROM log.checkpoint ORDER BY size DESC LIMIT 1
            """
        )
    }

    /// The one over so many events.
    package func checkpoint(size: Int) async throws(LogError) -> StoredCheckpoint? {
        try await first(
            "SELECT size, root, frontier, note FROM log.checkpoint WHERE size = \(Int64(size))"
        )
    }

    /// Adds one for good; of two with one root the first stays, and is answered.
    ///
    /// The database refuses one beyond the last event, and a second root for a size.
    package func add(_ checkpoint: StoredCheckpoint) async throws(LogError) -> StoredCheckpoint {
        let statement: Statement = """
            SELECT log.add_checkpoint(
                \(Int64(checkpoint.root.size)), \(checkpoint.root.hash.bytes),
                \(checkpoint.frontier.bytes), \(String(decoding: checkpoint.note, as: UTF8.self))
            )
            """
        return try await reading { () async throws(PostgresError) in
            guard let row = try await log.database.first(statement) else {
                throw PostgresError(.decoding, "log.add_checkpoint answers the note")
            }
            let note = try row.value(at: 0, as: String.self)
            return StoredCheckpoint(frontier: checkpoint.frontier, note: Array(note.utf8))
        }
    }

    /// The leaves behind a size, at most so many, hashed anew: what is stored is not believed.
    package func leaves(
        after size: Int,
        limit: Int = EventLog.pageMaximum
    ) async throws(LogError) -> [MerkleHash] {
        try await entries(after: size, limit: limit).map(MerkleHash.leaf)
    }

    /// The entries behind a size, at most so many; none is left out.
    package func entries(after size: Int, limit: Int) async throws(LogError) -> [[UInt8]] {
        let statement: Statement = """
            SELECT position, entry FROM log.event
            WHERE position > \(Int64(size)) ORDER BY position LIMIT \(Int64(limit))
            """
        var next = Position(size + 1)
        var found: [[UInt8]] = []
        for (position, entry) in try await log.entries(statement) {
            guard position == next else { throw .hole(at: next, found: position) }
            found.append(entry)
            next = next.advanced(by: 1)
        }
        return found
    }

    private func first(_ statement: Statement) async throws(LogError) -> StoredCheckpoint? {
        let row = try await reading { () async throws(PostgresError) in
            try await log.database.first(statement)
        }
        guard let row else { return nil }
        return try StoredCheckpoint(row)
    }
}
