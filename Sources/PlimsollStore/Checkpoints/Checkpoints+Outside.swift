import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres

extension Checkpoints {
    /// How many events there are.
    package func size() async throws(LogError) -> Int {
        Int(try await log.head().position.rawValue)
    }

    /// The root over the first events, hashed anew from their entries; `nil` if there are fewer.
    package func root(size: Int) async throws(LogError) -> MerkleRoot? {
        let statement: Statement = """
            COPY (
                SELECT position, entry FROM log.event
                WHERE position <= \(literal: Int64(size)) ORDER BY position
            ) TO STDOUT (FORMAT binary)
            """
        let frontier = try await log.copying { session in
            try await session.copyOut(
                statement,
                into: MerkleFrontier(),
                timeout: EventLog.scanTimeout
            ) { frontier, row in
                let position = try Position(row: row.int64())
                let next = Position(frontier.size + 1)
                guard position == next else { throw LogError.hole(at: next, found: position) }
                frontier.append(entry: try row.bytes())
            }
        }
        return frontier.size == size ? frontier.root : nil
    }

    /// Whether an operator has decided to go on without what was signed there.
    package func isOverruled(_ root: MerkleRoot) async throws(LogError) -> Bool {
        let statement: Statement = """
            SELECT true FROM log.overruled
            WHERE size = \(Int64(root.size)) AND root = \(root.hash.bytes)
            """
        return try await reading { () async throws(PostgresError) in
            try await log.database.first(statement) != nil
        }
    }

    /// Records that decision, for ever.
    package func overrule(_ root: MerkleRoot) async throws(LogError) {
        let statement: Statement =
            "SELECT log.overrule(\(Int64(root.size)), \(root.hash.bytes))"
        _ = try await reading { () async throws(PostgresError) in
            try await log.database.first(statement)
        }
    }
}
