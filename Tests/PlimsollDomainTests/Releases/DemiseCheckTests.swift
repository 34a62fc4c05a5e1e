import PlimsollDomain
import PlimsollTestSupport
import Testing

/// When a system is given up, the minimum of the app moves with that of the system.
@Suite struct DemiseCheckTests {
    private func set(_ name: ThresholdName, _ version: String) -> Operation {
        Operation(.ios, name, .setValue(dotted(version)))
    }

    private func release(_ version: String, needing system: String?) -> Release {
        Release(
            platform: .ios,
            version: dotted(version),
            facts: ReleaseFacts(
                system: system.map(dotted),
                liveSince: Instant(millisecondsSince1970: 0)
            )
        )
    }

    /// What is found where the minimum system is 13.5 and the minimum app 3.0, unless others are
    /// given.
    private func found(
        in edits: [Operation],
        among releases: [Release],
        after lines: [Operation]? = nil
    ) throws -> [CheckName] {
        var given = try Given.harbourApp()
        for release in releases {
            given = given.when(.system, (.app(harbour), .app(.releaseRegistered(release))))
        }
        for edit in lines ?? [set(.minimumOS, "13.5"), set(.minimumApp, "3.0")] {
            given = given.when(.system, (.app(harbour), .app(AppEvent(edit))))
        }
        let app = try #require(given.logState.app(harbour))
        return app.findings(applying: edits, under: .builtIn, at: testNow).map(\.check)
    }

    private var known: [Release] {
        [
            release("2.0", needing: "12.0"), release("3.0", needing: "13.5"),
            release("3.5", needing: "14.0"), release("4.0", needing: "15.0"),
            release("4.1", needing: "15.0"),
        ]
    }

    @Test(arguments: [
        ("15", nil as String?, [CheckName.minimumAppLeftBehind]),
        ("15.0", "3.0.0", [.minimumAppLeftBehind]), ("15.2", nil, [.minimumAppLeftBehind]),
        ("15", "3.5", [.minimumAppLeftBehind]),
        ("14", nil, [.minimumAppLeftBehind]), ("14", "3.5", []), ("14.9", "3.5", []),
        ("15", "4", []), ("15", "4.1", []), ("13.6", nil, []), ("13.5.0", nil, []),
        ("13.5", "4", [.minimumUninstallable]), ("14", "4", [.minimumUninstallable]),
        ("12", nil, [.minimumLowered, .minimumUninstallable]),
    ])
    func `both move, and far enough`(
        _ system: String,
        _ app: String?,
        _ expected: [CheckName]
    ) throws {
        let edits = [set(.minimumOS, system)] + (app.map { [set(.minimumApp, $0)] } ?? [])
        for edits in [edits, edits.reversed()] {
            #expect(try found(in: edits, among: known) == expected)
        }
    }

    @Test func `the app may go first only where everybody can install it`() throws {
        let app = [set(.minimumApp, "4.0")]
        #expect(try found(in: app, among: known) == [.minimumUninstallable])
        let moved = [set(.minimumOS, "15"), set(.minimumApp, "3.0")]
        #expect(try found(in: app, among: known, after: moved) == [])
    }

    // A mistake in 13.7 is mended in 13.8: no release begins there.
    @Test func `a line that no release begins at is drawn for another reason`() throws {
        #expect(try found(in: [set(.minimumOS, "13.8")], among: known) == [])
        let anywhere = [release("3.0", needing: nil), release("4.0", needing: nil)]
        #expect(try found(in: [set(.minimumOS, "15")], among: anywhere) == [])
        #expect(
            try found(
                in: [set(.minimumOS, "15")],
                among: anywhere + [release("4.1", needing: "15")]
            )
                == [.minimumAppLeftBehind]
        )
    }

    @Test func `without a minimum app everybody has an older release`() throws {
        let system = [set(.minimumOS, "15")]
        #expect(try found(in: system, among: known, after: []) == [.minimumAppLeftBehind])
        #expect(try found(in: system, among: Array(known.suffix(2)), after: []) == [])
        #expect(
            try found(in: [set(.minimumOS, "14")], among: known, after: system)
                == [.minimumLowered]
        )
    }

    @Test func `an approver says why a system alone is given up`() {
        #expect(
            CheckName.minimumAppLeftBehind.usualRule == CheckRule(.refuse, overridableBy: .approver)
        )
        #expect(CheckName.minimumUninstallable.usualRule == CheckRule(.refuse))
    }
}
