import PlimsollDomain
import PlimsollPostgres

/// What a round through the log has learned of the read models so far.
struct ReadModelRound: Sendable {
    private var residue = LoadResidue()
    private var changes = RangeSet<Int64>()
    private var sequences: [AppSlug: RangeSet<Int64>] = [:]
    private var scope = Scope.nothing

    /// Which generation was held against every event so far.
    private enum Scope: Equatable, Sendable {
        /// No event was looked at yet.
        case nothing
        case generation(Int32)
        /// None: another one came, or was away for a while.
        case parts
    }

    /// Takes in which generation is live.
    mutating func note(_ live: LiveGeneration?) {
        let current = live.map { Scope.generation($0.generation) } ?? .parts
        scope = scope == .nothing || scope == current ? current : .parts
    }

    /// Whether the generation that was looked at goes no further than an event.
    func isAtEnd(_ live: LiveGeneration?, _ position: Position) -> Bool {
        live.map { isWhole($0) && $0.position <= position } ?? false
    }

    /// The generation to hold against the events behind a position, unless that is not so far.
    mutating func judged(_ live: LiveGeneration?, behind position: Position) -> LiveGeneration? {
        guard let live, live.position > position else {
            scope = .parts
            return nil
        }
        return live
    }

    /// Whether every row of a generation was looked at that cannot change any more.
    func isWhole(_ live: LiveGeneration) -> Bool { scope == .generation(live.generation) }

    /// The rows that there have to be, once it is known how changes end; with the last batch all.
    mutating func take(_ folded: FoldedRows, isLast: Bool) -> FoldedRows {
        for row in folded.changes { changes.insert(row.change.id.rawValue) }
        var rows = residue.take(folded, isLast: isLast)
        // Of two snapshots with one sequence the first one stays.
        rows.snapshots = rows.snapshots.filter {
            sequences[$0.app, default: RangeSet()].take($0.record.sequence.rawValue)
        }
        return rows
    }

    /// Takes rows away that stand for nothing in the log, which ends where the generation does.
    func removeStrays(
        _ live: LiveGeneration,
        in transaction: Transaction
    ) async throws -> Alterations {
        let (generation, end) = (live.generation, live.position.rawValue)
        var strays = Alterations()
        let beyond: [(ReadModelTable, Statement)] = [
            (
                .event,
                """
                DELETE FROM projection.event
                WHERE generation = \(generation) AND position > \(end) RETURNING position
                """
            ),
            (
                .field,
                """
                DELETE FROM projection.event_field
                WHERE generation = \(generation) AND position > \(end) RETURNING position
                """
            ),
        ]
        for (table, statement) in beyond {
            strays.note(table, try await transaction.query(statement).map { try $0.value(at: 0) })
        }
        strays.note(.change, try await removeStrayChanges(generation, in: transaction))
        strays.note(.snapshot, try await removeStraySnapshots(generation, in: transaction))
        return strays
    }

    private func removeStrayChanges(
        _ generation: Int32,
        in transaction: Transaction
    ) async throws -> [Int64] {
        let count = try await transaction.first(
            "SELECT count(*) FROM projection.change WHERE generation = \(generation)"
        )
        guard try count?.value(at: 0, as: Int64.self) != Int64(changes.count) else { return [] }
        let there = try await transaction.query(
            "SELECT id FROM projection.change WHERE generation = \(generation)"
        )
        let strays = try there.map { try $0.value(at: 0, as: Int64.self) }
            .filter { !changes.contains($0) }
        try await transaction.execute(
            """
            DELETE FROM projection.change
            WHERE generation = \(generation) AND id = ANY (\(strays))
            """
        )
        return strays
    }

    private func removeStraySnapshots(
        _ generation: Int32,
        in transaction: Transaction
    ) async throws -> [Int64] {
        let count = try await transaction.first(
            "SELECT count(*) FROM projection.snapshot WHERE generation = \(generation)"
        )
        let known = sequences.values.reduce(0) { $0 + $1.count }
        guard try count?.value(at: 0, as: Int64.self) != Int64(known) else { return [] }
        let there = try await transaction.query(
            "SELECT app, sequence FROM projection.snapshot WHERE generation = \(generation)"
        )
        let strays = try there.map { try $0.decode((String, Int64).self) }.filter { app, sequence in
            AppSlug(app).flatMap { sequences[$0]?.contains(sequence) } != true
        }
        try await transaction.execute(
            """
            DELETE FROM projection.snapshot
            WHERE generation = \(generation) AND (app, sequence) IN (
                SELECT * FROM unnest(\(strays.map(\.0)), \(strays.map(\.1)))
            )
            """
        )
        return strays.map(\.1)
    }
}

extension RangeSet<Int64> {
    fileprivate var count: Int {
        ranges.reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) }
    }

    fileprivate mutating func insert(_ number: Int64) {
        insert(contentsOf: number..<number + 1)
    }

    /// Answers whether it was not there.
    fileprivate mutating func take(_ number: Int64) -> Bool {
        guard !contains(number) else { return false }
        insert(number)
        return true
    }
}
