package import Logging
import Metrics
import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore
import ServiceLifecycle

/// Sends for what is due: changes whose time has come, and changes whose time is over.
///
/// It decides nothing. Any number of instances may run one: all of them send, the log lets the first
/// through, and to the others there is nothing left to do. It sleeps until the next appointment or
/// until the log grows, whichever is sooner. What cannot be done steps aside and is tried again; while
/// the clock is in doubt everything waits.
package struct Scheduler: Service {
    private let useCases: UseCases
    private let logger: Logger

    /// How often the clock is looked at while something lies ahead, since it may be set.
    package static let lookInterval = Duration.milliseconds(500)
    /// How long it rests after a look, however fast the log grows.
    private static let rest = Duration.milliseconds(20)
    private static let retryDelay = Duration.seconds(1)

    package init(_ useCases: UseCases, logger: Logger) {
        self.useCases = useCases
        self.logger = logger
    }

    /// Runs until shut down; a database that is away is waited for.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await follow()
                } catch is CancellationError {
                    return
                } catch {
                    // Who waits for the writer in vain has an error of its own.
                    if Task.isCancelled { return }
                    logger.warning("the scheduler is held up", metadata: ["error": "\(error)"])
                }
                // A cancelled sleep ends the loop, which is all there is to do about it.
                try? await Task.sleep(for: Self.retryDelay)
            }
        }
    }

    private func follow() async throws {
        try await useCases.writer.whenOpen()
        var postponements = Postponements()
        var isWaiting = false
        while true {
            try Task.checkCancellation()
            let agenda = try useCases.agenda()
            guard agenda.due.isEmpty || useCases.trustsClock() else {
                if !isWaiting { logger.error("schedules wait while the clock is in doubt") }
                isWaiting = true
                try await Task.sleep(for: Self.lookInterval)
                continue
            }
            isWaiting = false
            let ready = postponements.admit(agenda.due, at: .now)
            let batch = Array(ready.prefix(UseCases.appointmentsMaximum))
            note(await useCases.keep(batch), in: &postponements)
            guard batch.count == ready.count else { continue }
            try await Task.sleep(for: Self.rest)
            await wait(for: agenda, or: postponements.next)
        }
    }

    /// Whatever is still on the agenda when it comes to be looked at again is tried again; only what
    /// nobody expects is told.
    private func note(_ results: [KeptAppointment], in postponements: inout Postponements) {
        for result in results {
            switch result.outcome {
            case .kept: postponements.noteKept(result.appointment)
            case .nothingToDo: postponements.note(result.appointment, failedAt: .now)
            case .failed(let error):
                postponements.note(result.appointment, failedAt: .now)
                Counter(label: "plimsoll.schedules.failed").increment()
                logger.warning(
                    "an appointment could not be kept",
                    metadata: [
                        "appointment.of": "\(result.appointment.subject)",
                        "appointment.act": "\(result.appointment.act)", "error": "\(error)",
                    ]
                )
            }
        }
    }

    /// Returns when the log has grown, or something comes due or is to be tried again; also when the
    /// writer stops or the task is cancelled.
    private func wait(for agenda: Agenda, or retry: ContinuousClock.Instant?) async {
        await withTaskGroup { group in
            group.addTask(name: "scheduler growth") {
                for await end in useCases.writer.growth() where end > agenda.position { return }
            }
            if let next = agenda.next {
                group.addTask(name: "scheduler alarm") { await sleep(until: next) }
            }
            if let retry {
                // A cancelled sleep is the end of the wait as well.
                group.addTask(name: "scheduler retry") { _ = try? await Task.sleep(until: retry) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func sleep(until instant: Instant) async {
        while true {
            let ahead = instant.millisecondsSince1970 - useCases.clock().millisecondsSince1970
            guard ahead > 0 else { return }
            do {
                try await Task.sleep(for: min(.milliseconds(ahead), Self.lookInterval))
            } catch {
                return
            }
        }
    }
}

/// Appointments that could not be kept, and when each is tried again.
///
/// They step aside, so that one of them never holds up the others.
struct Postponements {
    private struct Entry {
        var attempts = 0
        var next: ContinuousClock.Instant
    }

    private var entries: [Appointment: Entry] = [:]

    /// How long one steps aside after its first attempt; after each further one twice as long.
    static let delay = Duration.seconds(1)
    static let delayMaximum = Duration.seconds(8)

    /// When the first of them is tried again.
    var next: ContinuousClock.Instant? { entries.values.map(\.next).min() }

    /// Those that are due and do not step aside; of all others nothing needs to be known any more.
    mutating func admit(
        _ due: [Appointment],
        at now: ContinuousClock.Instant
    ) -> [Appointment] {
        let known = Set(due)
        entries = entries.filter { known.contains($0.key) }
        return due.filter { entries[$0].map { $0.next <= now } ?? true }
    }

    mutating func note(_ appointment: Appointment, failedAt now: ContinuousClock.Instant) {
        let attempts = (entries[appointment]?.attempts ?? 0) + 1
        let delay = Self.delay * (1 << min(attempts - 1, 10))
        entries[appointment] = Entry(
            attempts: attempts,
            next: now + min(delay, Self.delayMaximum)
        )
    }

    mutating func noteKept(_ appointment: Appointment) {
        entries[appointment] = nil
    }
}

extension UseCases {
    /// So many appointments are kept at once: what the writer appends in one transaction.
    package static let appointmentsMaximum = Writer.groupCommandsMaximum

    /// What comes due by itself, as far as this instance knows the log.
    package func agenda() throws(UseCaseError) -> Agenda {
        let logState = try logState()
        let (due, next) = logState.appointments(dueBy: clock())
        return Agenda(position: logState.position, due: due, next: next)
    }

    /// So many ends of one app have their past read at once.
    private static let readsMaximum = 4

    /// Does what was to be done at those times, and says what came of each.
    ///
    /// Within an app it is done in this order: what an end takes back is not to be written before, but
    /// for what was made on it. Apps do not wait for one another.
    package func keep(_ due: [Appointment]) async -> [KeptAppointment] {
        let logState = writer.logState
        let byApp = Dictionary(grouping: due) { $0.app(in: logState) }
        return await withTaskGroup(of: [KeptAppointment].self) { group in
            for due in byApp.values {
                group.addTask(name: "appointments of an app") { await keepInOrder(due) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// What comes before any end needs nothing to be read, and goes first.
    private func keepInOrder(_ due: [Appointment]) async -> [KeptAppointment] {
        let first = due.prefix { $0.act != .end }
        let kept = await send(Array(first))
        return kept + (await send(Array(due.dropFirst(first.count))))
    }

    private func send(_ due: [Appointment]) async -> [KeptAppointment] {
        var requests: [CommandRequest] = []
        var sent: [Appointment] = []
        var kept: [KeptAppointment] = []
        for (appointment, request) in zip(due, await self.requests(for: due)) {
            switch request {
            case .success(let request?):
                requests.append(request)
                sent.append(appointment)
            case .success(nil): break
            case .failure(let error): kept.append(KeptAppointment(appointment, .failed(error)))
            }
        }
        for (appointment, result) in zip(sent, await writer.perform(requests)) {
            kept.append(KeptAppointment(appointment, result))
        }
        return kept
    }

    private func requests(
        for due: [Appointment]
    ) async -> [Result<CommandRequest?, UseCaseError>] {
        await withTaskGroup(of: (Int, Result<CommandRequest?, UseCaseError>).self) { group in
            var requests: [(Int, Result<CommandRequest?, UseCaseError>)] = []
            for (index, appointment) in due.enumerated() {
                if index >= Self.readsMaximum, let next = await group.next() {
                    requests.append(next)
                }
                group.addTask(name: "appointment") {
                    do throws(UseCaseError) {
                        return (index, .success(try await request(for: appointment)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            for await request in group { requests.append(request) }
            return requests.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func request(
        for appointment: Appointment
    ) async throws(UseCaseError) -> CommandRequest? {
        let logState = try logState()
        switch appointment.subject {
        case .change(let id) where appointment.act == .apply:
            return CommandRequest(ApplyDueChange(change: id, hash: ChangeDigest.init(of:)))
        case .change(let id):
            guard let ending = logState.endingChange(id) else { return nil }
            return try await request(for: ending)
        case .freeze(let plan, let scope):
            let reason = logState.freezes(of: scope).plan(plan)?.reason
            return CommandRequest(TurnFreezePlan(plan, of: scope, reason: reason))
        }
    }

    /// The end belongs to the append that applied the change, and says so.
    private func request(for ending: EndingChange) async throws(UseCaseError) -> CommandRequest {
        let (past, applied) = try await read {
            (
                try await readModels.history.state(of: ending.app, after: ending.before),
                try await readModels.log.event(at: ending.appliedAt)
            )
        }
        guard let past else { throw UseCaseError(.targetBeforeApp(ending.app)) }
        guard let applied else {
            throw .unexpected("there is no event \(ending.appliedAt), which applied \(ending.id)")
        }
        return CommandRequest(
            EndChange(change: ending.id, past: past),
            correlation: applied.origin.correlation,
            causation: applied.id
        )
    }
}

/// What comes due by itself after the event at a position.
package struct Agenda: Equatable, Sendable {
    package let position: Position
    /// Soonest first.
    package let due: [Appointment]
    /// When the next one is.
    package let next: Instant?
}

/// What came of an appointment.
package struct KeptAppointment: Sendable {
    package let appointment: Appointment
    package let outcome: Outcome

    /// How it went.
    package enum Outcome: Sendable {
        case kept
        /// Somebody else was faster, or it is not due any more.
        case nothingToDo
        case failed(UseCaseError)
    }

    init(_ appointment: Appointment, _ outcome: Outcome) {
        self.appointment = appointment
        self.outcome = outcome
    }

    init(_ appointment: Appointment, _ result: Result<Receipt, WriteError>) {
        switch result {
        case .success(let receipt):
            appointment.note(receipt)
            self.init(appointment, .kept)
        case .failure(.refused(let refusal)) where refusal.saysItIsDone:
            self.init(appointment, .nothingToDo)
        case .failure(let error): self.init(appointment, .failed(UseCaseError(error)))
        }
    }
}

extension Appointment {
    /// The app that it is about; `nil` is every app.
    fileprivate func app(in logState: LogState) -> AppSlug? {
        switch subject {
        case .change(let id): logState.app(ofChange: id)
        case .freeze(_, .app(let slug)): slug
        case .freeze(_, .all): nil
        }
    }

    /// Counts it, and how long after its time it was recorded.
    fileprivate func note(_ receipt: Receipt) {
        Counter(label: "plimsoll.schedules.kept", dimensions: [("act", "\(act)")]).increment()
        let delay = receipt.recordedAt.millisecondsSince1970 - at.millisecondsSince1970
        Timer(label: "plimsoll.schedule.delay").recordMilliseconds(delay)
    }
}

extension Refusal {
    /// Whether it only says that nothing is due any more, or not now.
    fileprivate var saysItIsDone: Bool {
        objections.allSatisfy {
            $0 == .nothingChanges || $0.subject == .decided || $0.subject == .freeze
        }
    }
}
