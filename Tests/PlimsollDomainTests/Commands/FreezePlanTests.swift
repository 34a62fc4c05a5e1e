import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Freezes that are planned ahead: in force by the clock, whether that is recorded yet or not.
@Suite struct FreezePlanTests {
    private let window = FreezeWindow(from: noon, until: evening, timeZone: .utc)

    private func plan(
        _ window: FreezeWindow,
        of scope: Scope = .app(harbour),
        by planner: PrincipalID = rita
    ) throws -> PlanFreeze {
        PlanFreeze(of: scope, window, reason: try Reason(validating: "Holidays"), by: planner)
    }

    /// Harbour with an approved change that waits for a time, and a freeze planned over noon.
    private func planned(_ at: Instant, _ scope: Scope = .app(harbour)) throws -> (Given, Position)
    {
        let settled = try Given.settled()
        let proposed = settled.when(
            try propose(minimum("3.2.0"), base: settled.logState.position, at: at)
        )
        let approved = proposed.when(proposed.approve(change(1)))
        let frozen = approved.when(try plan(window, of: scope))
        return (frozen, frozen.logState.position)
    }

    private func moved(_ instant: Instant, by milliseconds: Int) -> Instant {
        instant.advanced(by: .milliseconds(milliseconds))
    }

    @Test(arguments: [Scope.app(harbour), .all])
    func `nothing applies from its beginning on until its end, recorded or not`(
        scope: Scope
    ) throws {
        let (given, id) = try planned(noon, scope)
        let due = ApplyDueChange(change: change(1), hash: testHash)
        #expect(given.logState.freeze(of: harbour, at: moved(noon, by: -1)) == nil)
        #expect(given.logState.freeze(of: harbour, at: noon)?.position == id)
        #expect(given.logState.freeze(of: harbour, at: moved(evening, by: -1))?.until == evening)
        #expect(given.logState.freeze(of: harbour, at: evening) == nil)
        given.at(noon).when(due, then: [.change(.changeSuspended(.freeze))])
        let turn = TurnFreezePlan(id, of: scope, reason: nil)
        let began = given.at(noon).when(turn)
        began.at(noon).when(due, then: [.change(.changeSuspended(.freeze))])
        began.at(noon).when(turn, refusedBy: .nothingChanges)
        // What is due at its end is applied, whether the end is recorded or not.
        let (later, other) = try planned(evening, scope)
        let thaw = TurnFreezePlan(other, of: scope, reason: nil)
        for before in [later.at(evening), later.at(evening).when(thaw)] {
            #expect(before.at(evening).when(due).minimum?.value == dotted("3.2.0"))
        }
    }

    // Goal: who sleeps over a freeze applies nothing that it was to hold back. Method: it is over,
    // recorded or not, when somebody comes to look; or was ended before anything came due.
    @Test(arguments: [Scope.app(harbour), .all])
    func `what came due in a freeze waits, also where nothing ran until it was over`(
        scope: Scope
    ) throws {
        let (given, id) = try planned(moved(evening, by: -1), scope)
        let due = ApplyDueChange(change: change(1), hash: testHash)
        let reason = try Reason(validating: "Holidays")
        let end = EndFreeze(of: scope, reason: nil, by: rita)
        let unplanned = given.when(CancelFreezePlan(id, of: scope, reason: nil, by: rita))
            .at(noon).when(StartFreeze(of: scope, reason: reason, by: rita))
        let over = [
            given.at(evening), given.at(evening).when(TurnFreezePlan(id, of: scope, reason: nil)),
            unplanned.at(evening).when(end),
        ]
        for given in over {
            given.when(due, then: [.change(.changeSuspended(.freeze))])
            let former = given.logState.deciding(by: .forgettingFreezes)
            let decided = try due.decide(in: former, at: evening).events
            #expect(decided.last?.event.type == .changeApplied)
        }
        let ended = given.at(noon).when(end)
        #expect(ended.at(evening).when(due).minimum?.value == dotted("3.2.0"))
    }

