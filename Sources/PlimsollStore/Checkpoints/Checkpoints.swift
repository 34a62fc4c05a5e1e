import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres

/// The checkpoints over the log that were signed, one root for each size, for ever.
package struct Checkpoints: Sendable {
    let log: EventLog

    package init(_ log: EventLog) {
        self.log = log
    }

    private static let pageMaximum = 8

    /// The one over most of the first events; `nil` before the first.
    ///
    /// A record that contradicts itself is passed over, and where a key is given, one that it has not
    /// signed.
    package func newest(
        upTo size: Int = .max,
        signedBy key: VerifierKey? = nil
    ) async throws(LogError) -> StoredCheckpoint? {
        var end = Int64(size)
        while true {
            let page = try await recorded(
                """
                SELECT size, root, frontier, note FROM log.checkpoint
                WHERE size <= \(end) ORDER BY size DESC LIMIT \(Int64(Self.pageMaximum))
                """
            )
            for record in page {
                guard let stored = record.stored, key == nil || stored.isSigned(by: key) else {
                    continue
                }
                return stored
            }
            guard let last = page.last else { return nil }
            end = Int64(last.size) - 1
        }
    }

    /// The one over so many events, unless the record contradicts itself.
    package func checkpoint(size: Int) async throws(LogError) -> StoredCheckpoint? {
        try await recorded(
            "SELECT size, root, frontier, note FROM log.checkpoint WHERE size = \(Int64(size))"
        ).first?.stored
    }

    /// Adds one for good; of two with one root the first stays, and is answered.
    ///
    /// The database refuses one beyond the last event, a second root for a size, and one of a leader
    /// who comes late.
    package func add(
        _ checkpoint: StoredCheckpoint,
        as fence: Fence? = nil
    ) async throws(LogError) -> StoredCheckpoint {
        let statement: Statement = """
            SELECT log.add_checkpoint(
                \(Int64(checkpoint.root.size)), \(checkpoint.root.hash.bytes),
                \(checkpoint.frontier.bytes), \(String(decoding: checkpoint.note, as: UTF8.self))
            ), instance.check_leases(
                \([fence].compactMap { $0?.lease.rawValue }),
                \([fence].compactMap { $0?.epoch.rawValue })
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

    /// The leaves behind a size, at most so many, hashed anew: what is stored is not believed, and
    /// what the service did not write is never signed.
    package func leaves(
        after size: Int,
        limit: Int = EventLog.pageMaximum
    ) async throws(LogError) -> [MerkleHash] {
        try await log.authenticPrefix(of: try await entries(after: size, limit: limit)) {
            reader,
            entry,
            place throws(LogError) in
            try reader.check(entry, at: Position(size + place + 1))
            return .leaf(entry)
        }
    }

    /// The entries behind a size, at most so many; none is left out.
    package func entries(after size: Int, limit: Int) async throws(LogError) -> [[UInt8]] {
        var next = Position(size + 1)
        var found: [[UInt8]] = []
        for entry in try await log.entries(from: next, limit: limit) {
            guard entry.position == next else { throw .hole(at: next, found: entry.position) }
            found.append(entry.bytes)
            next = next.advanced(by: 1)
        }
        return found
    }

    private func recorded(_ statement: Statement) async throws(LogError) -> [RecordedCheckpoint] {
        try await reading { () async throws(PostgresError) in
            try await log.database.query(statement)
                .map { row throws(PostgresError) in try RecordedCheckpoint(row) }
        }
    }
}

extension Checkpoints {
    /// How many events there are.
    package func size() async throws(LogError) -> Int {
        Int(try await log.head().position.rawValue)
    }

    /// The root over the first events, hashed anew from their entries, behind those that are known by
    /// their tree; `nil` if there are fewer.
    package func root(
        size: Int,
        after known: MerkleFrontier = MerkleFrontier()
    ) async throws(LogError) -> MerkleRoot? {
        let frontier = try await frontier(size: size, after: known)
        return frontier.size == size ? frontier.root : nil
    }

    /// What the tree over the first events grows from, or over all there are.
    package func frontier(
        size: Int,
        after known: MerkleFrontier = MerkleFrontier()
    ) async throws(LogError) -> MerkleFrontier {
        let statement: Statement = """
            COPY (
                SELECT position, entry FROM log.event
                WHERE position > \(literal: Int64(known.size))
                    AND position <= \(literal: Int64(size))
                ORDER BY position
            ) TO STDOUT (FORMAT binary)
            """
        return try await log.copying { session in
            try await session.copyOut(
                statement,
                into: known,
                timeout: EventLog.scanTimeout
            ) { frontier, row in
                let position = try Position(row: row.int64())
                let next = Position(frontier.size + 1)
                guard position == next else { throw LogError.hole(at: next, found: position) }
                frontier.append(entry: try row.bytes())
            }
        }
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

/// A checkpoint as the database keeps it: signed, and with what the tree grows from.
package struct StoredCheckpoint: Hashable, Sendable {
    package let frontier: MerkleFrontier
    /// The whole signed note, as it is published.
    package let note: [UInt8]

    package var root: MerkleRoot { frontier.root }

    package init(frontier: MerkleFrontier, note: [UInt8]) {
        self.frontier = frontier
        self.note = note
    }

    /// Whether the note says the same root, and the log's key has signed it; of that nothing is asked
    /// where the key is not known.
    package func isSigned(by key: VerifierKey?) -> Bool {
        guard let signed = try? SignedCheckpoint(parsing: note), signed.checkpoint.root == root
        else { return false }
        guard let key else { return true }
        guard case .verified = signed.verification(by: LogTrust(logKeys: [key])) else {
            return false
        }
        return true
    }
}
