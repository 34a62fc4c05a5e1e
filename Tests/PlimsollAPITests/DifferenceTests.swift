import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// What an event did to what is no field of a document: each part before and after it.
@Suite struct DifferenceTests {
    @Test func `a policy says which rules moved, and from what`() throws {
        let sentence =
            ": raising a minimum needs 1 approval by people in the role approver → needs nobody's"
            + " approval; the check minimumLowered only tells what it finds → refuses a change,"
            + " unless somebody in the role admin overrides it"
        let policy = try laxPolicy()
        for (event, stream, start) in [
            (
                Event.app(.policyChanged(policy)), try harbour,
                "harbour has a policy of its own"
            ),
            (.app(.policyChanged(nil)), try harbour, "harbour follows the default policy"),
            (
                .service(.defaultPolicyChanged(policy)), .service,
                "The default policy of all apps changed"
            ),
        ] {
            let answer = EventAnswer(
                try sampleEvent(event, on: stream),
                replacing: .policy(.builtIn, then: policy)
            )
            #expect(answer.sentence == start + sentence)
            #expect(
                answer.differences.map(\.member) == [
                    "rules.raiseMinimum", "checks.minimumLowered",
                ]
            )
            #expect(answer.differences == Policy.builtIn.differences(to: policy))
            #expect(try EventAnswer(.object(answer.json)) == answer)
        }
    }

    @Test func `a release says which facts became others`() throws {
        let version = VersionValue.dotted(try #require(AppleVersion("3.2.0")))
        let live = Instant(millisecondsSince1970: 0)
        let before = ReleaseFacts(build: try Label(validating: "412"), system: version)
        var after = before
        (after.build, after.liveSince) = (nil, live)
        let known = Release(platform: .ios, version: version, facts: before)
        let amended = EventAnswer(
            try sampleEvent(
                .app(.releaseAmended(Release(platform: .ios, version: version, facts: after))),
                on: harbour
            ),
            replacing: .release(known)
        )
        #expect(
            amended.sentence == "harbour iOS 3.2.0 amended: build 412 → unset; in the store since"
                + " unset → 1970-01-01T00:00:00.000Z"
        )
        let withdrawn = EventAnswer(
            try sampleEvent(.app(.releaseWithdrawn(.ios, version)), on: harbour),
            replacing: .release(known)
        )
        #expect(
            withdrawn.sentence
                == "harbour iOS 3.2.0 withdrawn: build 412 → unset; system 3.2.0 → unset"
        )
        #expect(withdrawn.differences.map(\.member) == ["build", "os"])
        #expect(withdrawn.json["differences"]?.array?.last?["after"] == .null)
    }

    @Test(arguments: ReleaseFactName.allCases)
    func `each fact of a release that becomes another is told`(fact: ReleaseFactName) throws {
        let version = VersionValue.integer(try #require(AndroidVersion(24)))
        let all = ReleaseFacts(
            name: VersionName("3.2.0"),
            build: try Label(validating: "412"),
            system: version,
            store: try Label(validating: "Play"),
            liveSince: Instant(millisecondsSince1970: 0)
        )
        var rest = all
        rest.apply(ReleaseFacts().edit(fact))
        let amended = EventAnswer(
            try sampleEvent(
                .app(.releaseAmended(Release(platform: .android, version: version, facts: rest))),
                on: harbour
            ),
            replacing: .release(Release(platform: .android, version: version, facts: all))
        )
        let words = try #require(all.words(fact))
        #expect(amended.differences.map(\.member) == [fact.rawValue])
        #expect(amended.differences.map(\.before) == [words])
        #expect(amended.differences.map(\.after) == [nil])
    }

    @Test func `a count of devices says what was counted before`() throws {
        let versions = try ["3.1.0", "3.2.0"].map {
            VersionValue.dotted(try #require(AppleVersion($0)))
        }
        let before = VersionShares(rows: [
            VersionShares.Row(app: versions[0], system: nil, devices: 70),
            VersionShares.Row(app: versions[1], system: versions[0], devices: 30),
        ])
        let after = VersionShares(rows: [
            VersionShares.Row(app: versions[0], system: nil, devices: 70),
            VersionShares.Row(app: versions[1], system: versions[1], devices: 50),
        ])
        let event = try sampleEvent(.app(.versionSharesReplaced(.ios, after)), on: harbour)
        let answer = EventAnswer(event, replacing: .shares(before))
        #expect(answer.sentence == "harbour iOS has a count of 120 devices, 100 before")
        #expect(
            answer.differences.map(\.sentence) == [
                "devices 100 → 120", "devices with 3.2.0 on 3.1.0 30 → unset",
                "devices with 3.2.0 on 3.2.0 unset → 50",
            ]
        )
        let first = EventAnswer(event)
        #expect(first.sentence == "harbour iOS has a count of 120 devices")
        #expect(first.differences.first?.sentence == "devices unset → 120")
    }

    @Test func `a freeze that ends says since when it was`() throws {
        let began = try sampleEvent(.app(.freeze(.started)), on: harbour)
        let since = began.recordedAt.rfc3339
        for (event, stream, subject) in [
            (Event.app(.freeze(.ended)), try harbour, "harbour"),
            (.service(.freeze(.ended)), .service, "everything"),
        ] {
            let freeze = Freeze(began)
            let answer = EventAnswer(
                try sampleEvent(event, on: stream),
                replacing: .freeze(freeze)
            )
            #expect(answer.sentence == "The freeze of \(subject) since \(since) ended")
            #expect(answer.differences.map(\.before) == [since])
        }
        #expect(EventAnswer(began).differences.map(\.after) == [since])
    }

    private var harbour: StreamName {
        get throws { .app(try #require(AppSlug("harbour"))) }
    }
}

/// Asks for nobody's approval of a raise, and refuses to lower a minimum.
func laxPolicy() throws -> Policy {
    Policy(
        rules: Policy.builtIn.rules.merging([.raiseMinimum: ApprovalRule(requirements: [])]) { $1 },
        emergencyReview: Policy.builtIn.emergencyReview,
        rollbackReview: nil,
        graceSeconds: Policy.builtIn.graceSeconds,
        checks: [.minimumLowered: CheckRule(.refuse, overridableBy: .admin)]
    )
}
