import Logging
import Metrics
import PlimsollDomain
import PlimsollPostgres

/// What the writer's task works on: the state as it stands in the log, and the group under way.
struct CommandProcessor {
    /// How long commands wait for the database to come back, from when it went; once it has been
    /// away for that long it is known to be, and none wait.
    static let patience = Duration.seconds(10)
    /// How far the clock may step back before the step itself is recorded.
    static let clockTolerance = Duration.seconds(5)

    let log: EventLog
    let memory: LogMemory
    let past: PastStates
    let logger: Logger
    let clock: @Sendable () -> Instant
    private let publish: @Sendable (LogState) -> Void
    let timekeeper: Timekeeper?
    /// Told at each answer of the database, and when it is known to be away.
    let tellAway: @Sendable (Bool) -> Void
    /// Told where it answers and has not confirmed what was written.
    let tellUnconfirmed: @Sendable () -> Void

    private var entryWriter: EntryWriter
    private(set) var logState = LogState()
    /// The time of the last event, which need not be the latest of all times.
    private var lastRecordedAt: Instant?
    /// The last event that was noted, and entries that were folded since.
    private var tip = LogTip.start
    private var fresh: [LogEntry] = []
    /// What others appended, as the last answer told it.
    private var news: NewerEvents?
    /// Whether nobody else appends for a moment.
    private var hasTurn = false
    /// Since when the database does not answer, or writes nothing.
    private var awaySince: ContinuousClock.Instant?
    /// Whether the server refused to write, and has not shown since that it does.
    private var isReadOnly = false

    init(
        log: EventLog,
        memory: LogMemory,
        past: PastStates = PastStates(),
        logger: Logger,
        timekeeper: Timekeeper? = nil,
        clock: @escaping @Sendable () -> Instant,
        tellAway: @escaping @Sendable (Bool) -> Void = { _ in },
        tellUnconfirmed: @escaping @Sendable () -> Void = {},
        publish: @escaping @Sendable (LogState) -> Void
    ) {
        self.log = log
        entryWriter = EntryWriter(log.authentication)
        self.memory = memory
        self.past = past
        self.logger = logger
        self.timekeeper = timekeeper
        self.clock = clock
        self.tellAway = tellAway
        self.tellUnconfirmed = tellUnconfirmed
        self.publish = publish
    }

    /// Takes up what need not be folded.
    mutating func begin(_ known: KnownLog) {
        guard known.tip != .start else { return }
        log.authentication?.begin(with: known.logState.entryKeys)
        (logState, tip, lastRecordedAt) = (known.logState, known.tip, known.recordedAt)
        memory.add([], upTo: tip)
        past.keep(logState)
    }

    /// Folds what stands in the log already, waiting for the database if need be.
    ///
    /// Answers `false` if the task was cancelled before.
    mutating func open() async throws(LogError) -> Bool {
        var outage = Outage()
        let start = logState.position
        while true {
            do throws(LogError) {
                try await foldWhole()
                if memory.loss == nil { try await catchUp() }
                try await timekeeper?.look(at: log, lastRecordedAt: lastRecordedAt)
                noteAnswer()
                show()
                Gauge(label: "plimsoll.log.start.position").record(start.rawValue)
                logger.info(
                    "log folded",
                    metadata: [
                        "event.position": "\(logState.position)", "folded.after": "\(start)",
                    ]
                )
                return true
            } catch .database(let error) {
                guard !Task.isCancelled else { return false }
                logger.warning("database away", metadata: ["error": "\(error)"])
                guard await outage.rest() else { return false }
            }
        }
    }

    /// Folds the log as far as it is whole; behind that nothing is believed, and nothing written.
    private mutating func foldWhole() async throws(LogError) {
        var (damage, end) = (nil as LogError?, nil as Position?)
        while true {
            do throws(LogError) {
                try await foldAll(upTo: end)
                if let damage { memory.lose(damage) }
                return
            } catch {
                guard let place = error.damagedPosition, place <= end ?? place else { throw error }
                (damage, end) = (error, place.advanced(by: -1))
            }
        }
    }

    /// Folds the log as it stands now, which may be long.
    private mutating func foldAll(upTo last: Position? = nil) async throws(LogError) {
        let initial = (logState: logState, last: nil as RecordedEvent?)
        let folded = try await log.replay(after: logState.position, upTo: last, into: initial) {
            [past] in
            try $0.logState.requireNext($1)
            $0.logState.evolve($1)
            $0.last = $1
            past.keep(passing: $0.logState)
        }
        guard let last = folded.last else { return }
        tip = try await log.tip(of: last)
        memory.add([], upTo: tip)
        (logState, lastRecordedAt) = (folded.logState, last.recordedAt)
    }

