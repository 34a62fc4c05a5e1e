import PlimsollDomain
import PlimsollStore

/// Writers that each append one event after the other.
struct AppendLoad: Sendable {
    let writer: Writer
    let crew: Crew
    let seconds: Int

    /// How many events became durable in a second.
    func run(writers: Int) async throws -> Double {
        let app = crew.apps[0]
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<writers {
                group.addTask(name: "writer") {
                    var count = 0
                    while ContinuousClock.now < end {
                        let receipt = try await writer.perform(crew.request(OrderRenewal(app: app)))
                        count += receipt.events.count
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / (start.duration(to: .now) / .seconds(1))
    }

    /// The last entry that was appended, as large as the others.
    func entry(in log: EventLog) async throws -> [UInt8] {
        let end = try await log.head().position
        let event = try known(try await log.event(at: end), "an event")
        return try EventCodec.encode(event)
    }
}
