import Crypto
package import Logging
import Metrics
import PlimsollDomain
package import PlimsollLog
package import PlimsollPostgres

/// Goes through the whole log and holds it against what was signed, and the read models and names
/// against what the log says.
///
/// A log that is damaged makes the process read only. Rows of the read models that are not what a fold
/// makes are written again, under the lock that folds and rebuilds take: so two instances never mend
/// against each other, and what moves meanwhile is taken for no damage.
package struct IntegrityCheck: Sendable {
    private let log: EventLog
    private let pool: SessionPool
    private let memory: LogMemory
    private let progress: VerifierProgress
    private let published: @Sendable () -> MerkleRoot?
    private let logKey: @Sendable () -> VerifierKey?
    private let logger: Logger
    private let stride: Int
    private let pause: @Sendable (_ events: Int, Duration) async throws -> Void
    private var known = KnownStretches()
    private var names: NameCheck
    private var strayCheckpoints: [Int] = []

    /// How many events are looked at in one go.
    package static let strideUsual = 1000

    /// - Parameters:
    ///   - log: What is walked through.
    ///   - pool: Where the read models are.
    ///   - memory: What the process knows of the log's end; told where the log is damaged.
    ///   - progress: Where is shown what was seen.
    ///   - logger: Where each row is named that was altered.
    ///   - published: A root that was signed and lies outside the database.
    ///   - logKey: Who has to have signed what is recorded in it.
    ///   - stride: How many events are looked at in one go.
    ///   - pause: Rests after so many events that took so long.
    package init(
        log: EventLog,
        pool: SessionPool,
        memory: LogMemory,
        progress: VerifierProgress,
        logger: Logger,
        published: @escaping @Sendable () -> MerkleRoot? = { nil },
        logKey: @escaping @Sendable () -> VerifierKey? = { nil },
        stride: Int = strideUsual,
        pause: @escaping @Sendable (_ events: Int, Duration) async throws -> Void = { _, _ in }
    ) {
        self.log = log
        self.pool = pool
        self.memory = memory
        self.progress = progress
        self.logger = logger
        self.published = published
        self.logKey = logKey
        self.stride = stride
        self.pause = pause
        names = NameCheck(Directory(pool), log, progress, logger)
    }

    /// Looks at everything once, up to where the log is known to end as it begins.
    ///
    /// Throws where something could not be looked at, which is no finding.
    package mutating func round() async throws {
        guard memory.prohibition == nil else { return }
        let start = ContinuousClock.now
        do {
            try await walk()
        } catch let damage as LogDamaged {
            memory.lose(damage.error)
            return
        }
        let took = ContinuousClock.now - start
        progress.note { $0.lastRound = VerifierProgress.Round(begun: start, took: took) }
        Gauge(label: "plimsoll.verifier.round.seconds").record(took / .seconds(1))
    }

    private mutating func walk() async throws {
        try await names.begin()
        let tip = memory.tip
        var mismatch = Mismatch.nothing
        if let live = try await liveGeneration(), known.tail?.models.isWhole(live) == true {
            mismatch = try await look(at: known.stretches)
        } else {
            known = KnownStretches()
        }
        if mismatch != .nothing { known = KnownStretches() }
        var (round, models) = known.tail ?? (LogRound(log.authentication), ReadModelRound())
        round.expect(tip)
        round.trust(logKey())
        if let root = published(), root.size <= Int(tip.position.rawValue) {
            round.expect(root.hash, over: root.size)
        }
        // Where the log is in doubt, nothing is held against it.
        if !mismatch.isOfLog {
            try await follow(&round, &models, upTo: tip, mismatch)
            try await finish(&round, &models)
        }
        // What is not folded yet, which may be much where no projector is at work.
        while round.position < tip.position {
            let (start, before) = (ContinuousClock.now, round.position)
            try await advance(&round, to: min(before.advanced(by: stride), tip.position))
            _ = round.takeContent()
            try await rest(after: round.position.rawValue - before.rawValue, since: start, mismatch)
        }
        if case .log(let first, let last) = mismatch {
            throw LogDamaged(error: .flawed(first, .changed(upTo: last)))
        }
        tell(round.strayCheckpoints)
        try await names.look(in: round.access, at: round.position)
        _ = try await LiveGeneration.required(pool)
    }

    /// What is not as it was known; everything is looked at from the start then, to say how.
    private enum Mismatch: Equatable {
        case nothing
        /// A stretch of the log, by its first and last event.
        case log(Position, Position)
        case rows

        var isOfLog: Bool { if case .log = self { true } else { false } }
    }

    /// Looks whether all that is known is there, byte for byte.
    private func look(at stretches: [KnownStretches.Stretch]) async throws -> Mismatch {
        for stretch in stretches {
            let start = ContinuousClock.now
            let (first, last) = (stretch.start.advanced(by: 1), stretch.end)
            guard try await isThere(stretch) else { return .log(first, last) }
            do {
                guard try await digest(stretch.rows) == stretch.rowDigest else { return .rows }
            } catch let error as PostgresError where error.sqlState != nil {
                // A rebuild takes the tables of the old generation away.
                return .rows
            }
            show(last)
            try await rest(after: last.rawValue - stretch.start.rawValue, since: start)
        }
        return .nothing
    }

    /// Asked on a session of its own where it seems not to be; see ``walkAgain(_:to:)``.
    private func isThere(_ stretch: KnownStretches.Stretch) async throws -> Bool {
        let entries = [Statement.stretch(behind: stretch.start, upTo: stretch.end)]
        if try await digest(entries) == stretch.logDigest { return true }
        var isThere = false
        try await log.onOwnSession { log in
            isThere = try await log.copying { try await $0.digest(entries) } == stretch.logDigest
        }
        return isThere
    }

    private func digest(_ statements: [Statement]) async throws -> SHA256.Digest {
        try await pool.withSession { try await $0.digest(statements) }
    }

    private func show(_ position: Position) {
        progress.note { $0.position = position }
        Gauge(label: "plimsoll.verifier.position").record(position.rawValue)
    }

    /// Reads, compares and remembers one stretch after the other.
    private mutating func follow(
        _ round: inout LogRound,
        _ models: inout ReadModelRound,
        upTo tip: LogTip,
        _ mismatch: Mismatch
    ) async throws {
        var isGapless = true
        while let next = try await stretch(behind: round.position, tip, &models) {
            let (start, before) = (ContinuousClock.now, round.position)
            try await advance(&round, to: next.position)
            if next.position == next.judged?.position { try close(&round) }
            let rows = models.take(round.takeContent().rows, isLast: false)
            isGapless = isGapless && next.position == before.advanced(by: stride)
            if let judged = next.judged {
                let check = ReadModelCheck(judged.generation, rows)
                let digest = try await compare(check, judged)
                if isGapless, let digest {
                    let looked = KnownStretches.Stretch(
                        start: before,
                        end: next.position,
                        rows: check.statements,
                        logDigest: round.stretchDigest,
                        rowDigest: digest
                    )
                    known.add(looked, leadingTo: round, models)
                } else {
                    isGapless = false
                }
            } else {
                isGapless = false
            }
            if before < tip.position {
                try await rest(
                    after: next.position.rawValue - before.rawValue,
                    since: start,
                    mismatch
                )
            }
        }
    }

    /// In doubt an answer is wanted soon.
    private static let haste: Int64 = 10

    private func rest(
        after events: Int64,
        since start: ContinuousClock.Instant,
        _ mismatch: Mismatch = .nothing
    ) async throws {
        try await pause(Int(mismatch == .nothing ? events : events / Self.haste), .now - start)
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
    ) async throws -> (position: Position, judged: LiveGeneration?)? {
        let live = try await liveGeneration()
        models.note(live)
        if models.isAtEnd(live, before) { return nil }
        let next = before.advanced(by: stride)
        if before < tip.position {
            let judged = models.judged(live, behind: before)
            let ends = [next, tip.position, judged?.position].compactMap(\.self)
            return (ends.min() ?? next, judged)
        }
        guard let live, models.isWhole(live), live.position > next,
            try await log.head().position > next
        else { return nil }
        return (next, live)
    }

    /// The live generation, unless another program has made it that knows more.
    private func liveGeneration() async throws -> LiveGeneration? {
        let live = try await LiveGeneration.current(pool)
        let isForeign = live?.isForeign ?? false
        progress.note { $0.isForeign = isForeign }
        Gauge(label: "plimsoll.verifier.foreign").record(isForeign ? 1 : 0)
        return isForeign ? nil : live
    }

    private func advance(_ round: inout LogRound, to end: Position) async throws {
        guard end > round.position else { return }
        let begun = round
        do throws(LogError) {
            round = try await log.walk(begun, to: end)
        } catch {
            guard error.isDamage else { throw error }
            round = try await walkAgain(begun, to: end)
        }
        show(round.position)
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
                throw LogDamaged(error: error)
            }
        }
        return round
    }

    private func close(_ round: inout LogRound) throws {
        do throws(LogError) {
            try round.closeAppend()
        } catch {
            throw LogDamaged(error: error)
        }
    }

    /// Compares rows as they are; where they differ, again while nobody folds.
    ///
    /// Answers the digest of what it found right at once.
    private func compare(
        _ check: ReadModelCheck,
        _ live: LiveGeneration
    ) async throws -> SHA256.Digest? {
        let digest: SHA256.Digest
        do {
            digest = try await self.digest(check.statements)
            if digest == check.digest { return digest }
            let alterations = try await pool.withSession { try await check.alterations(on: $0) }
            if alterations.isEmpty { return digest }
        } catch {
            // A rebuild takes the tables of the old generation away.
            guard try await LiveGeneration.current(pool)?.generation == live.generation else {
                return nil
            }
            throw error
        }
        let mended = try await pool.withTransaction { transaction in
            guard let locked = try await LiveGeneration.locked(live.generation, transaction),
                !locked.isForeign, locked.position >= check.end
            else { return Alterations() }
            let found = try await check.alterations(on: transaction.session)
            if !found.isEmpty {
                try await check.mend(found, standingAt: locked.position, in: transaction)
            }
            return found
        }
        tell(mended, live)
        return nil
    }

    /// Looks at what only the end of the log tells: changes that are open, and rows of nothing.
    private func finish(
        _ round: inout LogRound,
        _ models: inout ReadModelRound
    ) async throws {
        guard let live = try await liveGeneration(), models.isWhole(live) else { return }
        // Most of what came meanwhile, so that nobody waits for it.
        try await advance(&round, to: min(live.position, try await log.head().position))
        var (ended, known) = (round, models)
        let mended = try await pool.withTransaction { transaction in
            (ended, known) = (round, models)
            guard var locked = try await LiveGeneration.locked(live.generation, transaction),
                !locked.isForeign, locked.position >= ended.position
            else { return Alterations() }
            // On this very session: another one may lead to a server that was replaced, and has less.
            let end = try await EventLog(transaction).head().position
            if locked.position > end { try await locked.goBack(to: end, in: transaction) }
            try await advance(&ended, to: locked.position)
            try close(&ended)
            let rows = known.take(ended.takeContent().rows, isLast: true)
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
        tell(mended, live)
    }

    /// Names what was mended; of many the first ones.
    private func tell(_ mended: Alterations, _ live: LiveGeneration) {
        guard !mended.isEmpty else { return }
        // An older program made them; nobody has altered anything.
        guard live.shape == Fold.shape else {
            logger.notice(
                "read models of an older program are brought to this one's",
                metadata: ["rows": "\(mended.count)"]
            )
            return
        }
        progress.note { $0.mended += mended.count }
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

    /// Names records that are none of the log's: they accuse no event, so nothing ends.
    private mutating func tell(_ strays: [Int]) {
        defer { strayCheckpoints = strays }
        guard strays != strayCheckpoints, !strays.isEmpty else { return }
        let named = strays.prefix(Self.namedMaximum).map(String.init)
        logger.error(
            "checkpoints are recorded that the log's key has not signed",
            metadata: ["sizes": "\(named.joined(separator: ", "))", "count": "\(strays.count)"]
        )
    }

    private static let namedMaximum = 20
}

/// The log is not what it was.
private struct LogDamaged: Error {
    let error: LogError
}
