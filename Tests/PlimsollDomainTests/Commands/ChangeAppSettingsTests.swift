import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct ChangeAppSettingsTests {
    /// Which settings somebody says that they saw.
    private enum Sight {
        case current
        case position(Position)
    }

    private func change(
        _ given: Given,
        to settings: AppSettings,
        seen: Sight? = .current,
        by principal: PrincipalID = root
    ) -> ChangeAppSettings {
        let position: Position? =
            switch seen {
            case .current: given.logState.app(harbour)?.settingsSince
            case .position(let position): position
            case nil: nil
            }
        return ChangeAppSettings(
            of: harbour,
            to: settings,
            seen: position,
            reason: nil,
            by: principal
        )
    }

    /// Harbour with a minimum of 3.0.0 on iOS, in English.
    private func raised() throws -> Given {
        let given = try Given.harbourApp()
        let proposed = given.when(try raise(to: "3.0.0", base: given.logState.position))
        return proposed.when(proposed.approve(PlimsollTestSupport.change(1)))
    }

    private let german = Field(.ios, .minimumApp, .text(.description, tag("de")))

    @Test func `an administrator gives an app other settings, all of them at once`() throws {
        let given = try Given.harbourApp()
        let wanted = try settings(
            [.ios, .macos, .android],
            ["de", "en"],
            fallback: "de",
            profile: .minimal
        )
        given.when(change(given, to: wanted), then: [.app(.appSettingsChanged(wanted))])
        let after = given.when(change(given, to: wanted))
        let app = try #require(after.logState.app(harbour))
        #expect(app.settings == wanted)
        #expect(app.settingsSince == after.logState.position)
        #expect(app.has(.macos) && app.document(.macos).isEmpty)
        #expect(given.logState.app(harbour)?.has(.macos) == false)
    }

    @Test func `everything wrong with settings is said at once`() throws {
        let given = try Given.harbourApp()
        let current = try #require(given.logState.app(harbour)).settingsSince
        given.when(
            change(
                given,
                to: try settings([.ios, .ios], ["en", "en"], fallback: "de"),
                seen: nil
            ),
            refusedBy: .repeated("ios", at: "/platforms/1"),
            .repeated("en", at: "/languages/1"),
            .fallbackNotRequired(tag("de")),
            .settingsUnseen(harbour, current: current),
            .platformDropped(.android)
        )
        given.when(
            change(given, to: try settings([], []), seen: .position(Position(1))),
            refusedBy: .listEmpty(at: "/platforms"),
            .listEmpty(at: "/languages"),
            .fallbackNotRequired(tag("en")),
            .settingsDiffer(harbour, seen: Position(1), current: current),
            .platformDropped(.ios),
            .platformDropped(.android)
        )
    }

    @Test func `a hundred languages may be required, and no more`() throws {
        let given = try Given.harbourApp()
        let tags = ["en"] + (1..<100).map { "en-x-\($0)" }
        given.when(
            change(given, to: try settings([.ios, .android], tags)),
            then: [.app(.appSettingsChanged(try settings([.ios, .android], tags)))]
        )
        given.when(
            change(given, to: try settings([.ios, .android], tags + ["de"])),
            refusedBy: .listTooLong(maximum: 100, at: "/languages")
        )
    }

    @Test func `of two who saw the same settings the second is told`() throws {
        let given = try Given.harbourApp()
        let seen = try #require(given.logState.app(harbour)).settingsSince
        let first = given.when(change(given, to: try settings(profile: .minimal)))
        let current = try #require(first.logState.app(harbour)).settingsSince
        first.when(
            change(first, to: try settings([.android, .ios]), seen: .position(seen)),
            refusedBy: .settingsDiffer(harbour, seen: seen, current: current)
        )
    }

    @Test func `what is so already is nothing to do`() throws {
        let given = try Given.harbourApp()
        given.when(change(given, to: try settings()), refusedBy: .nothingChanges)
    }

    @Test func `nobody but an administrator of the app changes its settings`() throws {
        let given = try Given.harbourApp()
        for person in [alice, bob, rita] {
            given.when(
                change(given, to: try settings(profile: .minimal), by: person),
                refusedBy: .roleMissing(.admin, .app(harbour))
            )
        }
        let nowhere = ChangeAppSettings(
            of: slug("ferry"),
            to: try settings(),
            seen: nil,
            reason: nil,
            by: root
        )
        given.when(nowhere, refusedBy: .appUnknown(slug("ferry")))
    }

    @Test func `a language is required once every text is there in it`() throws {
        let given = try raised()
        let wanted = try settings([.ios, .android], ["en", "de"])
        given.when(
            change(given, to: wanted),
            refusedBy: .languageUnwritten(german, at: "/languages/1")
        )
        let words = Operation(.ios, .minimumApp, .setText(.description, tag("de"), try text("Neu")))
        let proposed = given.when(try propose([words], base: given.logState.position))
        let written = proposed.when(proposed.approve(PlimsollTestSupport.change(2)))
        let required = written.when(change(written, to: wanted))
        #expect(required.logState.app(harbour)?.settings == wanted)
        let removal = Operation(.ios, .minimumApp, .removeText(.description, tag("de")))
        required.when(
            try propose([removal], base: required.logState.position),
            refusedBy: .textMissing(german)
        )
    }

    // What a rollback took away, a new name need not bring back.
    @Test func `a text that was required before is nobody's fault who changes something else`()
        throws
    {
        let given = try Given.harbourApp()
        let required = given.when(change(given, to: try settings([.ios, .android], ["en", "de"])))
        let bare = required.when(
            root,
            (.app(harbour), .app(.thresholdSet(.ios, .minimumApp, dotted("3.0.0"))))
        )
        let wanted = try settings([.ios, .android], ["de", "en"], profile: .minimal)
        bare.when(change(bare, to: wanted), then: [.app(.appSettingsChanged(wanted))])
    }

    @Test func `a freeze keeps the bytes that phones get, and nothing else`() throws {
        let given = try Given.harbourApp().when(
            StartFreeze(of: .all, reason: try Reason(validating: "Launch day"), by: rita)
        )
        let freeze = try #require(given.logState.freeze(of: harbour, at: testNow))
        for wanted in [
            try settings(profile: .minimal), try settings([.ios, .android, .jvm]),
            try settings([.ios, .android], ["en", "de"], profile: .minimal),
        ] {
            given.when(change(given, to: wanted), refusedBy: .frozen(freeze))
        }
        let languages = try settings([.ios, .android], ["de", "en"], fallback: "de")
        given.when(change(given, to: languages), then: [.app(.appSettingsChanged(languages))])
    }

    @Test func `an approved change that now lacks a language is refused, and the field named`()
        throws
    {
        let given = try Given.harbourApp()
        let proposed = given.when(try raise(to: "3.0.0", base: given.logState.position))
        let approval = proposed.approve(PlimsollTestSupport.change(1))
        let required = proposed.when(
            change(proposed, to: try settings([.ios, .android], ["en", "de"]))
        )
        required.when(approval, refusedBy: .textMissing(german))
        let frozen = proposed.when(
            StartFreeze(of: .all, reason: try Reason(validating: "Launch day"), by: rita)
        ).when(approval)
        let thawed = frozen.when(
            change(frozen, to: try settings([.ios, .android], ["en", "de"]))
        ).when(EndFreeze(of: .all, reason: nil, by: rita))
        let byHand = ApplyChange(
            change: PlimsollTestSupport.change(1),
            seen: frozen.digest(PlimsollTestSupport.change(1)),
            by: alice,
            hash: testHash
        )
        thawed.when(byHand, refusedBy: .textMissing(german))
    }

    @Test func `a scheduled change that lacks a language by then is suspended for its texts`()
        throws
    {
        let given = try Given.harbourApp().at(testNow)
        let proposed = given.when(try raise(to: "3.0.0", base: given.logState.position, at: noon))
        let approved = proposed.when(proposed.approve(PlimsollTestSupport.change(1)))
        let required = approved.when(
            change(approved, to: try settings([.ios, .android], ["en", "de"]))
        )
        required.at(noon).when(
            ApplyDueChange(change: PlimsollTestSupport.change(1), hash: testHash),
            then: [.change(.changeSuspended(.texts))]
        )
    }

    @Test func `a rollback to before a platform leaves the platform and the settings`() throws {
        let given = try raised()
        let past = given.present
        let wide = try settings([.ios, .android, .macos], profile: .minimal)
        let added = given.when(change(given, to: wide))
        let proposed = added.when(
            try raise(to: "3.2.0", base: added.logState.position)
        )
        let higher = proposed.when(proposed.approve(PlimsollTestSupport.change(2)))
        let back = higher.when(try rollBack(to: past))
        #expect(back.logState.app(harbour)?.settings == wide)
        #expect(back.logState.app(harbour)?.documents == added.logState.app(harbour)?.documents)
    }
}
