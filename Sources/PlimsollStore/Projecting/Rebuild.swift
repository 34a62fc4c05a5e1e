package import PlimsollDomain
package import PlimsollPostgres

/// Makes the read models anew beside the live ones, compares, and switches.
///
/// Questions are answered from the live generation all the while, and nobody who appends waits. The
/// last step keeps projectors from the live one: the new one comes as far as that stands, what was
/// not compared before is, and whatever follows is folded into the new one.
package struct Rebuild: Sendable {
    private let log: EventLog
    private let pool: SessionPool
    private let runLength: Int

    /// How many sessions of the pool it needs at once; one of its own has the lock.
    package static let sessions = Load.sessions

    private static let timeout = Duration.seconds(3600)
    private static let longest = Duration.seconds(6 * 3600)

    /// "rebuilds" in ASCII: the number of the advisory lock that read models are made anew under.
    private static let lock: Int64 = 0x7265_6275_696C_6473

    /// So many events are folded at once, which bounds what is kept of them in memory.
    package init(log: EventLog, pool: SessionPool, runLength: Int = 10_000) {
        (self.log, self.pool, self.runLength) = (log, pool, runLength)
    }

    /// What a rebuild came to.
    package struct Report: Equatable, Sendable {
        /// How far the new read models go.
        package let position: Position
        /// Whether people got the same answers before.
        package let isUnchanged: Bool
    }

    /// Folds the whole log, which may take minutes; another rebuild, whoever's, is waited for.
    ///
    /// Where it throws the old read models are in use, but with a ``FormerGenerationLeft`` the new
    /// ones are.
    package func run() async throws -> Report {
        try await withLock { session in
            try await replace(try await LiveGeneration.required(session), session)
        }
    }

    /// Does the same where nothing is folded yet, and nothing where another rebuild came first.
    package func runIfNothingIsFolded() async throws {
        try await withLock { session in
            let live = try await LiveGeneration.required(session)
            guard live.position == .start else { return }
            _ = try await replace(live, session)
        }
    }

    /// Lends a session that keeps other rebuilds away while it lasts.
    ///
    /// Two at once would make the same generation, and each would begin by dropping the other's
    /// tables. The switch is made on this session: who has lost it, and the lock with it, makes
    /// none.
    private func withLock<Value>(_ body: (Session) async throws -> Value) async throws -> Value {
        var settings = pool.settings
        // It lies idle for as long as the log is folded, on whichever sessions; a process that is frozen
        // is not to keep others from it for ever.
        settings.idleSessionTimeout = Self.longest
        return try await Session.with(
            pool.connection,
            settings: settings,
            greeting: pool.greeting
        ) { session in
            try await session.execute(
                "SELECT pg_advisory_lock(\(Self.lock))",
                timeout: Self.timeout
            )
            return try await body(session)
        }
    }

    private func replace(_ live: LiveGeneration, _ session: Session) async throws -> Report {
        let old = live.generation
        // No further than the old one has come, so that the two can be compared.
        let load = Load(
            generation: old + 1,
            log: log,
            pool: pool,
            runLength: runLength,
            end: try await end(toCompareWith: live)
        )
        let built = try await load.run()
        let loaded = built.logState.position
        let isSameSoFar = try await isSame(old, built.generation, upTo: loaded)
        let (position, isSameSince) = try await switchOver(from: old, to: built, session)
        // A transaction of its own: whoever asked before the switch reads the old one to the end.
        do {
            try await pool.drop(generation: old)
        } catch {
            throw FormerGenerationLeft(generation: old, cause: error)
        }
        return Report(position: position, isUnchanged: isSameSoFar && isSameSince)
    }

    private func switchOver(
        from old: Int32,
        to built: Fold,
        _ session: Session
    ) async throws -> (position: Position, isSame: Bool) {
        try await session.withTransaction { transaction in
            // A projector that folds the old generation meanwhile waits here, and then finds it
            // gone.
            guard let live = try await LiveGeneration.locked(old, transaction) else {
                throw CorruptReadModel("another rebuild came first")
            }
            let end = live.position
            var fold = built
            while try await !fold.advance(log: log, database: transaction, upTo: end).isEmpty {}
            let isSame = try await isSame(old, fold, after: built.logState.position, transaction)
            try await transaction.execute(
                "UPDATE projection.live SET generation = \(fold.generation)"
            )
            // Who waits to fold more into the old one finds that it is another one by now.
            try await transaction.execute(
                "UPDATE projection.state SET position = 0 WHERE generation = \(old)"
            )
            return (fold.logState.position, isSame)
        }
    }

    /// Whether the large tables of two generations, which are only added to, agree.
    private func isSame(_ old: Int32, _ new: Int32, upTo end: Position) async throws -> Bool {
        let last = end.rawValue
        async let events = answer(
            """
            SELECT projection.event_digest(\(old), 0, \(last))
                = projection.event_digest(\(new), 0, \(last))
            """,
            pool
        )
        async let fields = answer(
            """
            SELECT projection.field_digest(\(old), 0, \(last))
                = projection.field_digest(\(new), 0, \(last))
            """,
            pool
        )
        let (sameEvents, sameFields) = (try await events, try await fields)
        return sameEvents && sameFields
    }

    /// Whether what came behind a position, and what is not only added to, agrees.
    private func isSame(
        _ old: Int32,
        _ fold: Fold,
        after position: Position,
        _ transaction: Transaction
    ) async throws -> Bool {
        let (new, start, end) = (
            fold.generation, position.rawValue, fold.logState.position.rawValue
        )
        return try await answer(
            """
            SELECT projection.event_digest(\(old), \(start), \(end))
                    = projection.event_digest(\(new), \(start), \(end))
                AND projection.field_digest(\(old), \(start), \(end))
                    = projection.field_digest(\(new), \(start), \(end))
                AND projection.state_digest(\(old)) = projection.state_digest(\(new))
            """,
            transaction
        )
    }

    private func answer(_ statement: Statement, _ database: any Querying) async throws -> Bool {
        let row = try await database.first(statement, timeout: Self.timeout)
        return try row?.value(at: 0) ?? false
    }

    /// `nil` where nothing is folded yet, or it says that it has come further than the log.
    private func end(toCompareWith old: LiveGeneration) async throws -> Position? {
        let position = old.position
        guard position > .start, try await position <= log.head().position else { return nil }
        return position
    }
}

/// Why the rows of the former read models are still there, though the new ones are in use.
package struct FormerGenerationLeft: Error, CustomStringConvertible {
    let generation: Int32
    let cause: any Error

    package var description: String {
        "\(cause). SELECT projection.drop_generation(\(generation)) removes them."
    }
}
