package import Logging
import Metrics
import PlimsollDomain
package import PlimsollLog
package import PlimsollPostgres

/// Goes through the whole log and holds it against what was signed, and the read models against what
/// the log says.
///
/// A log that is hurt makes the process read only. Rows of the read models that are not what a fold
/// makes are written again, under the lock that folds and rebuilds take: so two instances never mend
/// against each other, and what moves meanwhile is taken for no damage.
package struct Patrol: Sendable {
    private let log: EventLog
    private let pool: SessionPool
    private let memory: LogMemory
    private let board: VerifierBoard
    private let published: @Sendable () -> MerkleRoot?
    private let logger: Logger
    private let stride: Int
    private let pause: @Sendable (_ events: Int, Duration) async throws -> Void
    private var blocks = BlockRoots()

    /// How many events are looked at in one go.
    package static let strideUsual = 1000

    /// - Parameters:
    ///   - log: What is walked through.
    ///   - pool: Where the read models are.
    ///   - memory: What the process knows of the log's end; told where the log is hurt.
    ///   - board: Where is shown what was seen.
    ///   - logger: Where each row is named that was altered.
    ///   - published: A root that was signed and lies outside the database.
    ///   - stride: How many events are looked at in one go.
    ///   - pause: Rests after so many events that took so long.
    package init(
        log: EventLog,
        pool: SessionPool,
        memory: LogMemory,
        board: VerifierBoard,
        logger: Logger,
        published: @escaping @Sendable () -> MerkleRoot? = { nil },
        stride: Int = strideUsual,
        pause: @escaping @Sendable (_ events: Int, Duration) async throws -> Void = { _, _ in }
    ) {
        self.log = log
        self.pool = pool
        self.memory = memory
        self.board = board
        self.logger = logger
        self.published = published
        self.stride = stride
        self.pause = pause
    }

    /// Looks at everything once, up to where the log is known to end as it begins.
    ///
    /// Throws where something could not be looked at, which is no finding.
    package mutating func round() async throws {
        guard memory.prohibition == nil else { return }
        let start = ContinuousClock.now
        do {
            try await walk()
        } catch let hurt as LogHurt {
            memory.lose(hurt.error)
            return
        }
        let took = ContinuousClock.now - start
        board.note { $0.lastRound = VerifierBoard.Round(begun: start, took: took) }
        Gauge(label: "plimsoll.verifier.round.seconds").record(took / .seconds(1))
    }

    private mutating func walk() async throws {
        let tip = memory.tip
        let outside = published().flatMap { $0.size <= Int(tip.position.rawValue) ? $0 : nil }
        var round = LogRound(
            log.authentication,
            upTo: tip,
            through: outside,
            remembering: blocks
        )
        var models = ReadModelRound()
        while let end = try await stretch(behind: round.position, tip, &models) {
            let start = ContinuousClock.now
            let before = round.position
            try await advance(&round, to: end.position)
            if end.position == end.judged?.position { try close(&round) }
            let rows = models.take(round.takeBatch(), isLast: false)
            if let judged = end.judged { try await compare(rows, judged) }
            if before < tip.position {
                try await pause(Int(end.position.rawValue - before.rawValue), .now - start)
            }
        }
        try await finish(&round, &models)
        // What is not folded yet, which may be much where no projector is at work.
        while round.position < tip.position {
            let (start, before) = (ContinuousClock.now, round.position)
            try await advance(&round, to: min(before.advanced(by: stride), tip.position))
            _ = round.takeBatch()
            try await pause(Int(round.position.rawValue - before.rawValue), .now - start)
        }
        guard try await Standing.live(pool) != nil else {
            throw CorruptReadModel("no generation of the read models is live")
        }
    }

    /// Where the next stretch ends, and the generation to hold against it; `nil` where nothing more is to
    /// be read before the end is looked at.
    ///
    /// What came during the round is gone through without a rest, so that little is left to do while
    /// nobody folds.
    private func stretch(
        behind before: Position,
        _ tip: LogTip,
        _ models: inout ReadModelRound
    ) async throws -> (position: Position, judged: Standing?)? {
        let standing = try await standing()
        models.note(standing)
        if models.isAtEnd(standing, before) { return nil }
        let next = before.advanced(by: stride)
        if before < tip.position {
            let judged = models.judged(standing, behind: before)
            let ends = [next, tip.position, judged?.position].compactMap(\.self)
            return (ends.min() ?? next, judged)
        }
        guard let standing, models.isWhole(standing), standing.position > next,
            try await log.head().position > next
        else { return nil }
        return (next, standing)
    }

    /// The live generation, unless another program has made it that knows more.
    private func standing() async throws -> Standing? {
        let standing = try await Standing.live(pool)
        let isForeign = standing.map { $0.shape > Fold.shape } ?? false
        board.note { $0.isForeign = isForeign }
        Gauge(label: "plimsoll.verifier.foreign").record(isForeign ? 1 : 0)
        return isForeign ? nil : standing
    }

    private mutating func advance(_ round: inout LogRound, to end: Position) async throws {
        guard end > round.position else { return }
        let begun = round
        do throws(LogError) {
            round = try await log.walk(begun, to: end)
        } catch {
            guard error.isDamage else { throw error }
            round = try await walkAgain(begun, to: end)
        }
        blocks = round.blocks
        let position = round.position
        board.note { $0.position = position }
        Gauge(label: "plimsoll.verifier.position").record(position.rawValue)
    }

    /// A session from before a failover may lead to a server that was replaced, so nothing is said of
    /// the log before it was read on another one.
    private func walkAgain(_ begun: LogRound, to end: Position) async throws -> LogRound {
        var round = begun
        try await log.onOwnSession { log in
            do throws(LogError) {
                round = try await log.walk(begun, to: end)
            } catch {
                guard error.isDamage else { throw error }
                throw LogHurt(error: error)
            }
        }
        return round
    }

    private func close(_ round: inout LogRound) throws {
        do throws(LogError) {
            try round.closeAppend()
        } catch {
            throw LogHurt(error: error)
        }
    }

    /// Compares rows as they are; where they differ, again while nobody folds.
    private func compare(_ rows: FoldedRows, _ standing: Standing) async throws {
        let check = ReadModelCheck(standing.generation, rows)
        let alterations: Alterations
        do {
            alterations = try await pool.withSession { try await check.alterations(on: $0) }
        } catch {
            // A rebuild takes the tables of the old generation away.
            guard try await Standing.live(pool)?.generation == standing.generation else { return }
            throw error
        }
        guard !alterations.isEmpty else { return }
        let mended = try await pool.withTransaction { transaction in
            guard let locked = try await Standing.locked(standing.generation, transaction),
                locked.position >= rows.end
            else { return Alterations() }
            let found = try await check.alterations(on: transaction.session)
            if !found.isEmpty {
                try await check.mend(found, standingAt: locked.position, in: transaction)
            }
            return found
        }
        tell(mended, standing)
    }

    /// Looks at what only the end of the log tells: changes that are open, and rows of nothing.
    private mutating func finish(
        _ round: inout LogRound,
        _ models: inout ReadModelRound
    ) async throws {
        guard let standing = try await standing(), models.isWhole(standing) else { return }
        // Most of what came meanwhile, so that nobody waits for it.
        try await advance(&round, to: min(standing.position, try await log.head().position))
        var (ended, known) = (round, models)
        let patrol = self
        let mended = try await pool.withTransaction { transaction in
            (ended, known) = (round, models)
            guard var locked = try await Standing.locked(standing.generation, transaction),
                locked.position >= ended.position
            else { return Alterations() }
            let end = try await log.head().position
            if locked.position > end { try await locked.goBack(to: end, in: transaction) }
            var patrol = patrol
            try await patrol.advance(&ended, to: locked.position)
            try patrol.close(&ended)
            let rows = known.take(ended.takeBatch(), isLast: true)
            let check = ReadModelCheck(locked.generation, rows)
            var found = try await check.alterations(on: transaction.session)
            if !found.isEmpty {
                try await check.mend(found, standingAt: locked.position, in: transaction)
            }
            found.add(try await known.removeStrays(locked, in: transaction))
            if locked.shape < Fold.shape { try await locked.adopt(in: transaction) }
            return found
        }
        (round, models) = (ended, known)
        tell(mended, standing)
    }

    /// Names what was mended; of many the first ones.
    private func tell(_ mended: Alterations, _ standing: Standing) {
        guard !mended.isEmpty else { return }
        // An older program made them; nobody has altered anything.
        guard standing.shape == Fold.shape else {
            logger.notice(
                "read models of an older program are brought to this one's",
                metadata: ["rows": "\(mended.count)"]
            )
            return
        }
        board.note { $0.mended += mended.count }
        Counter(label: "plimsoll.read_models.mended").increment(by: mended.count)
        for (table, numbers) in mended.numbers {
            let named = numbers.sorted().prefix(Self.namedMaximum).map(String.init)
            logger.error(
                "read models were altered, and written again",
                metadata: [
                    "table": "\(table.rawValue)", "rows": "\(numbers.count)",
                    "keys": "\(named.joined(separator: ", "))",
                ]
            )
        }
    }

    private static let namedMaximum = 20
}

/// The log is not what it was.
private struct LogHurt: Error {
    let error: LogError
}

extension LogError {
    /// Whether it says that the log is hurt; else it could not be looked at.
    fileprivate var isDamage: Bool {
        switch self {
        case .database, .interrupted: false
        case .unauthentic(_, let flaw): flaw.isForgery
        case .hole, .revisionHole, .unreadable, .newer, .repeated, .flawed, .shortened, .lost,
            .contradictoryCheckpoint:
            true
        }
    }
}
