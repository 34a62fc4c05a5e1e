package import Logging
import Metrics
import PlimsollDomain
import PlimsollStore
import ServiceLifecycle

/// Sends for what is due: changes whose time has come, and changes whose time is over.
///
/// It decides nothing. Any number of instances may run one: all of them send, the log lets the first
/// through, and to the others there is nothing left to do. It sleeps until the next appointment or
/// until the log grows, whichever is sooner. What cannot be done steps aside and is tried again.
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
        while true {
            try Task.checkCancellation()
            let agenda = try useCases.agenda()
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
