import PlimsollDomain

/// When what failed is tried again, and when no more.
package struct RetrySchedule: Equatable, Sendable {
    package var initialDelay = Duration.seconds(5)
    /// A receiver that comes back is not left waiting for longer than this.
    package var delayMaximum = Duration.seconds(3600)
    /// A receiver that fails for so long is given up, and people are told.
    package var patience = Duration.seconds(3 * 86_400)
    /// None is given up before so many attempts: time in which nobody tried says nothing of it.
    package var attemptsMinimum = 24

    package init() {}

    /// Half of the step for sure, the rest by chance, so that receivers that failed together are
    /// not all tried together.
    func delay(afterFailures failures: Int, asked: Duration?, chance: Double) -> Duration {
        let step = min(initialDelay * (1 << min(max(failures - 1, 0), 20)), delayMaximum)
        let delay = step / 2 + step / 2 * chance
        return asked.map { max(delay, min($0, delayMaximum)) } ?? delay
    }

    /// Whether a receiver has failed for too long.
    func isOver(since start: Instant, failures: Int, at now: Instant) -> Bool {
        failures >= attemptsMinimum && now >= start.advanced(by: patience)
    }
}
