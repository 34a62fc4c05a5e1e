import Logging
import Metrics
import PlimsollDomain
import PlimsollPostgres

/// What the writer's task works on: the world as it stands in the log, and the group under way.
struct WriterDesk {
    /// How often a command is decided again because others changed what it relies on.
    static let attemptsMaximum = 16
    /// How long commands wait for the database to come back.
    static let patience = Duration.seconds(10)
    /// How far the clock may step back before the step itself is recorded.
    static let clockTolerance = Duration.seconds(5)

    let log: EventLog
    let logger: Logger
    let clock: @Sendable () -> Instant
    let publish: @Sendable (World) -> Void

    private(set) var world = World()
    /// The time of the last event, which need not be the latest of all times.
    private var lastRecordedAt: Instant?

    init(
        log: EventLog,
        logger: Logger,
        clock: @escaping @Sendable () -> Instant,
        publish: @escaping @Sendable (World) -> Void
    ) {
        self.log = log
        self.logger = logger
        self.clock = clock
        self.publish = publish
    }

    /// Folds what stands in the log already.
    mutating func open() async throws(LogError) {
        try await catchUp()
        publish(world)
        logger.info("log folded", metadata: ["event.position": "\(world.position)"])
    }

    /// Answers every job, sooner or later.
    mutating func serve(_ jobs: [Job]) async throws(LogError) {
        guard !jobs.isEmpty else { return try await catchUpIfPossible() }
        var waiting = jobs
        var outage = Outage()
        while !waiting.isEmpty {
            do throws(LogError) {
                waiting = try await round(waiting)
                outage = Outage()
            } catch .database(let error) {
                logger.warning("database away", metadata: ["error": "\(error)"])
                waiting.removeAll(where: \.isFinished)
                guard outage.goesOn(for: Self.patience), await outage.rest() else {
                    for job in waiting { job.finish(.failure(.storeAway)) }
                    return
                }
            } catch {
                for job in waiting { job.finish(.failure(.stopped)) }
                throw error
            }
        }
    }

    /// Decides, appends and answers; gives back those that have to be decided again.
    private mutating func round(_ waiting: [Job]) async throws(LogError) -> [Job] {
        var draft = Draft(
            on: world,
            recordedAt: now(),
            sizeMaximum: Writer.groupBytesMaximum
        )
        let decided = draft.decide(waiting)
        let commands = draft.commands
        let answers: [AppendAnswer]
        do throws(PostgresError) {
            answers = try await log.append(commands)
        } catch {
            return try settle(waiting, after: error)
        }
        Counter(label: "plimsoll.log.commands").increment(by: commands.count)
        return try await answer(draft, answers) + waiting.dropFirst(decided)
    }
}

// MARK: - Answers

extension WriterDesk {
    /// Goes through the group in order; whoever stands behind the first that was not appended
    /// was decided on a world that did not come about.
    private mutating func answer(
        _ draft: Draft,
        _ answers: [AppendAnswer]
    ) async throws(LogError) -> [Job] {
        var rest = answers[...]
        var refused: [(Job, WriteError)] = []
        for (index, (job, verdict)) in draft.verdicts.enumerated() {
            switch verdict {
            case .refused(let error): refused.append((job, error))
            case .accepted(let command):
                guard let answer = rest.popFirst() else { break }
                if case .appended(let span) = answer {
                    try await take(command, span, job)
                    continue
                }
                let later = draft.verdicts[(index + 1)...].map(\.job)
                let unsettled = try await settle(refused)
                return unsettled + (try await settle(job, answer)) + later
            }
        }
        return try await settle(refused)
    }

    /// Folds the events of an appended command, and what others appended before them.
    private mutating func take(
        _ command: LogCommand,
        _ span: LogSpan,
        _ job: Job
    ) async throws(LogError) {
        if let first = span.first, first > world.position.advanced(by: 1) {
            try await catchUp(to: first.advanced(by: -1))
        }
        var events: [RecordedEvent] = []
        for event in command.events {
            let recorded = event.recorded.standing(at: world.position.advanced(by: 1))
            fold(recorded)
            events.append(recorded)
        }
        publish(world)
        job.finish(
            .success(
                Receipt(
                    span: span,
                    events: events,
                    outcome: command.outcome,
                    recordedAt: command.recordedAt,
                    freshness: .written,
                    world: world
                )
            )
        )
    }

