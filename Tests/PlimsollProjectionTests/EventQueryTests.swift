import PlimsollDomain
import PlimsollProjection
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: storeTemplate), .timeLimit(.minutes(1)))
struct EventQueryTests {
    // Goal: both bounds take in their own end, as positions and as times. Method: three renewals
    // a minute apart; the bounds are laid on the second one, and a millisecond beside it.
    @Test func `bounds take in both of their ends`() async throws {
        let clock = SteppedClock()
        try await ProjectionFixture.with(clock: { clock.now }) { fixture in
            try await fixture.registerHarbour()
            var renewals: [(position: Position, time: Instant)] = []
            for _ in 1...3 {
                clock.step(.seconds(60))
                let receipt = try await fixture.perform(OrderRenewal(app: harbour))
                renewals.append((receipt.position, clock.now))
            }
            let positions = renewals.map(\.position)
            let (second, time) = renewals[1]
            let before = time.advanced(by: .milliseconds(-1))
            let after = time.advanced(by: .milliseconds(1))
            for (since, until, expected) in [
                (nil, nil, positions[...]),
                (.position(second), nil, positions[1...]), (.time(time), nil, positions[1...]),
                (.time(after), nil, positions[2...]),
                (nil, .position(second), positions[...1]), (nil, .time(time), positions[...1]),
                (nil, .time(before), positions[...0]),
                (.time(time), .position(second), positions[1...1]),
                (.time(after), .position(second), []),
            ] as [(EventQuery.Bound?, EventQuery.Bound?, ArraySlice<Position>)] {
                #expect(try await fixture.renewals(since, until) == Array(expected))
            }
        }
    }
}

extension ProjectionFixture {
    fileprivate func renewals(
        _ since: EventQuery.Bound?,
        _ until: EventQuery.Bound?
    ) async throws -> [Position] {
        var query = EventQuery()
        query.types = [.renewalOrdered]
        query.order = .oldestFirst
        (query.since, query.until) = (since, until)
        return try await readModels.events(query, upTo: writer.world.position).map(\.position)
    }
}
