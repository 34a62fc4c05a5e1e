/// Decides whether and when a transaction is done again.
package struct TransactionRetry: Sendable {
    package static let attemptsDefault = 5
    static let pauseMinimum: Duration = .milliseconds(20)
    static let pauseMaximum: Duration = .seconds(1)

    private let attempts: Int
    private var failures = 0

    init(attempts: Int) {
        self.attempts = attempts
    }

    /// Answers how long to wait, or `nil` when that was the end.
    ///
    /// The pause is anything from nothing to a limit that doubles: whoever collided once must
    /// not meet again in step.
    mutating func pause(after error: PostgresError?) -> Duration? {
        failures += 1
        guard error?.sqlState?.isRetryableTransaction == true, failures < attempts else {
            return nil
        }
        let limit = min(Self.pauseMinimum * (1 << min(failures - 1, 10)), Self.pauseMaximum)
        return limit * Double.random(in: 0...1)
    }
}