    // Method: their names say which events are of freezes, and of what.
    @Test func `who asks for the freezes of an app, or of everything, gets every kind of event`() {
        let all = EventType.allCases.filter { $0.rawValue.contains("Freeze") }
        let ofEverything = all.filter { $0.rawValue.hasPrefix("Service") }
        #expect(Set(EventType.freezesOfEverything) == Set(ofEverything))
        #expect(Set(EventType.freezesOfApp) == Set(all).subtracting(ofEverything))
    }

    @Test func `its beginning and its end are recorded once each, at their times`() throws {
        let (given, id) = try planned(evening)
        let turn = TurnFreezePlan(id, of: .app(harbour), reason: nil)
        given.at(moved(noon, by: -1)).when(turn, refusedBy: .nothingChanges)
        #expect(given.logState.appointments(dueBy: moved(noon, by: -1)).due.isEmpty)
        #expect(given.logState.appointments(dueBy: noon).due.map(\.act) == [.freeze])
        let began = given.at(noon).when(turn)
        #expect(began.logState.appointments(dueBy: moved(evening, by: -1)).due.isEmpty)
        #expect(began.logState.appointments(dueBy: evening).due.map(\.act) == [.thaw, .apply])
        began.at(evening).when(turn, then: [.app(.freeze(.planEnded(id)))])
        let over = began.at(evening).when(turn)
        over.at(evening).when(turn, refusedBy: .nothingChanges)
        #expect(over.logState.freezePlans(over: harbour).isEmpty)
        // Nobody was there while it lasted.
        given.at(evening).when(turn, then: [.app(.freeze(.planEnded(id)))])
    }

