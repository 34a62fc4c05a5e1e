import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What people are told to install has to exist, to run where they are, and to be in their store.
@Suite struct ReleaseCheckTests {
    private func set(
        _ name: ThresholdName,
        _ version: VersionValue,
        on platform: Platform = .ios
    ) -> Operation {
        Operation(platform, name, .setValue(version))
    }

    private func release(
        _ version: String,
        needing system: String? = nil,
        liveSince: Instant? = Instant(millisecondsSince1970: 0)
    ) -> Release {
        Release(
            platform: .ios,
            version: dotted(version),
            facts: ReleaseFacts(system: system.map(dotted), liveSince: liveSince)
        )
    }

    private func given(
        _ releases: [Release],
        after earlier: [Operation] = [],
        policy: Policy? = nil
    ) throws -> Given {
        var given = try Given.harbourApp()
        for release in releases {
            given = given.when(.system, (.app(harbour), .app(.releaseRegistered(release))))
        }
        for operation in earlier {
            given = given.when(.system, (.app(harbour), .app(AppEvent(operation))))
        }
        if let policy {
            given = given.when(
                ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: root)
            )
        }
        return given
    }

    private func found(
        in operations: [Operation],
        among releases: [Release],
        after earlier: [Operation] = [],
        storeSeconds: Int64 = 0
    ) throws -> [CheckName] {
        let app = try #require(try given(releases, after: earlier).logState.app(harbour))
        let policy = Policy(storeSeconds: storeSeconds)
        return app.findings(applying: operations, under: policy, at: testNow).map(\.check)
    }

    @Test func `while no release is known of the platform nothing is found`() throws {
        let android = Release(platform: .android, version: code(320), facts: ReleaseFacts())
        for releases in [[], [android]] {
            let edits = [
                set(.minimumApp, dotted("99")), set(.recommendedApp, dotted("99")),
                set(.minimumOS, dotted("12")),
            ]
            #expect(try found(in: edits, among: releases) == [])
        }
    }

    @Test func `a minimum that no release satisfies is found`() throws {
        let releases = [release("3.9"), release("3.10")]
        #expect(
            try found(in: [set(.minimumApp, dotted("3.10.1"))], among: releases)
                == [.minimumUnreleased]
        )
        #expect(try found(in: [set(.minimumApp, dotted("3.10.0"))], among: releases) == [])
        let unreleased = [set(.minimumApp, dotted("99"))]
        #expect(
            try found(
                in: [set(.minimumApp, dotted("99.0"))],
                among: releases,
                after: unreleased
            ) == []
        )
        #expect(
            try found(
                in: [set(.minimumOS, dotted("12"))],
                among: releases,
                after: unreleased
            ) == []
        )
        let cleared = Operation(.ios, .minimumApp, .clearThreshold)
        #expect(
            try found(in: [cleared], among: releases, after: unreleased)
                == [.minimumLowered]
        )
    }

    @Test func `app and system move together where the releases need it`() throws {
        let releases = [release("3.0", needing: "13.5"), release("4.0", needing: "15.0")]
        let before = [set(.minimumOS, dotted("13.5")), set(.minimumApp, dotted("3.0"))]
        let (app, system) = (set(.minimumApp, dotted("4")), set(.minimumOS, dotted("15")))
        #expect(try found(in: [app], among: releases, after: before) == [.minimumUninstallable])
        #expect(
            try found(in: [system], among: releases, after: before) == [.minimumAppLeftBehind]
        )
        for both in [[app, system], [system, app]] {
            #expect(try found(in: both, among: releases, after: before) == [])
        }
        let after = [app, system]
        #expect(
            try found(in: [set(.minimumOS, dotted("14.9"))], among: releases, after: after)
                == [.minimumLowered, .minimumUninstallable]
        )
        #expect(
            try found(
                in: [Operation(.ios, .minimumOS, .clearThreshold)],
                among: releases,
                after: after
            ) == [.minimumLowered, .minimumUninstallable]
        )
        let otherwise = [set(.minimumApp, dotted("4.0")), set(.minimumOS, dotted("13.5"))]
        #expect(
            try found(in: otherwise, among: releases, after: after)
                == [.minimumLowered, .minimumUninstallable]
        )
        #expect(
            try found(in: [set(.minimumOS, dotted("14"))], among: releases, after: before + [app])
                == []
        )
    }

    @Test func `one release that runs there is enough`() throws {
        let before = [set(.minimumOS, dotted("13.5"))]
        let releases = [release("4.0", needing: "15.0"), release("4.1", needing: "13.5")]
        #expect(
            try found(in: [set(.minimumApp, dotted("4"))], among: releases, after: before) == []
        )
        let anywhere = [release("4.0", needing: "15.0"), release("4.1")]
        #expect(try found(in: [set(.minimumApp, dotted("4"))], among: anywhere) == [])
        #expect(
            try found(in: [set(.minimumApp, dotted("4"))], among: Array(releases.prefix(1)))
                == [.minimumUninstallable]
        )
    }

    @Test func `a release that the store does not have helps nobody to install`() throws {
        let before = [set(.minimumOS, dotted("13.5"))]
        let day: Int64 = 86_400
        for (seconds, isFound) in [(day - 1, true), (day, false)] {
            let live = testNow.advanced(by: .seconds(-seconds))
            let releases = [
                release("4.0", needing: "15.0"), release("4.1", needing: "13.5", liveSince: live),
            ]
            let found = try found(
                in: [set(.minimumApp, dotted("4"))],
                among: releases,
                after: before,
                storeSeconds: day
            )
            #expect(found == (isFound ? [.minimumUninstallable] : []))
        }
        let releases = [
            release("4.0", needing: "15.0"), release("4.1", needing: "13.5", liveSince: nil),
        ]
        let app = set(.minimumApp, dotted("4"))
        let ahead = before + [app, set(.minimumOS, dotted("15"))]
        #expect(try found(in: [app], among: releases, after: before) == [.minimumUninstallable])
        #expect(
            try found(in: [set(.minimumOS, dotted("14"))], among: releases, after: ahead)
                == [.minimumLowered, .minimumUninstallable]
        )
    }

    @Test func `a release has to have been in its store for as long as the policy says`() throws {
        let day: Int64 = 86_400
        for (seconds, isFound) in [(day - 1, true), (day, false)] {
            let live = testNow.advanced(by: .seconds(-seconds))
            let releases = [release("3.2", liveSince: live), release("3.3", liveSince: nil)]
            for name in [ThresholdName.minimumApp, .recommendedApp] {
                let found = try found(
                    in: [set(name, dotted("3.2"))],
                    among: releases,
                    storeSeconds: day
                )
                #expect(found == (isFound ? [.releaseNotInStore] : []))
            }
        }
        let unlive = [release("3.2"), release("3.3", liveSince: nil)]
        #expect(
            try found(in: [set(.recommendedApp, dotted("3.3"))], among: unlive)
                == [.releaseNotInStore]
        )
        #expect(
            try found(in: [set(.recommendedApp, dotted("3.4"))], among: unlive)
                == [.releaseNotInStore]
        )
    }

    @Test func `what a store is yet to get is not said to be there`() throws {
        let soon = testNow.advanced(by: .seconds(60))
        let given = try given([release("3.2", liveSince: soon)])
        let app = try #require(given.logState.app(harbour))
        let edits = [set(.minimumApp, dotted("3.2"))]
        let found = app.findings(applying: edits, under: .builtIn, at: testNow)
        #expect(found.map(\.check) == [.releaseNotInStore])
        #expect(found.first?.sentence.hasSuffix("is there only from \(soon) on.") == true)
    }

    @Test func `a demise waits for a word, and an install that cannot be is not even proposed`()
        throws
    {
        let given = try given(
            [release("4.0", needing: "15.0")],
            after: [set(.minimumOS, dotted("13.5"))]
        )
        let base = given.logState.position
        let words = Operation(
            .ios,
            .minimumApp,
            .setText(.description, tag("en"), try text("The service has ended."))
        )
        let app = try #require(given.logState.app(harbour))
        let impossible = [set(.minimumApp, dotted("4.0")), words]
        let finding = try #require(
            app.findings(applying: impossible, under: .builtIn, at: testNow).first
        )
        given.when(
            try propose(impossible, base: base),
            refusedBy: .checkRefused(finding, overridableBy: nil)
        )
        let proposed = given.when(
            try propose([set(.minimumApp, dotted("99")), words], base: base)
        )
        let unreleased = try #require(
            app.findings(
                applying: [set(.minimumApp, dotted("99"))],
                under: .builtIn,
                at: testNow
            ).first
        )
        proposed.when(
            proposed.approve(change(1)),
            refusedBy: .checkRefused(unreleased, overridableBy: .approver)
        )
        let overridden = proposed.when(
            OverrideCheck(
                change: change(1),
                seen: proposed.digest(change(1)),
                check: .minimumUnreleased,
                reason: try Reason(validating: "The app ends on 27 April"),
                by: bob,
                hash: testHash
            )
        )
        let applied = overridden.when(overridden.approve(change(1)))
        #expect(applied.logState.endOfChange(change(1)) == .applied)
    }

    @Test func `a release that comes to be withdrawn suspends what waited for it`() throws {
        let given = try given([release("3.2")])
        let at = testNow.advanced(by: .seconds(60))
        let proposed = given.when(try raise(to: "3.2", base: given.logState.position, at: at))
        let approved = proposed.at(testNow).when(proposed.approve(change(1)))
        let due = ApplyDueChange(change: change(1), hash: testHash)
        #expect(approved.at(at).when(due).logState.endOfChange(change(1)) == .applied)
        let withdrawn = approved.when(
            .system,
            (.app(harbour), .app(.releaseWithdrawn(.ios, dotted("3.2")))),
            (.app(harbour), .app(.releaseRegistered(release("3.1"))))
        )
        let suspended = withdrawn.at(at).when(due)
        #expect(suspended.logState.openChange(change(1))?.suspension == .checks)
    }

    // Goal: whatever is known and whatever is proposed, a change that nobody objected to leaves
    // nobody who is let in by the minimum system without a release to install.
    // Method: random releases, lines and edits; a person on exactly the minimum system looks for a
    // release that satisfies the minimum app, without the code of the checks.
    @Test(arguments: SeededGenerator.seeds)
    func `who is let in can install what is asked for`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var releases: [Release] = []
            for version in 1...Int.random(in: 1...5, using: &generator) {
                let system = Int.random(in: 0...3, using: &generator)
                let isLive = Int.random(in: 0...2, using: &generator) > 0
                releases.append(
                    release(
                        "\(version)",
                        needing: system == 0 ? nil : "\(system)",
                        liveSince: isLive ? Instant(millisecondsSince1970: 0) : nil
                    )
                )
            }
            func line() -> VersionValue { dotted("\(Int.random(in: 0...6, using: &generator))") }
            let before = [set(.minimumOS, line()), set(.minimumApp, dotted("0"))]
            let edits =
                [set(.minimumApp, line())]
                + (Bool.random(using: &generator) ? [set(.minimumOS, line())] : [])
            let found = try found(in: edits, among: releases, after: before)
            var document = Document(platform: .ios)
            for edit in before + edits { document.apply(edit) }
            let (app, system) = (document[.minimumApp].value, document[.minimumOS].value)
            let (least, lowest) = (app ?? dotted("0"), system ?? dotted("0"))
            let isInstallable = releases.contains { release in
                !release.version.isOlder(than: least)
                    && !lowest.isOlder(than: release.facts.system ?? dotted("0"))
                    && release.facts.liveSince != nil
            }
            let objecting: [CheckName] = [
                .minimumUninstallable, .minimumUnreleased, .releaseNotInStore,
            ]
            let isRefused = !Set(found).isDisjoint(with: objecting)
            #expect(isRefused != isInstallable || !least.holdsSomebodyBack, "\(edits)")
        }
    }
}