    /// Answers a command that was not appended, or gives it back to be decided again.
    private mutating func settle(
        _ job: Job,
        _ answer: AppendAnswer
    ) async throws(LogError) -> [Job] {
        switch answer {
        case .appended, .undecided: return [job]
        case .duplicate(let known):
            try await repeatAnswer(known, job)
            return []
        case .mismatch:
            job.finish(.failure(.mismatch))
            return []
        case .conflict:
            Counter(label: "plimsoll.log.conflicts").increment()
            try await catchUp()
            return again(job)
        case .clockBehind:
            try await catchUp()
            return again(job)
        }
    }

    private func again(_ job: Job) -> [Job] {
        guard job.noteAttempt() < Self.attemptsMaximum else {
            job.finish(.failure(.contended))
            return []
        }
        return [job]
    }

    /// Answers refused commands, unless they were written before under the same id, or others
    /// have appended what might change the refusal: then they are given back.
    private mutating func settle(
        _ refused: [(Job, WriteError)]
    ) async throws(LogError) -> [Job] {
        guard !refused.isEmpty else { return [] }
        let known = try await log.commands(refused.map(\.0.id))
        let before = world.position
        try await catchUp()
        var again: [Job] = []
        for (job, error) in refused {
            if let known = known[job.id] {
                try await settle(job, known)
            } else if world.position > before {
                again += self.again(job)
            } else {
                job.finish(.failure(error))
            }
        }
        return again
    }

    private mutating func settle(
        _ job: Job,
        _ known: (requestDigest: [UInt8], command: KnownCommand)
    ) async throws(LogError) {
        if known.requestDigest == job.request.identity.requestDigest {
            try await repeatAnswer(known.command, job)
        } else {
            job.finish(.failure(.mismatch))
        }
    }

    private mutating func repeatAnswer(
        _ known: KnownCommand,
        _ job: Job
    ) async throws(LogError) {
        if known.span.last > world.position { try await catchUp() }
        job.finish(
            .success(
                Receipt(
                    span: known.span,
                    events: try await log.events(in: known.span),
                    outcome: known.outcome,
                    recordedAt: known.recordedAt,
                    freshness: job.mayBeWritten ? .written : .repeated,
                    world: world
                )
            )
        )
    }

    /// Settles an append that failed.
    ///
    /// If the server refused it, nothing was written; otherwise it is done again under the same
    /// ids, which shows what became of it.
    private func settle(
        _ waiting: [Job],
        after error: PostgresError
    ) throws(LogError) -> [Job] {
        if error.isPassing {
            for job in waiting { job.noteOpenOutcome() }
            throw .database(error)
        }
        logger.error("append refused", metadata: ["error": "\(error)"])
        for job in waiting { job.finish(.failure(.storeAway)) }
        return []
    }
}

extension PostgresError {
    /// Whether the database may take the same statement a moment later.
    fileprivate var isPassing: Bool {
        switch kind {
        case .connectFailed, .connectionLost, .commitUnknown, .cancelled, .timedOut, .closed,
            .aborted:
            true
        case .server: sqlState?.isConnectionLoss ?? false
        case .decoding, .misuse: false
        }
    }
}

extension RecordedEvent {
    /// The same event where it came to stand.
    fileprivate func standing(at position: Position) -> RecordedEvent {
        RecordedEvent(
            position: position,
            id: id,
            stream: stream,
            revision: revision,
            recordedAt: recordedAt,
            command: command,
            origin: origin,
            event: event
        )
    }
}

// MARK: - The world

extension WriterDesk {
    /// Folds what others appended, up to a position or to the end.
    private mutating func catchUp(to end: Position? = nil) async throws(LogError) {
        let before = world.position
        while true {
            let limit = min(
                EventLog.pageMaximum,
                end.map { Int($0.rawValue - world.position.rawValue) } ?? .max
            )
            guard limit > 0 else { break }
            let events = try await log.events(after: world.position, limit: limit)
            for event in events { fold(event) }
            if events.count < limit { break }
        }
        if let end, world.position < end {
            throw .shortened(expected: end, found: world.position)
        }
        if world.position > before { publish(world) }
    }

    /// The database may be away while there is nothing to do.
    private mutating func catchUpIfPossible() async throws(LogError) {
        do throws(LogError) {
            try await catchUp()
        } catch .database(let error) {
            logger.warning("database away", metadata: ["error": "\(error)"])
        }
    }

    private mutating func fold(_ event: RecordedEvent) {
        world.evolve(event)
        lastRecordedAt = event.recordedAt
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