    @Test func `what cannot be planned is refused by name`() throws {
        let given = try Given.settled()
        func refused(
            _ from: Instant,
            _ until: Instant,
            _ objections: Objection...
        ) throws {
            let window = FreezeWindow(from: from, until: until, timeZone: .utc)
            #expect(throws: Refusal(objections)) {
                try plan(window).decide(in: given.logState, at: testNow)
            }
        }
        let past = moved(testNow, by: -1)
        let far = testNow.advanced(by: ScheduleChange.horizon + .milliseconds(1))
        try refused(testNow, noon, .freezePassed(testNow, now: testNow))
        try refused(
            noon,
            noon,
            .freezeEndsFirst(FreezeWindow(from: noon, until: noon, timeZone: .utc))
        )
        try refused(
            past,
            past,
            .freezeEndsFirst(FreezeWindow(from: past, until: past, timeZone: .utc)),
            .freezePassed(past, now: testNow)
        )
        let horizon = testNow.advanced(by: ScheduleChange.horizon)
        try refused(noon, far, .freezeTooFar(far, latest: horizon))
        let longest = FreezeWindow(from: noon, until: horizon, timeZone: .utc)
        _ = given.when(try plan(longest))
        let planned = given.when(try plan(window))
        let first = try #require(planned.logState.freezePlans(over: harbour).first)
        let across = FreezeWindow(from: moved(evening, by: -1), until: far, timeZone: .utc)
        let behind = FreezeWindow(
            from: evening,
            until: evening.advanced(by: .seconds(60)),
            timeZone: .utc
        )
        let inside = FreezeWindow(from: moved(noon, by: 1), until: evening, timeZone: .utc)
        planned.when(try plan(inside), refusedBy: .freezesOverlap(first))
        planned.when(try plan(across), refusedBy: .freezeTooFar(far, latest: horizon))
        #expect(planned.when(try plan(behind)).logState.freezePlans(over: harbour).count == 2)
        #expect(
            planned.when(try plan(window, of: .all)).logState.freezePlans(over: harbour).count == 2
        )
        for person in [alice, bob] {
            given.when(
                try plan(window, by: person),
                refusedBy: .roleMissing(.responder, .app(harbour))
            )
        }
    }

    @Test func `a plan is cancelled before it begins, and ended while it lasts`() throws {
        let (given, id) = try planned(evening)
        let scope = Scope.app(harbour)
        let cancel = CancelFreezePlan(id, of: scope, reason: nil, by: rita)
        let plan = try #require(given.logState.freezes(of: scope).plan(id))
        #expect(given.when(cancel).logState.freezes(of: scope).plans.isEmpty)
        given.at(noon).when(cancel, refusedBy: .freezePlanStarted(plan))
        given.when(
            CancelFreezePlan(Position(1), of: scope, reason: nil, by: rita),
            refusedBy: .freezePlanUnknown(Position(1))
        )
        given.when(
            CancelFreezePlan(id, of: .all, reason: nil, by: rita),
            refusedBy: .freezePlanUnknown(id)
        )
        let end = EndFreeze(of: scope, reason: nil, by: rita)
        given.when(end, refusedBy: .nothingChanges)
        given.at(noon).when(end, then: [.app(.freeze(.planEnded(id)))])
        // One that nobody planned lasts beside it, and both end together.
        let reason = try Reason(validating: "More")
        let both = given.at(noon).when(StartFreeze(of: scope, reason: reason, by: rita))
        both.at(noon).when(end, then: [.app(.freeze(.ended)), .app(.freeze(.planEnded(id)))])
        #expect(both.logState.freeze(of: harbour, at: evening) != nil)
    }

    @Test func `nothing ends by itself meanwhile, and ends when it is over`() throws {
        let start = try Given.settled().raised(1, to: "3.0.0")
        let (boxed, end) = try start.boxed(
            2,
            try minimum("3.2.0"),
            until: noon.advanced(by: .seconds(60))
        )
        let frozen = boxed.when(try plan(window))
        let id = frozen.logState.position
        let during = noon.advanced(by: .seconds(60))
        let freeze = try #require(frozen.logState.freeze(of: harbour, at: during))
        frozen.at(during).when(end, refusedBy: .frozen(freeze))
        #expect(frozen.logState.appointments(dueBy: during).due.map(\.act) == [.freeze])
        let over = frozen.at(evening).when(TurnFreezePlan(id, of: .app(harbour), reason: nil))
        #expect(over.logState.appointments(dueBy: evening).due.map(\.act) == [.end])
        #expect(over.at(evening).when(end).minimum?.value == dotted("3.0.0"))
    }

    @Test func `what is said of releases in it is told from its end on`() throws {
        let (given, id) = try planned(evening)
        func release(_ version: String, live: Instant? = nil) -> Event {
            let facts = ReleaseFacts(liveSince: live)
            return .app(
                .releaseRegistered(Release(platform: .ios, version: dotted(version), facts: facts))
            )
        }
        let known = given.at(testNow).when(
            .system,
            (.app(harbour), release("3.1.0", live: moved(noon, by: 1)))
        )
        let said = known.at(noon).when(.system, (.app(harbour), release("3.2.0", live: noon)))
        func told(_ given: Given, _ instant: Instant) -> [String] {
            given.logState.app(harbour)?.releasesTold.told(on: .ios, at: instant)
                .map(\.version.description) ?? []
        }
        #expect(told(said, moved(evening, by: -1)).isEmpty)
        #expect(said.logState.app(harbour)?.releasesTold.nextInStore(after: noon) == nil)
        let over = said.at(evening).when(TurnFreezePlan(id, of: .app(harbour), reason: nil))
        #expect(Set(told(over, evening)) == ["3.1.0", "3.2.0"])
    }

    @Test func `a freeze may end when the next one begins`() throws {
        let planned = try Given.settled().when(try plan(window))
        let before = FreezeWindow(from: moved(noon, by: -1), until: noon, timeZone: .utc)
        #expect(planned.when(try plan(before)).logState.freezePlans(over: harbour).count == 2)
    }

    @Test func `no more freezes lie ahead than may`() throws {
        var given = try Given.settled()
        for number in 0..<FreezePlan.countMaximum {
            let from = moved(noon, by: number)
            let next = FreezeWindow(from: from, until: moved(from, by: 1), timeZone: .utc)
            given = given.when(try plan(next))
        }
        let most = FreezePlan.countMaximum
        let behind = FreezeWindow(from: evening, until: moved(evening, by: 1), timeZone: .utc)
        given.when(try plan(behind), refusedBy: .freezePlansFull(maximum: most))
    }
}
