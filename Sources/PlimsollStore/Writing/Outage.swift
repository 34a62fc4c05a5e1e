/// A time without the database: how long it lasts, and when to try again.
struct Outage {
    private static let firstPause = Duration.milliseconds(20)
    private static let longestPause = Duration.seconds(1)

    private var start: ContinuousClock.Instant?
    private var pause = firstPause

    /// Whether there is patience left.
    mutating func goesOn(for patience: Duration) -> Bool {
        let now = ContinuousClock.now
        let start = self.start ?? now
        self.start = start
        return now - start < patience
    }

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
