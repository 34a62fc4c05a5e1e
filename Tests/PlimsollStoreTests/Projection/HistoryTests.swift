import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A time names the state after all that was recorded by then.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct HistoryTests {
    // Goal: a rollback to a time finds the same state whether the read models are up to date or
    // have not begun. Method: two appends a minute apart, and times around them.
    @Test(arguments: ProjectionFixture.Following.allCases)
    func `a time is found however far the read models have come`(
        _ following: ProjectionFixture.Following
    ) async throws {
        let clock = TestClock(standingAt: earlier)
        let start = clock.now
        try await ProjectionFixture.with(following: following, clock: { clock.now }) { fixture in
            try await fixture.registerHarbour()
            let registered = fixture.writer.logState.position
            clock.step(.seconds(60))
            let renewed = try await fixture.perform(OrderRenewal(app: harbour)).position
            if following == .everything { try await fixture.catchUp() }
            #expect(try await fixture.position(at: start, .seconds(-1)) == .start)
            #expect(try await fixture.position(at: start, .zero) == registered)
            #expect(try await fixture.position(at: start, .seconds(59)) == registered)
            #expect(try await fixture.position(at: start, .seconds(60)) == renewed)
            #expect(try await fixture.position(at: start, .seconds(86_400)) == renewed)
        }
    }

    @Test(arguments: ProjectionFixture.Following.allCases)
    func `where a clock went back the latest time seen counts`(
        _ following: ProjectionFixture.Following
    ) async throws {
        let clock = TestClock(standingAt: earlier)
        let start = clock.now
        try await ProjectionFixture.with(following: following, clock: { clock.now }) { fixture in
            try await fixture.registerHarbour()
            clock.step(.seconds(-3600))
            let late = try await fixture.perform(OrderRenewal(app: harbour)).position
            if following == .everything { try await fixture.catchUp() }
            #expect(try await fixture.position(at: start, .seconds(-1800)) == .start)
            #expect(try await fixture.position(at: start, .zero) == late)
        }
    }

    // Goal: no end and no rollback brings into force what the service never wrote. Method: a row is
    // changed as whoever has the service's login can: its value, or the event that it names.
    @Test(
        arguments: [
            "UPDATE projection.event_field SET after = '9.9.9' WHERE after = '3.1.0'",
            "UPDATE projection.event_field SET position = 1 WHERE after = '3.1.0'",
            "UPDATE projection.event_field SET position = 0 WHERE after = '3.1.0'",
            "UPDATE projection.event_field SET position = -1 WHERE after = '3.1.0'",
        ] as [Statement]
    )
    func `a value that no event wrote is refused`(_ forgery: Statement) async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let target = fixture.writer.logState.position
            try await fixture.applyOneChange(to: "3.2.0")
            try await fixture.catchUp()
            let history = fixture.readModels.history
            let sound = try await history.state(of: harbour, after: target)
            #expect(sound?.document(.ios).fields.isEmpty == false)
            let session = try await openServiceSession()
            #expect(try await session.execute(forgery) == 1)
            await session.close()
            await #expect(throws: CorruptReadModel.self) {
                try await history.state(of: harbour, after: target)
            }
        }
    }
}

extension ProjectionFixture {
    /// Waits until the read models hold everything.
    func catchUp() async throws {
        let end = writer.logState.position
        #expect(await readModels.progress.wait(for: end, patience: .seconds(120)))
    }

    fileprivate func position(at start: Instant, _ offset: Duration) async throws -> Position? {
        try await readModels.history.position(
            of: .time(start.advanced(by: offset)),
            in: harbour,
            at: testNow
        )
    }
}
