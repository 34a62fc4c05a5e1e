import Foundation

/// What came first: the work, or the end of the time it was given.
enum InTime<Value: Sendable>: Sendable {
    case done(Value)
    case late

    /// Cancels the work when its time is over, or nobody waits any more, and leaves it behind.
    ///
    /// The work may be an app's own, and take no notice of being cancelled; so it is no child of a
    /// group, which would wait for it.
    static func run(
        _ limit: TimeInterval,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> InTime {
        let (outcomes, outcome) = AsyncThrowingStream<InTime, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(1)
        )
        let working = Task(name: "work") {
            do {
                outcome.yield(.done(try await work()))
            } catch {
                outcome.finish(throwing: error)
            }
        }
        let waiting = Task(name: "time limit") {
            try await Task.sleep(nanoseconds: UInt64(min(max(limit, 0), 1e9) * 1e9))
            outcome.yield(.late)
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        for try await first in outcomes { return first }
        // The stream ends without an outcome only for whoever is cancelled.
        throw CancellationError()
    }
}
