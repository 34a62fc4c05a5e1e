import Foundation

/// The clock and the chance that a client lives with; tests bring their own.
struct Surroundings: Sendable {
    var now: @Sendable () -> Date = { Date() }
    /// Waits for some seconds, or until the task is cancelled.
    var sleep: @Sendable (TimeInterval) async -> Void = { seconds in
        let nanoseconds = UInt64(min(max(seconds, 0), 1e9) * 1e9)
        // Being cancelled is how a wait ends early.
        try? await Task.sleep(nanoseconds: nanoseconds)
    }
    /// From 0 to 1.
    var chance: @Sendable () -> Double = { Double.random(in: 0...1) }
}

/// What came first: the work, or the end of the time it was given.
enum InTime<Value: Sendable>: Sendable {
    case done(Value)
    case late

    /// Cancels the work when its time is over, and whatever is left when it is done.
    static func run(
        _ limit: TimeInterval,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> InTime {
        try await withThrowingTaskGroup(of: InTime.self) { group in
            group.addTask(name: "work") { .done(try await work()) }
            group.addTask(name: "time limit") {
                try await Task.sleep(nanoseconds: UInt64(min(max(limit, 0), 1e9) * 1e9))
                return .late
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .late
        }
    }
}
