import Foundation
import PlimsollDomain
import PlimsollTestSupport
import Testing

extension DecisionAuditTests {
    private func settingsCommand(_ settings: AppSettings, by person: Person) -> ChangeAppSettings {
        ChangeAppSettings(
            of: harbour,
            to: settings,
            seen: logState.app(harbour)?.settingsSince,
            reason: person.origin.reason,
            by: person.principal
        )
    }

    @Test mutating func `settings follow from an administrator, and what came after them too`()
        throws
    {
        let warden = Person()
        try admit(warden, [.admin])
        try propose("15.0")
        try approve(.first, by: bob)
        let wide = try settings([.ios, .android, .macos], profile: .minimal)
        try perform(settingsCommand(wide, by: warden), warden.origin)
        let edit = Operation(.macos, .recommendedApp, .setValue(dotted("0")))
        try perform(
            PlimsollTestSupport.propose([edit], base: logState.position, by: alice.principal),
            alice.origin
        )
        try approve(ChangeID.first.next, by: bob)
        let before = logState.position
        let documents = try #require(logState.app(harbour)).documents
        try propose("16.0")
        try approve(ChangeID.first.next.next, by: bob)
        try perform(
            RollBack(
                app: harbour,
                platforms: nil,
                request: .event(before),
                past: PastState(position: before, documents: documents),
                reason: try Reason(validating: "Back."),
                by: bob.principal
            ),
            bob.origin
        )
        #expect(doubt() == nil)
        #expect(logState.app(harbour)?.documents == documents)
    }

    @Test mutating func `settings of somebody who may not give them are named`() throws {
        let event = Event.app(.appSettingsChanged(try settings(profile: .minimal)))
        record([(.app(harbour), event)], bob.origin)
        let objection = Objection.roleMissing(.admin, .app(harbour))
        #expect(doubt()?.reason == .refused(Refusal(objection)))
    }

    @Test mutating func `settings that nobody could have given are named`() throws {
        let warden = Person()
        try admit(warden, [.admin])
        let event = Event.app(.appSettingsChanged(try settings([.ios])))
        record([(.app(harbour), event)], warden.origin)
        #expect(doubt()?.reason == .refused(Refusal(.platformDropped(.android))))
    }

    // Goal: the auditor decides by the clock as the service does, whatever is recorded of a freeze.
    @Test
    mutating func `what happens around a planned freeze follows, and a slip past it does not`()
        throws
    {
        try propose("15.0")
        let window = FreezeWindow(
            from: now.advanced(by: .seconds(600)),
            until: now.advanced(by: .seconds(1200)),
            timeZone: .utc
        )
        let reason = try #require(bob.origin.reason)
        let plan = PlanFreeze(of: .app(harbour), window, reason: reason, by: bob.principal)
        try perform(plan, bob.origin)
        let id = logState.position
        let approval = try approval(of: .first, seen: hash(of: .first), by: bob.principal)
        // Approved while it lasts, before anybody recorded that it began: it waits.
        let during = window.from.advanced(by: .seconds(1))
        func events(_ command: some Command, _ instant: Instant) throws -> [(StreamName, Event)] {
            try command.decide(in: logState, at: instant).events.map { ($0.stream, $0.event) }
        }
        let outside = try events(approval, now)
        let kept = self
        record(try events(approval, during), bob.origin, during)
        let turn = TurnFreezePlan(id, of: .app(harbour), reason: reason)
        record(try events(turn, during), service, during)
        record(try events(turn, window.until), service, window.until)
        #expect(logState.freezePlans(over: harbour).isEmpty)
        #expect(doubt() == nil)
        // Applied at the same moment, as if there were no freeze.
        self = kept
        record(outside, bob.origin, during)
        #expect(doubt() != nil)
        // Begun before its time.
        self = kept
        record([(.app(harbour), .app(.freeze(.planStarted(id))))], service, now)
        #expect(doubt() != nil)
        // Ended by somebody, which leaves nothing to end.
        self = kept
        let end = EndFreeze(of: .app(harbour), reason: reason, by: bob.principal)
        record(try events(end, during), bob.origin, during)
        #expect(doubt() == nil)
    }

    @Test
    mutating func `another default app follows from a command of who may, and of nobody else`()
        throws
    {
        let quay = slug("quay")
        try perform(registration(of: quay), service)
        try perform(ChooseDefaultApp(quay, seen: harbour, reason: nil, by: .system), service)
        #expect(doubt() == nil)
        record([(.service, .service(.defaultAppChosen(harbour)))], bob.origin)
        #expect(
            doubt()?.reason == .refused(Refusal(.roleMissing(.admin, .all)))
        )
    }
}
