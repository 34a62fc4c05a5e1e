import Metrics
package import PlimsollDomain
import PlimsollProjection
import PlimsollStore

extension UseCases {
    /// So many appointments are kept at once: what the writer appends in one transaction.
    package static let appointmentsMaximum = Writer.groupCommandsMaximum

    /// What comes due by itself, as far as this instance knows the log.
    package func agenda() throws(UseCaseError) -> Agenda {
        let world = try world()
        return Agenda(position: world.position, appointments: world.appointments)
    }

    /// Does what was to be done at those times, in their order.
    ///
    /// Where somebody else was faster, or a freeze came in between, there is nothing to do.
    package func keep(_ due: ArraySlice<Appointment>) async throws(UseCaseError) {
        var requests: [CommandRequest] = []
        var kept: [Appointment] = []
        for appointment in due {
            guard let command = try await command(for: appointment) else { continue }
            requests.append(CommandRequest(command))
            kept.append(appointment)
        }
        let results = await writer.perform(requests)
        for (appointment, result) in zip(kept, results) {
            do {
                appointment.note(try result.get())
            } catch .refused(let refusal) where refusal.saysItIsDone {
                continue
            } catch {
                throw UseCaseError(error)
            }
        }
    }

    private func command(
        for appointment: Appointment
    ) async throws(UseCaseError) -> (any Command)? {
        switch appointment.act {
        case .apply:
            return ApplyDueChange(change: appointment.change, hash: ChangeDigest.init(of:))
        case .end:
            guard let ending = try world().endingChange(appointment.change) else { return nil }
            let history = readModels.history
            let past = try await read {
                try await history.state(of: ending.app, after: ending.before)
            }
            guard let past else { throw UseCaseError(.targetBeforeApp(ending.app)) }
            return EndChange(change: ending.id, past: past)
        }
    }
}

/// What lies ahead, soonest first, after the event at a position.
package struct Agenda: Equatable, Sendable {
    package let position: Position
    package let appointments: [Appointment]
}

extension Appointment {
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
