import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// The newest approved state that was live so long.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct LastGoodTests {
    @Test func `a state that was live so long is found, the newest of them`() async throws {
        let clock = TestClock(standingAt: earlier)
        try await ProjectionFixture.with(clock: { clock.now }) { fixture in
            try await fixture.letAliceIn()
            let states = try await fixture.states(["3.0.0", "3.1.0", "3.2.0"], clock)
            try await fixture.catchUp()
            clock.step(.seconds(-1800))
            #expect(try await fixture.lastGood(1, clock.now) == states[2])
            #expect(try await fixture.lastGood(3600, clock.now) == states[1])
            #expect(try await fixture.lastGood(3601, clock.now) == nil)
        }
    }

    // Goal: an end that moved nothing does not cut the life of a state in two.
    @Test func `an end that took nothing back does not make a state younger`() async throws {
        let clock = TestClock(standingAt: earlier)
        try await ProjectionFixture.with(clock: { clock.now }) { fixture in
            try await fixture.letAliceIn()
            try await fixture.registerHarbour()
            let before = fixture.writer.logState.position
            let operations = try raise(to: "3.0.0", base: before, by: alice).operations
            let end = clock.now.advanced(by: .seconds(1800))
            let boxed = try await fixture.apply(operations, until: end)
            let states = try await fixture.states(["3.1.0"], clock)
            let past = PastState(position: before, documents: [:])
            try await fixture.perform(EndChange(change: boxed, past: past))
            clock.step(.seconds(3600))
            try await fixture.catchUp()
            #expect(try await fixture.lastGood(7200, clock.now) == states[0])
        }
    }

    // Goal: read models that are behind do not make a state older than it is. Method: the row that
    // the projector moves its checkpoint in is held while another state takes the place of the one
    // it knows, and that one's age is asked for hours later.
    @Test func `a state that was replaced is no older for read models that are behind`()
        async throws
    {
        let clock = TestClock(standingAt: earlier)
        try await ProjectionFixture.with(clock: { clock.now }) { fixture in
            try await fixture.letAliceIn()
            let states = try await fixture.states(["3.0.0"], clock)
            try await fixture.catchUp()
            let holder = try await Session.open(ScratchDatabase.current.connection)
            try await holder.script("BEGIN; SELECT FROM projection.state FOR UPDATE")
            let later = try await fixture.states(["3.1.0"], clock)
            clock.step(.seconds(9 * 3600))
            #expect(try await fixture.lastGood(3600, clock.now) == states[0])
            #expect(try await fixture.lastGood(3601, clock.now) == nil)
            await holder.close()
            try await fixture.catchUp()
            #expect(try await fixture.lastGood(3601, clock.now) == later[0])
        }
    }
}

extension ProjectionFixture {
    /// Applies changes an hour apart; where each of them left the log.
    fileprivate func states(
        _ versions: [String],
        _ clock: TestClock
    ) async throws -> [Position] {
        var states: [Position] = []
        for version in versions {
            try await applyOneChange(to: version)
            states.append(writer.logState.position)
            clock.step(.seconds(3600))
        }
        return states
    }

    fileprivate func lastGood(_ seconds: Int64, _ now: Instant) async throws -> Position? {
        try await readModels.history.position(
            of: .lastGood(seconds: seconds),
            in: harbour,
            at: now
        )
    }
}
