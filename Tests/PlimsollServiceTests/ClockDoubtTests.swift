import PlimsollDomain
import PlimsollService
import PlimsollStore
import PlimsollTestSupport
import Synchronization
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct ClockDoubtTests {
    private static let tenYears = Duration.seconds(315_576_000)

    // The database's clock is the true one, and goes on.
    @Test(
        arguments: [Duration.seconds(60), .seconds(3600), tenYears].flatMap { [$0, .zero - $0] }
    )
    func `a machine whose clock is set brings nothing forward, and loses nothing`(
        step: Duration
    ) async throws {
        let machine = SetClock()
        let clock = StandingClock(timekeeper: Timekeeper { machine.reading })
        try await House.with(clock: clock) { house in
            try await house.register()
            try await house.apply("3.0.0")
            let due = clock.now.advanced(by: .seconds(10))
            let schedule = Schedule(at: due, until: nil, timeZone: .utc)
            let change = try await house.approved("3.2.0", schedule)
            try await house.withScheduler {
                machine.set(step)
                await house.waits(until: \.appointments.isEmpty)
            }
            #expect(house.minimum == "3.2.0")
            let history = try await house.log.history(of: .change(change))
            let applied = try #require(history.last { $0.event.type == .changeApplied })
            #expect(applied.recordedAt >= due)
            #expect(applied.recordedAt < due.advanced(by: .seconds(60)))
            let times = try await house.log.events(after: .start).map(\.recordedAt)
            #expect(times == times.sorted())
        }
    }

    @Test func `appointments wait out a clock in doubt, and are kept when it is right`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            let change = try await house.approved("3.2.0", Schedule(in: 60, of: house))
            try await house.withScheduler {
                house.clock.isTrusted = false
                house.clock.advance(by: .seconds(61))
                // Two looks at the log take a second: the scheduler would have sent long before.
                var looks = 0
                for await _ in house.writer.growth() {
                    looks += 1
                    if looks > 2 { break }
                }
                try await house.perform(failure(of: harbour))
                #expect(house.minimum == "3.0.0")
                #expect(house.writer.logState.openChange(change)?.suspension == nil)
                house.clock.isTrusted = true
                await house.waits(until: \.appointments.isEmpty)
            }
            #expect(house.minimum == "3.2.0")
        }
    }

    @Test(arguments: [(Duration.zero, true), (.seconds(3600), false)])
    func `whether the clocks are trusted is told`(step: Duration, value: Bool) async throws {
        let machine = SetClock()
        machine.set(step)
        let clock = StandingClock(timekeeper: Timekeeper { machine.reading })
        try await House.with(clock: clock) { house in
            try await eventually { house.useCases.isClockTrusted == value }
        }
    }

    private func failure(of app: AppSlug) -> RecordPublication {
        RecordPublication(
            app: app,
            event: .publicationFailed(
                sequence: SnapshotSequence(orderedBy: Position(1)),
                cause: "No space left."
            )
        )
    }
}

/// A machine's clocks, of which one can be set.
private final class SetClock: Sendable {
    private let offset = Mutex(Duration.zero)

    var reading: ClockReading {
        ClockReading(wall: offset.withLock { Instant.now.advanced(by: $0) }, uptime: .now)
    }

    func set(_ step: Duration) {
        offset.withLock { $0 = step }
    }
}