    /// Shows the state, once it is known what it stands on.
    mutating func show() {
        noteTip()
        past.keep(logState)
        publish(logState)
    }

    private mutating func noteTip() {
        guard let last = fresh.last else { return }
        tip = last.tip
        memory.add(fresh, upTo: tip)
        fresh = []
    }

    /// Folds what others appended, if it is news.
    ///
    /// Whoever follows is shown the state even where it did not grow, and may look by itself.
    mutating func hear(_ news: News) async throws(LogError) {
        if case .grown(let position) = news, position <= logState.position { return }
        // What stands there then is another log, of which the state is told nothing.
        guard memory.loss == nil else { return }
        let start = ContinuousClock.now
        do throws(LogError) {
            try await catchUp()
            try await requireWrites()
            if case .unknown = news {
                try await timekeeper?.look(at: log, lastRecordedAt: lastRecordedAt)
            }
            noteAnswer()
            show()
        } catch .database(let error) {
            _ = noteSilence(since: start)
            // There will be other news; whoever needs the database now is told so.
            logger.warning("database away", metadata: ["error": "\(error)"])
        } catch {
            do throws(LogError) {
                try await lose(error)
                show()
            } catch .database(let error) {
                logger.warning("database away", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Answers every job, sooner or later.
    mutating func serve(_ jobs: [Job]) async throws(LogError) {
        var waiting = jobs
        var outage = Outage()
        while true {
            // Whoever was refused before something failed is not decided again.
            waiting.removeAll(where: \.isFinished)
            guard !waiting.isEmpty else { return }
            if let loss = memory.loss { return refuse(waiting, because: loss) }
            let start = ContinuousClock.now
            do throws(LogError) {
                waiting = try await round(waiting)
                noteAnswer()
                outage = Outage()
            } catch .database(let error) {
                logger.warning("database away", metadata: ["error": "\(error)"])
                if error.kind == .timedOut(.statement) { tellUnconfirmed() }
                if error.sqlState == .readOnlyTransaction { isReadOnly = true }
                guard !noteSilence(since: start), await outage.rest() else {
                    for job in waiting { job.finish(.failure(.storeAway)) }
                    return
                }
            } catch {
                do throws(LogError) {
                    try await lose(error)
                } catch .database(let error) {
                    logger.warning("database away", metadata: ["error": "\(error)"])
                } catch {
                    for job in waiting { job.finish(.failure(.stopped)) }
                    throw error
                }
            }
        }
    }

    /// Reads only from now on, where a server of now lacks what is known, too.
    ///
    /// A session from before a failover may lead to the server that was replaced, so it is asked on
    /// another one.
    private func lose(_ error: LogError) async throws(LogError) {
        if case .lost = error, let session = log.database as? DedicatedSession {
            await session.close()
            let finding = try await reading { () async throws(PostgresError) in
                try await LogFinding(tip, on: session)
            }
            finding.prohibition.map(memory.lose)
            return
        }
        memory.lose(error)
        if memory.loss == nil { throw error }
    }

    private mutating func noteAnswer() {
        awaySince = nil
        tellAway(false)
    }

    /// Throws as long as a server that refused to write still does: what it answers to questions says
    /// nothing of that, and to give back a turn is to write.
    private mutating func requireWrites() async throws(LogError) {
        guard isReadOnly else { return }
        hasTurn = false
        try await reading { () async throws(PostgresError) in try await log.passTurn() }
        isReadOnly = false
    }

    /// Answers whether the database is known to be away, which was asked something then.
    private mutating func noteSilence(since start: ContinuousClock.Instant) -> Bool {
        let since = awaySince ?? start
        awaySince = since
        guard ContinuousClock.now - since >= Self.patience else { return false }
        tellAway(true)
        return true
    }

    /// Decides, appends and answers; gives back those that have to be decided again.
    ///
    /// What the server refuses beside an append is answered as an append that it refuses.
    private mutating func round(_ waiting: [Job]) async throws(LogError) -> [Job] {
        do throws(LogError) {
            return try await appended(waiting)
        } catch .database(let error) where error.isRefusal {
            guard waiting.count == 1 else { return try await serveOneByOne(waiting, after: error) }
            return try settle(waiting, after: error)
        }
    }

    private mutating func appended(_ waiting: [Job]) async throws(LogError) -> [Job] {
        // Before the time is taken that is recorded: others may append while it is connected.
        try await reading { () async throws(PostgresError) in
            try await (log.database as? DedicatedSession)?.connect()
        }
        let draft = draft(waiting)
        let commands = draft.commands
        let reply: AppendReply
        do throws(LogError) {
            reply = try await append(commands)
        } catch .database(let error) {
            guard error.isPassing || waiting.count == 1 else {
                return try await serveOneByOne(waiting, after: error)
            }
            return try settle(waiting, after: error)
        }
        Counter(label: "plimsoll.log.commands").increment(by: commands.count)
        news = reply.news
        return try await answer(draft, reply.answers) + waiting.dropFirst(draft.verdicts.count)
    }

    /// One statement; who is overtaken is told what is new, and nobody else appends for a moment.
    private mutating func append(_ commands: [LogCommand]) async throws(LogError) -> AppendReply {
        noteTip()
        let (hadTurn, known) = (hasTurn, tip)
        hasTurn = false
        do throws(LogError) {
            return try await reading { () async throws(PostgresError) in
                if commands.isEmpty, hadTurn { try await log.passTurn() }
                let place = hadTurn ? AppendPlace.next : .inLine
                let reply = try await log.append(commands, knowing: known, place)
                hasTurn = reply.answers.contains(where: \.isOvertaken)
                return reply
            }
        } catch .database(let error) where error.saysLogIsLost {
            throw .lost(
                try await reading { () async throws(PostgresError) in
                    try await LogFinding(known, on: log.database)
                }
            )
        }
    }

    /// The database refuses one of them, or all: those that it takes do not go down with the others.
    private mutating func serveOneByOne(
        _ waiting: [Job],
        after error: PostgresError
    ) async throws(LogError) -> [Job] {
        logger.warning(
            "a group was refused; its commands go one by one",
            metadata: ["error": "\(error)"]
        )
        var again: [Job] = []
        for job in waiting where !job.isFinished { again += try await round([job]) }
        return again
    }

    private mutating func draft(_ waiting: [Job]) -> Draft {
        let (now, most) = (now(), Writer.groupBytesMaximum)
        var draft = Draft(on: logState, recordedAt: now, sizeMaximum: most)
        draft.decide(waiting, writtenBy: &entryWriter)
        return draft
    }
}

extension CommandProcessor {
    /// Folds what others appended, up to a position or to the end.
    mutating func catchUp(to end: Position? = nil) async throws(LogError) {
        let before = logState.position
        let isTold = end == nil ? try foldNews() : false
        while !isTold {
            let limit = min(
                EventLog.pageMaximum,
                end.map { Int($0.rawValue - logState.position.rawValue) } ?? .max
            )
            guard limit > 0 else { break }
            noteTip()
            let entries = try await log.entries(behind: tip, limit: limit)
            var reader = LogReader(after: logState.position, log.authentication)
            for entry in entries {
                let event = try reader.read(entry.bytes.span, at: entry.position)
                try logState.requireNext(event)
                fold(event, from: entry.bytes)
            }
            if entries.count < limit { break }
            noteAnswer()
        }
        if let end, logState.position < end {
            throw .shortened(expected: end, found: logState.position)
        }
        if logState.position > before { show() }
    }

    /// Folds what came with the last answer; says whether that was all there is.
    private mutating func foldNews() throws(LogError) -> Bool {
        guard let news = news.take() else { return false }
        var reader = LogReader(after: logState.position, log.authentication)
        for (position, entry) in news.entries where position > logState.position {
            let event = try reader.read(entry.span, at: position)
            try logState.requireNext(event)
            fold(event, from: entry)
        }
        return logState.position >= news.end
    }

    mutating func fold(_ event: RecordedEvent, from entry: [UInt8]) {
        logState.evolve(event)
        lastRecordedAt = event.recordedAt
        fresh.append(LogEntry(position: event.position, bytes: entry))
    }

    /// Takes over a state that the draft has folded already.
    mutating func adopt(_ next: LogState, after command: LogCommand) {
        logState = next
        lastRecordedAt = command.recordedAt
        for event in command.events { log.authentication?.note(event.recorded) }
        fresh += command.events.map {
            LogEntry(position: $0.recorded.position, bytes: $0.entry)
        }
    }

    /// Never before the last event, unless the clock was far ahead then: that is recorded as it
    /// is, and told.
    private func now() -> Instant {
        let now = clock()
        guard let last = lastRecordedAt, now < last else { return now }
        if now.advanced(by: Self.clockTolerance) >= last { return last }
        Counter(label: "plimsoll.log.clock.stepped_back").increment()
        logger.error(
            "clock stepped back",
            metadata: ["clock.now": "\(now)", "event.recorded_at": "\(last)"]
        )
        return now
    }
}
