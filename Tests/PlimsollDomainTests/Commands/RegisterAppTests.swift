import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct RegisterAppTests {
    private func register(
        _ name: String,
        _ settings: AppSettings,
        isDefault: Bool? = nil,
        by principal: PrincipalID = root
    ) -> RegisterApp {
        RegisterApp(
            slug: slug(name),
            settings: settings,
            key: KeyRecord(id: KeyID(UUID()), app: slug(name), publicKey: [1]),
            isDefault: isDefault,
            by: principal
        )
    }

    @Test func `an app comes with its key, and the first one is the default`() throws {
        let given = try Given.harbourApp()
        let command = register("ferry", try settings([.macos]))
        given.when(
            command,
            then: [
                .app(.appRegistered(command.settings)),
                .service(.defaultAppChosen(slug("ferry"))),
                .key(.keyAdded(command.key)),
                .key(.keyActivated(command.key.id, app: slug("ferry"))),
            ]
        )
        let after = given.when(command).when(register("second", try settings()))
        #expect(after.logState.defaultApp == slug("ferry"))
        #expect(after.logState.keyring.activeKeys(of: slug("ferry")).map(\.record) == [command.key])
        after.when(
            register("third", try settings(), isDefault: true),
            refusedBy: .defaultAppExists(slug("ferry"))
        )
    }

    @Test func `another app becomes the default one for whoever saw which one was`() throws {
        let first = try Given.harbourApp().when(register("ferry", try settings()))
        func choose(
            _ app: String,
            _ seen: String?,
            by principal: PrincipalID = root
        ) -> ChooseDefaultApp {
            ChooseDefaultApp(slug(app), seen: seen.map(slug), reason: nil, by: principal)
        }
        first.when(choose("harbour", "ferry"), then: [.service(.defaultAppChosen(harbour))])
        let second = first.when(choose("harbour", "ferry"))
        #expect(second.logState.defaultApp == harbour)
        #expect(second.when(choose("ferry", "harbour")).logState.defaultApp == slug("ferry"))
        second.when(choose("harbour", "ferry"), refusedBy: .nothingChanges)
        for seen in [nil, "ferry", "nowhere"] {
            second.when(choose("ferry", seen), refusedBy: .defaultAppDiffers(harbour))
        }
        second.when(choose("nowhere", "harbour"), refusedBy: .appUnknown(slug("nowhere")))
        let own = PrincipalID(UUID())
        let grants: [Event] = [harbour, slug("ferry")].map {
            .access(.roleGranted(own, RoleGrant(.admin, in: .app($0))))
        }
        let admitted = second.when(.system, (.access, grants[0]), (.access, grants[1]))
        admitted.when(
            choose("ferry", "harbour", by: own),
            refusedBy: .roleMissing(.admin, .all)
        )
        for frozen in [harbour, slug("ferry")] {
            let reason = try Reason(validating: "Launch day")
            let still = second.when(StartFreeze(of: .app(frozen), reason: reason, by: root))
            still.when(
                choose("ferry", "harbour"),
                refusedBy: .frozen(try #require(still.logState.freeze(of: frozen, at: testNow)))
            )
        }
    }

    @Test func `everything wrong with an app is said at once`() throws {
        let given = try Given.harbourApp()
        let bad = try settings([.ios, .ios], ["en", "en"], fallback: "de")
        given.when(
            register("harbour", bad),
            refusedBy: .appExists(harbour),
            .repeated("ios", at: "/platforms/1"),
            .repeated("en", at: "/languages/1"),
            .fallbackNotRequired(tag("de"))
        )
        given.when(
            register("empty", try settings([], [])),
            refusedBy: .listEmpty(at: "/platforms"),
            .listEmpty(at: "/languages"),
            .fallbackNotRequired(tag("en"))
        )
    }

    @Test func `only an administrator registers apps`() throws {
        try Given.harbourApp().when(
            register("ferry", try settings(), by: alice),
            refusedBy: .roleMissing(.admin, .app(slug("ferry")))
        )
    }
}
