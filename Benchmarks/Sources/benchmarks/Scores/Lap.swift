/// What something took, in seconds.
struct Lap {
    let duration: Double
    /// Of this process and those that ended meanwhile.
    let processorTime: Double

    static func measure(_ body: () async throws -> Void) async throws -> Lap {
        let before = try ProcessorTime()
        let start = ContinuousClock.now
        try await body()
        let duration = start.duration(to: .now) / .seconds(1)
        let after = try ProcessorTime()
        return Lap(
            duration: duration,
            processorTime: after.own - before.own + after.ended - before.ended
        )
    }
}
