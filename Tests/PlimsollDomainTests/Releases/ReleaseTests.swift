import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What is known of the versions of an app, and who may say so.
@Suite struct ReleaseTests {
    private func release(
        _ version: VersionValue = dotted("3.2.0"),
        on platform: Platform = .ios,
        needing system: VersionValue? = dotted("15.0"),
        liveSince: Instant? = nil
    ) -> Release {
        Release(
            platform: platform,
            version: version,
            facts: ReleaseFacts(system: system, liveSince: liveSince)
        )
    }

    private func register(
        _ release: Release,
        of app: AppSlug = harbour,
        by person: PrincipalID = alice
    ) -> RegisterRelease {
        RegisterRelease(release, of: app, reason: nil, by: person)
    }

    private func amend(
        _ version: VersionValue,
        _ edits: ReleaseEdit...,
        by person: PrincipalID = alice
    ) -> AmendRelease {
        AmendRelease(version, on: .ios, of: harbour, edits: edits, reason: nil, by: person)
    }

    private func withdraw(
        _ version: VersionValue,
        by person: PrincipalID = alice
    ) -> WithdrawRelease {
        WithdrawRelease(version, on: .ios, of: harbour, reason: nil, by: person)
    }

    private func known(_ given: Given) throws -> [Release] {
        try #require(given.logState.app(harbour)).releases.all
    }

    @Test func `a release is registered once, and saying it again changes nothing`() throws {
        let given = try Given.harbourApp()
        given.when(register(release()), then: [.app(.releaseRegistered(release()))])
        let registered = given.when(register(release()))
        #expect(try known(registered) == [release()])
        registered.when(register(release()), refusedBy: .nothingChanges)
        registered.when(register(release(dotted("3.2"))), refusedBy: .nothingChanges)
        registered.when(
            register(release(needing: dotted("16.0"))),
            refusedBy: .releaseExists(release(), given: ReleaseFacts(system: dotted("16.0")))
        )
    }

    private func named(
        _ name: String,
        _ version: VersionValue = code(320),
        on platform: Platform = .android
    ) -> Release {
        Release(
            platform: platform,
            version: version,
            facts: ReleaseFacts(name: VersionName(name), liveSince: testNow)
        )
    }

    @Test func `a version code has a name, which offers speak of`() throws {
        let given = try Given.harbourApp().when(register(named("3.2.0")))
        given.when(register(named("3.2.0")), refusedBy: .nothingChanges)
        let objection = Objection.releaseExists(
            named("3.2.0"),
            given: named("3.2.1").facts
        )
        given.when(register(named("3.2.1")), refusedBy: objection)
        #expect(objection.detail.contains("name is 3.2.0, not 3.2.1"))
        let book = try #require(given.logState.app(harbour)).releases
        #expect(book.known(on: .android, at: testNow).map(\.name) == [VersionName("3.2.0")])
    }

    @Test(arguments: ["", "3", "3.2", "3.2.0.1", "3.2.0-1", "v3.2.0", "03.2.0", "3.2.1234567890"])
    func `a name that clients before 4·0 could not compare is none`(text: String) {
        #expect(VersionName(text) == nil)
    }

    // Goal: a job that runs once more does no harm, although somebody knows more by now.
    @Test func `what is left out says nothing, and what is said otherwise is named`() throws {
        let given = try Given.harbourApp().when(register(release()))
            .when(amend(dotted("3.2.0"), .liveSince(testNow)))
        given.when(register(release()), refusedBy: .nothingChanges)
        given.when(register(release(needing: dotted("15"))), refusedBy: .nothingChanges)
        given.when(register(release(needing: nil)), refusedBy: .nothingChanges)
        let other = Release(
            platform: .ios,
            version: dotted("3.2"),
            facts: ReleaseFacts(build: try Label(validating: "412"), system: dotted("16.0"))
        )
        let objection = Objection.releaseExists(
            release(liveSince: testNow),
            given: other.facts
        )
        given.when(register(other), refusedBy: objection)
        #expect(objection.detail.contains("build is not known, not 412"))
        #expect(objection.detail.contains("os is 15.0, not 16.0"))
        #expect(!objection.detail.contains("liveSince"))
    }

    // Goal: no fact is forgotten where all of them are walked. Method: known of a release is all, or
    // nothing, and one fact is said, or taken away.
    @Test(arguments: ReleaseFactName.allCases)
    func `each fact is said, denied and amended by itself`(fact: ReleaseFactName) throws {
        #expect(Mirror(reflecting: ReleaseFacts()).children.count == ReleaseFactName.allCases.count)
        let all = Release(
            platform: .android,
            version: code(320),
            facts: ReleaseFacts(
                name: VersionName("3.2.0"),
                build: try Label(validating: "412"),
                system: code(24),
                store: try Label(validating: "Play"),
                liveSince: testNow
            )
        )
        let none = Release(platform: .android, version: code(320), facts: ReleaseFacts())
        func amended(_ release: Release, _ edits: [ReleaseEdit]) throws -> Release {
            let given = try Given.harbourApp().when(register(release)).when(
                AmendRelease(
                    code(320),
                    on: .android,
                    of: harbour,
                    edits: edits,
                    reason: nil,
                    by: alice
                )
            )
            return try #require(try known(given).first)
        }
        let one = try amended(none, [all.facts.edit(fact)])
        let rest = try amended(all, [none.facts.edit(fact)])
        #expect(one != none && rest != all)
        for (before, after) in [(none, one), (one, none), (all, rest), (rest, all)] {
            #expect(try amended(before, after.facts.edits) == after)
        }
        let objection = Objection.releaseExists(rest, given: all.facts)
        try Given.harbourApp().when(register(rest)).when(register(all), refusedBy: objection)
        let words = try #require(all.facts.words(fact))
        #expect(objection.detail.contains("its \(fact.rawValue) is not known, not \(words)."))
    }

