/// How long to wait after failures in a row: ever longer, and never two alike.
struct Backoff: Sendable {
    /// After the first failure.
    static let initialDelay: Duration = .seconds(1)
    /// After many: a human may be mending something, and should not have to wait long.
    static let delayMaximum: Duration = .seconds(60)

    private var failures = 0

    /// Counts a failure and says how long to wait: half of the step for sure, the rest by chance,
    /// so that several who failed together do not return together.
    mutating func fail(chance: Double = .random(in: 0...1)) -> Duration {
        let step = min(Self.initialDelay * (1 << min(failures, 16)), Self.delayMaximum)
        failures += 1
        return step / 2 + step / 2 * chance
    }

    mutating func succeed() {
        failures = 0
    }
}
