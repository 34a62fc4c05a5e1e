package import PlimsollDomain
package import PlimsollPostgres
package import PlimsollStore

/// Makes the read models anew beside the live ones, compares, and switches.
///
/// Questions are answered from the live generation all the while. The last step keeps everybody
/// from appending, so nothing can slip in between the last fold and the switch.
package struct Rebuild: Sendable {
    private let log: EventLog
    private let pool: SessionPool

    package init(log: EventLog, pool: SessionPool) {
        self.log = log
        self.pool = pool
    }

    /// What a rebuild came to.
    package struct Report: Equatable, Sendable {
        /// How far the new read models go.
        package let position: Position
        /// Whether people got the same answers before.
        package let isUnchanged: Bool
    }

    /// Folds the whole log, which may take minutes; throws, and leaves the old read models in use,
    /// where another rebuild was faster.
    package func run() async throws -> Report {
        let old = try await liveGeneration(pool)
        var fold = Fold(generation: old + 1, standsAt: .start)
        try await clear(fold.generation, pool)
        try await pool.execute(
            "INSERT INTO projection.state (generation, position) VALUES (\(fold.generation), 0)"
        )
        while try await !fold.advance(log: log, database: pool).isEmpty {}
        return try await switchOver(from: old, to: fold)
    }

    private func switchOver(from old: Int32, to built: Fold) async throws -> Report {
        try await pool.withTransaction { transaction in
            try await transaction.query("SELECT log.hold_appends()")
            // A projector that folds the old generation meanwhile waits here, and then finds it
            // gone.
            try await transaction.query(
                "SELECT FROM projection.state WHERE generation = \(old) FOR UPDATE"
            )
            guard try await liveGeneration(transaction) == old else {
                throw CorruptReadModel("another rebuild came first")
            }
            var fold = built
            while try await !fold.advance(log: log, database: transaction).isEmpty {}
            let isUnchanged = try await isSame(old, fold.generation, transaction)
            try await transaction.execute(
                "UPDATE projection.live SET generation = \(fold.generation)"
            )
            try await clear(old, transaction)
            return Report(position: fold.world.position, isUnchanged: isUnchanged)
        }
    }

    private func liveGeneration(_ database: any Querying) async throws -> Int32 {
        guard let row = try await database.first("SELECT generation FROM projection.live") else {
            throw CorruptReadModel("no generation of the read models is live")
        }
        return try row.value(at: 0)
    }

    private func isSame(
        _ old: Int32,
        _ new: Int32,
        _ database: any Querying
    ) async throws -> Bool {
        try await database.first(
            "SELECT projection.digest(\(old)) = projection.digest(\(new))"
        )?.value(at: 0) ?? false
    }

    /// Takes a generation away: the old one, or what an earlier rebuild left unfinished.
    private func clear(_ generation: Int32, _ database: any Querying) async throws {
        for table in ["state", "change", "event", "event_field", "snapshot"] {
            try await database.execute(
                """
                DELETE FROM projection.\(identifier: table) WHERE generation = \(generation)
                """
            )
        }
    }
}