    @Test func `a proposer and an administrator say so, and nobody else`() throws {
        let given = try Given.harbourApp()
        for person in [alice, root] { _ = given.when(register(release(), by: person)) }
        let registered = given.when(register(release()))
        for person in [bob, rita, PrincipalID(UUID())] {
            let objection = Objection.roleMissing(.proposer, .app(harbour))
            given.when(register(release(), by: person), refusedBy: objection)
            registered.when(
                amend(dotted("3.2.0"), .system(nil), by: person),
                refusedBy: objection
            )
            registered.when(withdraw(dotted("3.2.0"), by: person), refusedBy: objection)
        }
    }

    @Test func `it is written as its platform writes, on a platform that the app has`() throws {
        let given = try Given.harbourApp()
        given.when(
            register(release(code(320))),
            refusedBy: .valueOfWrongKind(.dotted, at: "/version")
        )
        given.when(
            register(release(needing: code(24))),
            refusedBy: .valueOfWrongKind(.dotted, at: "/os")
        )
        given.when(
            register(release(code(320), on: .android)),
            refusedBy: .valueOfWrongKind(.integer, at: "/os")
        )
        given.when(
            register(release(on: .macos)),
            refusedBy: .platformNotKept(harbour, .macos)
        )
        given.when(
            register(release(), of: slug("quay"), by: root),
            refusedBy: .appUnknown(slug("quay"))
        )
        given.when(
            register(named("3.2.0", dotted("3.2.0"), on: .ios)),
            refusedBy: .nameUnneeded(.ios)
        )
        _ = given.when(register(release(code(320), on: .android, needing: code(24))))
        _ = given.when(register(release(needing: nil)))
    }

    @Test func `what is amended is what is named, and the rest stays`() throws {
        let given = try Given.harbourApp().when(register(release(dotted("6.00"))))
        let live = ReleaseEdit.liveSince(testNow)
        given.when(
            amend(dotted("6"), live),
            then: [.app(.releaseAmended(release(dotted("6.00"), liveSince: testNow)))]
        )
        let amended = given.when(amend(dotted("6.0"), live))
        amended.when(amend(dotted("6.0"), live), refusedBy: .nothingChanges)
        amended.when(amend(dotted("6.0")), refusedBy: .nothingChanges)
        let without = amended.when(amend(dotted("6.0"), .system(nil)))
        #expect(
            try known(without) == [release(dotted("6.00"), needing: nil, liveSince: testNow)]
        )
        given.when(
            amend(dotted("6.1"), live),
            refusedBy: .releaseUnknown(harbour, .ios, dotted("6.1"))
        )
        given.when(
            amend(dotted("6"), .system(code(15))),
            refusedBy: .valueOfWrongKind(.dotted, at: "/os")
        )
    }

    @Test func `what is withdrawn is gone, and may come again`() throws {
        let given = try Given.harbourApp()
        given.when(
            withdraw(dotted("3.2.0")),
            refusedBy: .releaseUnknown(harbour, .ios, dotted("3.2.0"))
        )
        let registered = given.when(register(release()))
        registered.when(
            withdraw(dotted("3.2")),
            then: [.app(.releaseWithdrawn(.ios, dotted("3.2.0")))]
        )
        let gone = registered.when(withdraw(dotted("3.2")))
        #expect(try known(gone) == [])
        gone.when(withdraw(dotted("3.2.0")), refusedBy: .nothingChanges)
        gone.when(
            amend(dotted("3.2.0"), .system(nil)),
            refusedBy: .releaseUnknown(harbour, .ios, dotted("3.2.0"))
        )
        let other = release(needing: dotted("16"))
        #expect(try known(gone.when(register(other))) == [other])
    }

    @Test func `there is an end to how many`() throws {
        var given = try Given.harbourApp()
        for number in 1...Int64(ReleaseCatalog.releasesMaximum) {
            let release = release(code(number), on: .android, needing: nil)
            given = given.when(.system, (.app(harbour), .app(.releaseRegistered(release))))
        }
        given.when(
            register(release()),
            refusedBy: .releasesFull(harbour, maximum: ReleaseCatalog.releasesMaximum)
        )
        let room = given.when(.system, (.app(harbour), .app(.releaseWithdrawn(.android, code(7)))))
        _ = room.when(register(release()))
    }

    @Test func `they stand in the order of their versions, platform by platform`() throws {
        var given = try Given.harbourApp()
        for version in ["3.10", "3.9.1", "3.9"] {
            given = given.when(register(release(dotted(version))))
        }
        given = given.when(register(release(code(9), on: .android, needing: nil)))
        #expect(try known(given).map(\.version.description) == ["9", "3.9", "3.9.1", "3.10"])
    }

    @Test func `a freeze and a rollback leave them alone`() throws {
        let given = try Given.settled()
        let earlier = given.logState.position
        let raised = given.when(try raise(to: "3.2.0", base: earlier))
        let frozen = raised.when(raised.approve(change(1))).when(
            StartFreeze(of: .app(harbour), reason: try Reason(validating: "Launch"), by: rita)
        ).when(register(release()))
        let back = frozen.when(try rollBack(to: given.present))
        #expect(try known(back) == [release()])
    }
}
