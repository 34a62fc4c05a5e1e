import Crypto
import PlimsollDomain
import PlimsollPostgres

/// Holds rows of a generation of the read models against those that a fold makes.
///
/// What is there is read as it would be copied in, so that rows are compared byte by byte.
struct ReadModelCheck {
    let generation: Int32
    /// Behind which event the rows of events begin.
    let start: Position
    let end: Position
    let rows: FoldedRows

    /// The stretch of a batch; what stands before the first event belongs to it.
    init(_ generation: Int32, _ rows: FoldedRows) {
        self.generation = generation
        (start, end) = (rows.start, rows.end)
        self.rows = rows
    }

    /// The numbers of rows that are missing, altered or not to be there, by their tables.
    func alterations(on session: Session) async throws -> Alterations {
        var found = Alterations()
        for table in tables {
            let expected = expected(table)
            let there = try await session.copyOut(
                statement(table),
                into: [StoredRow](),
                timeout: Self.timeout
            ) { rows, row in rows.append(StoredRow(bytes: row.whole)) }
            if there != expected { found.note(table, Self.numbers(expected, there)) }
        }
        return found
    }

    /// The hash of what ``statements`` answer where nothing is altered.
    var digest: SHA256.Digest {
        var hash = SHA256()
        for table in tables {
            hash.update(data: CopyWriter.header)
            for row in expected(table) { hash.update(data: row.bytes) }
            hash.update(data: CopyWriter.trailer)
        }
        return hash.finalize()
    }

    /// What the rows are read with.
    var statements: [Statement] { tables.map(statement) }

    /// What is not asked for by the stretch is asked for by its keys, if there are any.
    private var tables: [ReadModelTable] {
        ReadModelTable.allCases.filter { table in
            switch table {
            case .event, .field: true
            case .change: !rows.changes.isEmpty
            case .snapshot: !rows.snapshots.isEmpty
            }
        }
    }

    /// Writes the right rows in the place of those, into a generation that stands at a position.
    func mend(
        _ alterations: Alterations,
        standingAt position: Position,
        in transaction: Transaction
    ) async throws {
        var right = FoldedRows(start: position, end: position)
        for (table, numbers) in alterations.numbers {
            switch table {
            case .event:
                try await transaction.execute(
                    """
                    DELETE FROM projection.event
                    WHERE generation = \(generation) AND position = ANY (\(Array(numbers)))
                    """
                )
                right.events = rows.events.filter { numbers.contains($0.position.rawValue) }
            case .field:
                try await transaction.execute(
                    """
                    DELETE FROM projection.event_field
                    WHERE generation = \(generation) AND position = ANY (\(Array(numbers)))
                    """
                )
                right.fields = rows.fields.filter { numbers.contains($0.position.rawValue) }
            case .change:
                try await transaction.execute(
                    """
                    DELETE FROM projection.change
                    WHERE generation = \(generation) AND id = ANY (\(Array(numbers)))
                    """
                )
                right.changes = rows.changes.filter { numbers.contains($0.change.id.rawValue) }
            case .snapshot:
                right.snapshots = rows.snapshots.filter {
                    numbers.contains($0.record.sequence.rawValue)
                }
                try await transaction.execute(
                    """
                    DELETE FROM projection.snapshot
                    WHERE generation = \(generation) AND (app, sequence) IN (
                        SELECT * FROM unnest(
                            \(right.snapshots.map(\.app.text)),
                            \(right.snapshots.map(\.record.sequence.rawValue))
                        )
                    )
                    """
                )
            }
        }
        try await transaction.query(right.statement(generation: generation))
    }

    private static let timeout = Duration.seconds(10)

    private func expected(_ table: ReadModelTable) -> [StoredRow] {
        let generation = generation
        return switch table {
        case .event: rows.events.map { row in StoredRow { row.write(generation, to: &$0) } }
        case .field:
            rows.fields.sorted { $0.isBefore($1) }
                .map { row in StoredRow { row.write(generation, to: &$0) } }
        case .change: rows.changes.map { row in StoredRow { row.write(generation, to: &$0) } }
        case .snapshot: rows.snapshots.map { row in StoredRow { row.write(generation, to: &$0) } }
        }
    }

    private func statement(_ table: ReadModelTable) -> Statement {
        let generation = Int64(generation)
        // A row that stands before all events stands in nobody's place.
        let behind = start == .start ? -Int64.max : start.rawValue
        return switch table {
        case .event:
            """
            COPY (
                SELECT \(raw: AuditedEvent.columns) FROM projection.event
                WHERE generation = \(literal: generation) AND position > \(literal: behind)
                    AND position <= \(literal: end.rawValue)
                ORDER BY position
            ) TO STDOUT (FORMAT binary)
            """
        case .field:
            """
            COPY (
                SELECT \(raw: FoldedRows.FieldRow.columns) FROM projection.event_field
                WHERE generation = \(literal: generation) AND position > \(literal: behind)
                    AND position <= \(literal: end.rawValue)
                ORDER BY position, field
            ) TO STDOUT (FORMAT binary)
            """
        case .change:
            """
            COPY (
                SELECT \(raw: ChangeRow.columns) FROM projection.change
                WHERE generation = \(literal: generation)
                    AND id = ANY (\(literal: array(rows.changes.map(\.change.id)))::bigint[])
                ORDER BY id
            ) TO STDOUT (FORMAT binary)
            """
        case .snapshot:
            """
            COPY (
                SELECT \(raw: PublishedSnapshot.columns) FROM projection.snapshot
                WHERE generation = \(literal: generation) AND (app, sequence) IN (
                    SELECT * FROM unnest(
                        \(literal: array(rows.snapshots.map(\.app)))::text[],
                        \(literal: array(rows.snapshots.map(\.record.sequence)))::bigint[]
                    )
                )
                ORDER BY app, sequence
            ) TO STDOUT (FORMAT binary)
            """
        }
    }

    /// None of what is put in here needs quotes.
    private func array(_ values: [some CustomStringConvertible]) -> String {
        "{\(values.map(\.description).joined(separator: ","))}"
    }

    /// The numbers of rows that are on one side more often than on the other.
    private static func numbers(_ expected: [StoredRow], _ there: [StoredRow]) -> Set<Int64> {
        var surplus: [StoredRow: Int] = [:]
        for row in expected { surplus[row, default: 0] += 1 }
        for row in there { surplus[row, default: 0] -= 1 }
        return Set(surplus.filter { $0.value != 0 }.keys.map(\.number))
    }
}

/// Rows of the read models that somebody else wrote, changed or took away.
struct Alterations: Equatable, Sendable {
    private(set) var numbers: [ReadModelTable: Set<Int64>] = [:]

    var isEmpty: Bool { numbers.isEmpty }
    var count: Int { numbers.values.reduce(0) { $0 + $1.count } }

    mutating func note(_ table: ReadModelTable, _ altered: some Sequence<Int64>) {
        for number in altered { numbers[table, default: []].insert(number) }
    }

    mutating func add(_ more: Alterations) {
        for (table, numbers) in more.numbers { note(table, numbers) }
    }
}

extension StoredRow {
    fileprivate init(_ write: (inout CopyWriter) -> Void) {
        bytes = CopyWriter.bytes(write)
    }
}

extension FoldedRows.FieldRow {
    /// As bytes sort, and the database with them.
    fileprivate func isBefore(_ other: Self) -> Bool {
        guard position == other.position else { return position < other.position }
        return change.field.path.utf8.lexicographicallyPrecedes(other.change.field.path.utf8)
    }
}
