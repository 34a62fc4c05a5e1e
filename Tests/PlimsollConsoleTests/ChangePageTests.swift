import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What is typed beside a decision on a change.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct ChangePageTests {
    // Method: it is sent twice, as where the first answer was lost.
    @Test func `what is typed beside a withdrawal is a comment, once`() async throws {
        try await ConsoleFixture.with { console in
            let alice = try await console.browser(of: "alice", [RoleGrant(.proposer, in: .all)])
            let proposal = ProposalForm(
                title: try Title(validating: "Raise the line"),
                reason: nil,
                base: console.useCases.position,
                operations: [
                    Operation(.ios, .minimumApp, .setValue(dotted("3.2.0"))),
                    Operation(
                        .ios,
                        .minimumApp,
                        .setText(.description, tag("en"), try text("Update to 3.2.0."))
                    ),
                ]
            )
            let change = try await console.useCases.propose(
                proposal,
                for: harbour,
                console.request(by: alice.caller)
            ).change
            let address = "/changes/\(change.summary.id)"
            let digest = try #require(change.digest)
            for _ in 1...2 {
                let withdrawn = try await alice.send(
                    [("_key", "one"), ("digest", digest.hex), ("comment", "Wrong number")],
                    to: "\(address)/withdraw"
                )
                #expect(withdrawn.status == .seeOther, "\(withdrawn.text)")
            }
            let page = try await alice.page(address)
            #expect(page.text.matches(of: /<blockquote><bdi>Wrong number</).count == 1)
        }
    }

    // Method: enough have approved, so that by their roles alone all of them might.
    @Test func `who had a hand in a change, or has approved it, is told so and not offered to`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let (alice, bob, carol) = try await console.readers()
            let dave = try await console.browser(of: "dave", [RoleGrant(.approver, in: .all)])
            let change = try await console.propose("3.2.0", by: alice)
            let revision = RevisionForm(
                title: nil,
                reason: nil,
                base: console.useCases.position,
                operations: try raise(to: "3.3.0", base: .start).operations,
                schedule: change.summary.schedule
            )
            let revised = try await console.useCases.revise(
                change.summary.id,
                seen: try #require(change.digest),
                revision,
                console.request(by: bob.caller)
            )
            let approved = try await console.useCases.approve(
                change.summary.id,
                seen: try #require(revised.digest),
                ApprovalForm(),
                console.request(by: carol.caller)
            )
            #expect(approved.summary.state == .scheduled)
            let told = [
                (bob, "You had a hand in change"), (carol, "You have approved change"), (dave, nil),
            ]
            for (reader, refusal) in told {
                let page = try await reader.page("/changes/\(change.summary.id)")
                #expect(page.text.contains("/approve\"") == (refusal == nil))
                #expect(refusal.map { page.text.contains($0) } ?? true)
                #expect(page.text.contains("/reject\""))
            }
        }
    }

    @Test func `who had a hand in a change is not offered to override what a check found in it`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let (alice, bob, carol) = try await console.readers()
            try await console.govern(
                checks: [.minimumLowered: CheckRule(.refuse, overridableBy: .approver)]
            )
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            _ = try await console.raise(.ios, to: dotted("4.0.0"), by: rita)
            let change = try await console.propose("3.2.0", by: alice)
            let digest = try #require(change.digest).hex
            let start = Instant.now.advanced(by: .seconds(7200)).rfc3339
            let scheduled = try await bob.send(
                [("digest", digest), ("at", start), ("zone", "UTC")],
                to: "/changes/\(change.summary.id)/schedule"
            )
            #expect(scheduled.status == .seeOther, "\(scheduled.text)")
            for (reader, isOffered) in [(alice, false), (bob, false), (carol, true)] {
                let page = try await reader.page("/changes/\(change.summary.id)")
                #expect(page.text.contains("/override\"") == isOffered)
            }
        }
    }

    @Test func `who proposes what nobody has to approve is told so`() async throws {
        try await ConsoleFixture.with { console in
            let alice = try await console.browser(of: "alice", [RoleGrant(.proposer, in: .all)])
            func proposed(_ version: String) async throws -> String {
                let answer = try await alice.send(
                    [
                        ("platform", "ios"), ("title", "Raise the line"),
                        ("ios.minimumApp.value", version),
                        ("ios.minimumApp.description.en", "Update to \(version)."),
                    ],
                    to: "/apps/harbour/propose"
                )
                return try #require(answer.target)
            }
            #expect(try await proposed("3.1.0").hasSuffix("?done=propose"))
            try await console.govern(rules: [.raiseMinimum: ApprovalRule(requirements: [])])
            #expect(try await proposed("3.2.0").hasSuffix("?done=propose-free"))
        }
    }

    @Test func `what nobody has to approve is offered to nobody twice`() async throws {
        try await ConsoleFixture.with { console in
            let alice = try await console.browser(of: "alice", [RoleGrant(.proposer, in: .all)])
            let bob = try await console.browser(of: "bob", [RoleGrant(.approver, in: .all)])
            try await console.govern(rules: [.raiseMinimum: ApprovalRule(requirements: [])])
            let change = try await console.propose("3.2.0", by: alice)
            let address = "/changes/\(change.summary.id)"
            #expect(try await bob.page(address).text.contains("/approve\""))
            _ = try await console.useCases.approve(
                change.summary.id,
                seen: try #require(change.digest),
                ApprovalForm(),
                console.request(by: bob.caller)
            )
            #expect(try await !bob.page(address).text.contains("/approve\""))
        }
    }
}

extension ConsoleFixture {
    /// Puts a policy of these rules and checks into force for all apps.
    fileprivate func govern(
        rules: [ChangeKind: ApprovalRule] = [:],
        checks: [CheckName: CheckRule] = [:]
    ) async throws {
        let usual = Policy.builtIn
        let policy = Policy(
            rules: usual.rules.merging(rules) { $1 },
            emergencyReview: usual.emergencyReview,
            rollbackReview: usual.rollbackReview,
            graceSeconds: usual.graceSeconds,
            checks: checks
        )
        _ = try await useCases.changePolicy(
            PolicyForm(policy: policy, reason: nil),
            of: .all,
            seen: nil,
            request(by: .system)
        )
    }

    /// Has somebody propose a minimum for an hour from now.
    fileprivate func propose(
        _ version: String,
        by browser: ConsoleBrowser
    ) async throws -> ChangeAnswer {
        let start = Instant.now.advanced(by: .seconds(3600))
        let form = ProposalForm(
            title: try Title(validating: "Raise the line"),
            reason: nil,
            base: useCases.position,
            operations: try PlimsollTestSupport.raise(to: version, base: .start).operations,
            schedule: Schedule(at: start, until: nil, timeZone: .utc)
        )
        return try await useCases.propose(form, for: harbour, request(by: browser.caller)).change
    }
}

extension ConsoleFixture {
    /// Alice proposes, Bob proposes and approves, and Carol approves.
    fileprivate func readers() async throws -> (ConsoleBrowser, ConsoleBrowser, ConsoleBrowser) {
        let proposer = RoleGrant(.proposer, in: .all)
        let approver = RoleGrant(.approver, in: .all)
        return (
            try await browser(of: "alice", [proposer]),
            try await browser(of: "bob", [proposer, approver]),
            try await browser(of: "carol", [approver])
        )
    }
}
