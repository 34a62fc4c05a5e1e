package import Logging
import PlimsollDomain
import PlimsollStore
import ServiceLifecycle

/// Sends for what is due: changes whose time has come, and changes whose time is over.
///
/// It decides nothing. Any number of instances may run one: all of them send, the log lets the first
/// through, and to the others there is nothing left to do. It sleeps until the next appointment or
/// until the log grows, whichever is sooner.
package struct Scheduler: Service {
    private let useCases: UseCases
    private let logger: Logger

    /// How often the clock is looked at while something lies ahead, since it may be set forward.
    package static let lookInterval = Duration.milliseconds(500)
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
        while true {
            try Task.checkCancellation()
            let agenda = try useCases.agenda()
            let now = useCases.clock()
            let due = agenda.appointments.prefix { $0.at <= now }
            try await useCases.keep(due.prefix(UseCases.appointmentsMaximum))
            await wait(
                beyond: agenda.position,
                orUntil: agenda.appointments.dropFirst(due.count).first?.at
            )
        }
    }

    /// Returns when the log has grown or the instant has come; also when the writer stops or the
    /// task is cancelled.
    private func wait(beyond position: Position, orUntil instant: Instant?) async {
        await withTaskGroup { group in
            group.addTask(name: "scheduler growth") {
                for await end in useCases.writer.growth() where end > position { return }
            }
            if let instant {
                group.addTask(name: "scheduler alarm") { await sleep(until: instant) }
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
