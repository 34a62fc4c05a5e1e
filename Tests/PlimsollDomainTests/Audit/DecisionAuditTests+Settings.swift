import PlimsollDomain
import PlimsollTestSupport
import Testing

extension DecisionAuditTests {
    private func settingsCommand(_ settings: AppSettings, by person: Person) -> ChangeAppSettings {
        ChangeAppSettings(
            of: harbour,
            to: settings,
            seen: world.app(harbour)?.settingsSince,
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
            PlimsollTestSupport.propose([edit], base: world.position, by: alice.principal),
            alice.origin
        )
        try approve(ChangeID.first.next, by: bob)
        let before = world.position
        let documents = try #require(world.app(harbour)).documents
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
        #expect(world.app(harbour)?.documents == documents)
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
}
