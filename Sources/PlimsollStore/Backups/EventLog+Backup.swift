import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres

extension EventLog {
    /// Writes the log out as it is at one moment, while others go on appending.
    ///
    /// The end is the caller's to write, who sees every line.
    package func backUp<Value: Sendable>(
        into initial: Value,
        _ take: @Sendable (inout Value, BackupLine) throws -> Void
    ) async throws -> Value {
        guard let database = database as? any Transacting else {
            preconditionFailure("a transaction's log cannot begin another one")
        }
        return try await database.withTransaction(
            isolation: .repeatableRead,
            access: .readOnly,
            attempts: 1
        ) { transaction in
            var value = initial
            try take(&value, .begin)
            for (statement, read) in Self.parts {
                value = try await transaction.session.copyOut(
                    statement,
                    into: value,
                    timeout: Self.scanTimeout
                ) { value, row in try take(&value, try read(&row)) }
            }
            return value
        }
    }

    private typealias Reading = @Sendable (inout CopiedRow) throws -> BackupLine

    /// In the order in which the lines stand; each part in an order of its own.
    private static var parts: [(Statement, Reading)] {
        [
            (
                """
                COPY (SELECT position, entry FROM log.event ORDER BY position)
                TO STDOUT (FORMAT binary)
                """, { try BackupLine(entry: &$0) }
            ),
            (
                """
                COPY (
                    SELECT command_id, request_digest, outcome, recorded_at, first_position,
                        last_position
                    FROM log.command
                    WHERE first_position IS NOT NULL
                        OR recorded_at > '-infinity' AND recorded_at < '10000-01-01 00:00:00+00'
                    ORDER BY last_position, command_id
                ) TO STDOUT (FORMAT binary)
                """, { .command(try BackupCommand(&$0)) }
            ),
            (
                """
                COPY (
                    SELECT size, root, note, frontier, created_at
                    FROM log.checkpoint ORDER BY size
                ) TO STDOUT (FORMAT binary)
                """, { .checkpoint(try BackupCheckpoint(&$0)) }
            ),
            (
                """
                COPY (
                    SELECT size, witness, line, created_at
                    FROM log.cosignature ORDER BY size, witness
                ) TO STDOUT (FORMAT binary)
                """, { .cosignature(try BackupCosignature(&$0)) }
            ),
            (
                """
                COPY (
                    SELECT size, root, position, created_at
                    FROM log.overruled ORDER BY size, root
                ) TO STDOUT (FORMAT binary)
                """, { .overruled(try BackupOverruled(&$0)) }
            ),
        ]
    }
}

extension BackupLine {
    /// An entry that would not be one line is none of ours.
    fileprivate init(entry row: inout CopiedRow) throws {
        let position = try Position(row: row.int64())
        let entry = try row.bytes()
        guard entry.starts(with: Array(#"{"actor":"#.utf8)), !entry.contains(0x0A) else {
            throw LogFlawFound(position, .notCanonical)
        }
        self = .entry(entry)
    }
}

extension BackupCommand {
    fileprivate init(_ row: inout CopiedRow) throws(PostgresError) {
        let id: UUID = try row.next()
        self.init(
            id: id.uuidString.lowercased(),
            digest: try row.bytes(),
            outcome: try row.bytes(),
            recordedAt: try row.timestamp().microsecondsSince1970,
            first: try row.next(),
            last: try row.int64()
        )
    }
}

extension BackupCheckpoint {
    fileprivate init(_ row: inout CopiedRow) throws(PostgresError) {
        self.init(
            size: try row.int64(),
            root: try row.bytes(),
            note: try row.string(),
            frontier: try row.bytes(),
            createdAt: try row.timestamp().microsecondsSince1970
        )
    }
}

extension BackupCosignature {
    fileprivate init(_ row: inout CopiedRow) throws(PostgresError) {
        self.init(
            size: try row.int64(),
            witness: try row.string(),
            line: try row.string(),
            createdAt: try row.timestamp().microsecondsSince1970
        )
    }
}

extension BackupOverruled {
    fileprivate init(_ row: inout CopiedRow) throws(PostgresError) {
        self.init(
            size: try row.int64(),
            root: try row.bytes(),
            position: try row.int64(),
            createdAt: try row.timestamp().microsecondsSince1970
        )
    }
}
