package import Logging
package import PlimsollDomain
import PlimsollPostgres
import ServiceLifecycle
import Synchronization

/// Decides commands and appends what they lead to: one task, one group after the other.
///
/// It takes whatever waits when the previous group is done, decides each command on the state as
/// those before it leave it, and appends all in one transaction. Other processes may append too:
/// what they wrote is folded first, and what was decided without it is decided again. It has a
/// session of its own, so that no reader keeps it waiting.
package final class Writer: Service {
    /// How many commands and bytes one transaction takes.
    package static let groupCommandsMaximum = 64
    package static let groupBytesMaximum = 1 << 20
    /// How many commands may wait; more are turned away at once.
    package static let waitingMaximum = 1024
    /// How long one session waits for a standby before another one does.
    private static let confirmationTimeout = Duration.seconds(600)

    private let log: EventLog
    /// What this process knows of the log's end.
    package let memory: LogMemory
    private let logger: Logger
    private let timekeeper: Timekeeper?
    private let known: @Sendable () -> KnownLog
    private let clock: @Sendable () -> Instant
    private let pollInterval: Duration
    private let inbox = Inbox()
    private let stage = Stage()
    private let past = PastStates()

    /// - Parameters:
    ///   - log: What is folded and appended to.
    ///   - memory: Where it notes what it has appended and read, for whoever looks at other sessions.
    ///   - logger: Where it writes what happens.
    ///   - pollInterval: How often the log is looked at when nobody rings.
    ///   - timekeeper: Told what time it is at the database, at each look at the log.
    ///   - known: What need not be folded, asked when the log is.
    ///   - clock: What the time is.
    package init(
        log: EventLog,
        memory: LogMemory? = nil,
        logger: Logger,
        pollInterval: Duration = .seconds(1),
        timekeeper: Timekeeper? = nil,
        known: @escaping @Sendable () -> KnownLog = { .nothing },
        clock: @escaping @Sendable () -> Instant = { Instant.now }
    ) {
        self.log = log
        self.memory = memory ?? LogMemory(logger: logger)
        self.logger = logger
        self.pollInterval = pollInterval
        self.timekeeper = timekeeper
        self.known = known
        self.clock = clock
    }

    /// The state as of the last append that this process knows of; empty until it is open.
    package var logState: LogState { stage.logState ?? LogState() }

    /// The same as it was at an event.
    package func logState(at position: Position) async throws(LogError) -> LogState {
        try await past.state(at: position, of: log)
    }

    /// Whether the log is folded and commands are carried out.
    package var isOpen: Bool { stage.logState != nil && !stage.isClosed }

    /// Returns once the log has been folded; throws when the writer stops or the task is
    /// cancelled before.
    package func whenOpen() async throws(WriteError) {
        for await _ in growth() where isOpen { return }
        throw .stopped
    }

    /// Where the log ends, as this process learns of it; of several steps only the last is kept.
    ///
    /// It begins with where the log ends now, repeats itself at each look at the log that finds
    /// nothing new, and ends when the writer stops.
    package func growth() -> AsyncStream<Position> {
        stage.growth()
    }

    /// Returns when this process knows the log as far as that, or patience is over.
    package func wait(for position: Position, patience: Duration) async {
        await withTaskGroup { group in
            group.addTask(name: "wait for the log") { [self] in
                for await reached in growth() where reached >= position { return }
            }
            group.addTask(name: "patience with the log") {
                // Cancelled as soon as the position is reached, which is no failure.
                try? await Task.sleep(for: patience)
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Why commands are turned away; `nil` where they are carried out.
    package var prohibition: Prohibition? { memory.prohibition }

    /// Whether the database is known to be away, or to confirm nothing; then no command waits for it.
    package var isAway: Bool { stage.isAway }

    /// Whether the database answers and does not confirm what is written.
    package var isUnconfirmed: Bool { stage.isUnconfirmed }

    /// For how long the database has not answered, which is asked once a second.
    package var silence: Duration { .now - stage.heardAt }

    /// Turns all commands away from now on; the log is read as before.
    ///
    /// For a log that is not what was signed: whatever were appended would make it worse.
    package func forbid(because reason: Prohibition) {
        memory.forbid(reason)
    }

    /// Carries out a command; answers when it is durable, refused, or cannot be done.
    package func perform(_ request: CommandRequest) async throws(WriteError) -> Receipt {
        try await perform([request])[0].get()
    }

    /// Carries out commands in this order, in one transaction as far as they fit.
    package func perform(_ requests: [CommandRequest]) async -> [Result<Receipt, WriteError>] {
        if let refusal { return requests.map { _ in .failure(refusal) } }
        let jobs = inbox.submit(requests, waitingMaximum: Self.waitingMaximum)
        var results: [Result<Receipt, WriteError>] = []
        for job in jobs { results.append(await job.result) }
        return results
    }

    /// Why no command is carried out now.
    private var refusal: WriteError? {
        if let prohibition { return .readOnly(prohibition) }
        // Nobody is kept waiting for what is known; the next look at the log says when it is over.
        return stage.isAway ? .storeAway : nil
    }

    /// Decides a command as ``perform(_:)`` would, and writes nothing.
    package func dryRun(_ request: CommandRequest) throws(WriteError) -> Receipt {
        let logState = logState
        let (command, next) = try request.draft(
            in: logState,
            log.authentication,
            recordedAt: clock()
        )
        return Receipt(
            span: LogSpan(first: command.events.first?.recorded.position, last: next.position),
            events: command.events.map(\.recorded),
            outcome: command.outcome,
            recordedAt: command.recordedAt,
            freshness: .dryRun,
            logState: next
        )
    }

    /// The key that entries are written with before one was added; `nil` where there are no secrets.
    package var firstEntryKey: EntryKeyID? { log.authentication?.first }

    /// The key that is to be added next: the first one, or one that is made for it.
    package func nextEntryKey(isKept: Bool) throws(EntryKeyError) -> EntryKeyID {
        let next =
            logState.entryKeys.begin == nil
            ? firstEntryKey : try log.authentication?.make(isKept: isKept)
        guard let next else { throw .nowhere }
        return next
    }

    /// Lets go of a key that was made and never added.
    package func discardEntryKey(_ id: EntryKeyID) {
        log.authentication?.discard(id)
    }

    /// Says that the log may have grown, at least to a position if it is known.
    package func ring(_ position: Position? = nil) {
        inbox.ring(position.map(News.grown) ?? .unknown)
    }

    /// Folds the log, then writes until the service shuts down; what was taken by then is written.
    ///
    /// Before the log is folded a shutdown is the end at once. Throws if the log cannot be trusted.
    package func run() async throws {
        defer { stage.close() }
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup { group in
                group.addTask(name: "writer poll") { [inbox, pollInterval] in
                    while true {
                        try await Task.sleep(for: pollInterval)
                        inbox.ring(.unknown)
                    }
                }
                group.addTask(name: "writer confirmation") { [self] in
                    while true {
                        try await Task.sleep(for: pollInterval)
                        await endDoubt()
                    }
                }
                defer { group.cancelAll() }
                try await log.onOwnSession { log in
                    var processor = CommandProcessor(
                        log: log,
                        memory: memory,
                        past: past,
                        logger: logger,
                        timekeeper: timekeeper,
                        clock: clock,
                        tellAway: { [stage] in stage.note(isAway: $0) },
                        tellUnconfirmed: { [stage] in stage.note(isUnconfirmed: true) },
                        publish: { [stage] in stage.show($0) }
                    )
                    processor.begin(known())
                    try await work(&processor)
                }
            }
        } onGracefulShutdown: { [inbox] in
            inbox.close()
        }
    }

    /// Waits, where a write was not confirmed, until one is.
    ///
    /// A server gives up no commit that waits for its standby, whoever has gone meanwhile: so one
    /// session waits, and nobody asks again and again.
    private func endDoubt() async {
        guard stage.isUnconfirmed else { return }
        do {
            try await confirm()
            stage.note(isUnconfirmed: false)
        } catch {
            logger.warning("writes are not confirmed", metadata: ["error": "\(error)"])
        }
    }

    /// A server that was replaced while it was asked may never answer.
    private func confirm() async throws {
        let timeline = memory.timeline
        try await withThrowingTaskGroup { group in
            group.addTask(name: "writer confirmation") { [log] in
                try await log.onOwnSession(statementTimeout: Self.confirmationTimeout) { log in
                    try await log.confirm(timeout: Self.confirmationTimeout)
                }
            }
            group.addTask(name: "writer other server") { [memory, pollInterval] in
                while memory.timeline == timeline { try await Task.sleep(for: pollInterval) }
                throw PostgresError(.cancelled, "another server leads by now")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func work(_ processor: inout CommandProcessor) async throws {
        do {
            guard try await open(&processor) else { return turnAway() }
            while let (jobs, news) = await inbox.next(limit: Self.groupCommandsMaximum) {
                try await processor.serve(jobs)
                if let news { try await processor.hear(news) }
            }
            turnAway()
        } catch {
            turnAway()
            throw error
        }
    }

    /// Answers `false` if a shutdown came first: it ends the fold, and the wait for a database.
    private func open(_ processor: inout CommandProcessor) async throws -> Bool {
        let opened = try await cancelWhenGracefulShutdown {
            [processor] () async throws -> CommandProcessor? in
            var processor = processor
            return try await processor.open() ? processor : nil
        }
        guard let opened else { return false }
        processor = opened
        return true
    }

    /// Takes no more commands, and answers those that nobody will carry out.
    private func turnAway() {
        for job in inbox.clear() { job.finish(.failure(.stopped)) }
    }
}

/// A command that somebody waits for.
///
/// It is answered once; a second answer is dropped, so that a group that was interrupted between
/// two answers can be gone through again.
final class Job: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Receipt, WriteError>, Never>

    private struct State {
        var result: Result<Receipt, WriteError>?
        var waiter: Waiter?
        var attempts = 0
        var mayBeWritten = false
        var isDecidedOnConfirmed = false
    }

    let request: CommandRequest
    private let state = Mutex(State())

    init(_ request: CommandRequest) { self.request = request }

    var id: CommandID { request.identity.id }

    var isFinished: Bool { state.withLock { $0.result != nil } }

    /// Whether an append that held it ended without an answer.
    var mayBeWritten: Bool { state.withLock { $0.mayBeWritten } }

    func noteOpenOutcome() {
        state.withLock { $0.mayBeWritten = true }
    }

    /// Whether all that it is decided on was read since it came, behind a confirmation.
    var isDecidedOnConfirmed: Bool { state.withLock { $0.isDecidedOnConfirmed } }

    func noteConfirmed() {
        state.withLock { $0.isDecidedOnConfirmed = true }
    }

    /// Counts another try; answers how many there were.
    func noteAttempt() -> Int {
        state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
    }

    /// What it came to, for the one who waits; to be cancelled changes nothing.
    var result: Result<Receipt, WriteError> {
        get async {
            await withCheckedContinuation { waiter in
                let result = state.withLock { state in
                    if state.result == nil { state.waiter = waiter }
                    return state.result
                }
                if let result { waiter.resume(returning: result) }
            }
        }
    }

    func finish(_ result: Result<Receipt, WriteError>) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(returning: result)
    }
}

/// A time without the database: when to try again.
struct Outage {
    private static let firstPause = Duration.milliseconds(20)
    private static let longestPause = Duration.seconds(1)

    private var pause = firstPause

    /// Waits a little, longer each time; `false` if the task is cancelled.
    mutating func rest() async -> Bool {
        let jitter = Double.random(in: 0.5...1)
        defer { pause = min(pause * 2, Self.longestPause) }
        do {
            try await Task.sleep(for: pause * jitter)
            return true
        } catch {
            return false
        }
    }
}

/// Why nothing may be written until an operator decides.
package struct Prohibition: Equatable, Sendable {
    package let cause: Cause
    /// What an operator is told, and what they can do.
    package let sentence: String

    package init(_ cause: Cause, _ sentence: String) {
        self.cause = cause
        self.sentence = sentence
    }

    /// How the log stands to what was signed over it.
    package enum Cause: Hashable, Sendable {
        /// It has less.
        case logBehind
        /// It has something else.
        case logForked
        /// Something in it is missing, cannot be read, or was not written by the service.
        case logDamaged
    }
}
