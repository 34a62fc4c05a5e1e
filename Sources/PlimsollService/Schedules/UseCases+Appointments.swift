import Metrics
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// So many appointments are kept at once: what the writer appends in one transaction.
    package static let appointmentsMaximum = Writer.groupCommandsMaximum

    /// What comes due by itself, as far as this instance knows the log.
    package func agenda() throws(UseCaseError) -> Agenda {
        let world = try world()
        let (due, next) = world.appointments(dueBy: clock())
        return Agenda(position: world.position, due: due, next: next)
    }

    /// So many ends of one app have their past read at once.
    private static let readsMaximum = 4

    /// Does what was to be done at those times, and says what came of each.
    ///
    /// Within an app it is done in this order, because what an end takes back is not to be written
    /// before. Apps do not wait for one another.
    package func keep(_ due: [Appointment]) async -> [KeptAppointment] {
        let world = writer.world
        let byApp = Dictionary(grouping: due) { $0.app(in: world) }
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
        let world = try world()
        switch appointment.subject {
        case .change(let id) where appointment.act == .apply:
            return CommandRequest(ApplyDueChange(change: id, hash: ChangeDigest.init(of:)))
        case .change(let id):
            guard let ending = world.endingChange(id) else { return nil }
            return try await request(for: ending)
        case .freeze(let plan, let scope):
            let reason = world.freezePlans(of: scope)[plan]?.reason
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
    fileprivate func app(in world: World) -> AppSlug? {
        switch subject {
        case .change(let id): world.app(ofChange: id)
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
        objections.allSatisfy { objection in
            switch objection {
            case .nothingChanges, .changeClosed, .frozen: true
            default: false
            }
        }
    }
}
