import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Whoever changes the evidence has a hand in what is judged by it.
@Suite struct CountingTests {
    private let carol = PrincipalID(UUID())

    private func shares(_ devices: Int64) -> VersionShares {
        VersionShares(rows: [
            VersionShares.Row(app: dotted("3.0"), system: nil, devices: devices),
            VersionShares.Row(app: dotted("3.2"), system: nil, devices: 10),
        ])
    }

    private func count(
        _ devices: Int64,
        on platform: Platform = .ios,
        by person: PrincipalID
    ) -> ReplaceVersionShares {
        ReplaceVersionShares(
            of: harbour,
            on: platform,
            with: platform == .ios
                ? shares(devices)
                : VersionShares(rows: [
                    VersionShares.Row(app: code(310), system: nil, devices: devices)
                ]),
            reason: nil,
            by: person
        )
    }

    private func remove(by person: PrincipalID) -> RemoveVersionShares {
        RemoveVersionShares(of: harbour, on: .ios, reason: nil, by: person)
    }

    private func policy(
        _ shares: FactRule = .usual,
        _ checks: [CheckName: CheckRule] = [:],
        _ rule: ApprovalRequirement = ApprovalRequirement(1, of: .approver)
    ) -> Policy {
        Policy(
            rules: [.raiseMinimum: ApprovalRule(requirements: [rule])],
            checks: checks,
            blockedPercentMaximum: 20,
            shares: shares
        )
    }

    /// Carol may count as well as approve; nobody of them owes another anything.
    private func given(_ policy: Policy? = nil) throws -> Given {
        let roles = [Role.approver, .proposer].map { RoleGrant($0, in: .app(harbour)) }
        let given = try Given.harbourApp().when(AdmitPrincipal(carol, grants: roles, by: .system))
        guard let policy else { return given }
        return given.when(
            ChangePolicy(of: .app(harbour), to: policy, seen: nil, reason: nil, by: root)
        )
    }

    private func raised(_ given: Given) throws -> Given {
        given.when(try raise(to: "3.2", base: given.logState.position))
    }

    @Test(arguments: [Scope.app(harbour), .all])
    func `only those whom the policy names count devices, or take a count away`(scope: Scope) throws
    {
        let rule = FactRule(roles: [.responder])
        let given = try Given.harbourApp().when(
            ChangePolicy(of: scope, to: policy(rule), seen: nil, reason: nil, by: root)
        )
        let refusal = Objection.sharesReserved(harbour, rule)
        given.when(count(10, by: alice), refusedBy: refusal)
        given.when(count(10, by: root), refusedBy: refusal)
        let counted = given.when(count(10, by: rita))
        counted.when(remove(by: alice), refusedBy: refusal)
        _ = counted.when(remove(by: rita))
        #expect(refusal.detail.contains("the rule shares"))
        // Whoever may not see the app learns nothing of its policy.
        given.when(
            count(10, by: PrincipalID(UUID())),
            refusedBy: .roleMissing(.proposer, .app(harbour))
        )
    }

    @Test func `where no policy speaks of it a proposer and an administrator count`() throws {
        let given = try given()
        _ = given.when(count(10, by: alice)).when(count(20, by: root)).when(remove(by: alice))
        given.when(count(10, by: bob), refusedBy: .roleMissing(.proposer, .app(harbour)))
    }

    @Test func `a rule that nobody could satisfy is refused by name`() throws {
        let policy = policy(FactRule(roles: []))
        try given().when(
            ChangePolicy(of: .app(harbour), to: policy, seen: nil, reason: nil, by: root),
            refusedBy: .listEmpty(at: "/shares/roles")
        )
    }

    @Test func `who counts anew while a change is open cannot approve it`() throws {
        let open = try raised(given())
        let counted = open.when(count(10, by: carol))
        counted.when(counted.approve(.first, by: carol), refusedBy: .contributed(.first))
        _ = counted.when(counted.approve(.first, by: bob))
        // To take the count away is the same; of another platform, or before, it is not.
        let removed = open.when(count(10, by: alice)).when(remove(by: carol))
        removed.when(removed.approve(.first, by: carol), refusedBy: .contributed(.first))
        let elsewhere = open.when(count(10, on: .android, by: carol))
        _ = elsewhere.when(elsewhere.approve(.first, by: carol))
        let before = try raised(given().when(count(10, by: carol)))
        _ = before.when(before.approve(.first, by: carol))
    }

    @Test func `what whoever counts had approved before counts no more, and says why`() throws {
        let two = ApprovalRequirement(2, of: .approver)
        let half = try raised(given(policy(.usual, [:], two)))
        let approved = half.when(half.approve(.first, by: carol))
        let counted = approved.when(count(10, by: carol))
        #expect(try counted.approvalStatus(.first).approvals == [])
        let (logState, change) = (
            counted.logState, try #require(counted.logState.openChange(.first))
        )
        let examined = try logState.examined(.first, by: .system, testHash)
        let status = try counted.approvalStatus(.first)
        let approval = try #require(change.approvals.first)
        let void = logState.void(approval, of: change, examined.content, examined.digest, status)
        #expect(void?.cause == .contributed)
    }

    // Goal: nobody counts for a platform that a revision brings in afterwards.
    @Test func `a revision is judged by who counted for all that it is about`() throws {
        let open = try raised(given())
        let counted = open.when(count(10, on: .android, by: carol))
        let revised = counted.when(
            ReviseChange(
                change: .first,
                seen: counted.digest(.first),
                title: nil,
                base: counted.logState.position,
                operations: [
                    Operation(.android, .minimumApp, .setValue(code(310))),
                    Operation(
                        .android,
                        .minimumApp,
                        .setText(.description, tag("en"), try text("x"))
                    ),
                ],
                schedule: nil,
                reason: nil,
                by: alice,
                hash: testHash
            )
        )
        revised.when(revised.approve(.first, by: carol), refusedBy: .contributed(.first))
    }

    @Test func `an approval says by which counts the change was judged`() throws {
        let counted = try raised(given().when(count(1000, by: alice)))
        let position = try #require(counted.logState.app(harbour)?.counts[.ios]?.position)
        let digest = counted.digest(.first)
        let decision = try counted.approve(.first).decide(in: counted.logState, at: testNow)
        let approved = ChangeEvent.changeApproved(
            digest: digest,
            comment: nil,
            counted: [.ios: position]
        )
        #expect(decision.events.first?.event == .change(approved))
    }

    private func approve(_ given: Given, having counted: [Platform: Position]) -> ApproveChange {
        ApproveChange(
            change: .first,
            seen: given.digest(.first),
            comment: nil,
            counted: counted,
            by: bob,
            hash: testHash
        )
    }

    @Test func `who says which counts they saw approves by no others`() throws {
        let counted = try raised(given().when(count(1000, by: alice)))
        let seen = try #require(counted.logState.app(harbour)?.counts[.ios]?.position)
        let again = counted.when(count(1, by: carol))
        let now = again.logState.position
        again.when(
            approve(again, having: [.ios: seen]),
            refusedBy: .countsDiffer(.first, .ios, seen: seen, current: now)
        )
        again.when(
            approve(again, having: [:]),
            refusedBy: .countsDiffer(.first, .ios, seen: .start, current: now)
        )
        again.when(
            approve(again, having: [.ios: now, .jvm: now]),
            refusedBy: .countsDiffer(.first, .jvm, seen: now, current: .start)
        )
        _ = again.when(approve(again, having: [.ios: now]))
        #expect(Objection.countsDiffer(.first, .ios, seen: seen, current: now).kind == .stale)
    }

    // Goal: the trick by which the author went round a check that nobody may override. Method: the
    // author counts until the check finds nothing; an approver with the old look is refused, and the
    // new one shows who counted.
    @Test func `the author who makes the devices fit is seen`() throws {
        let refused = CheckRule(.refuse, overridableBy: .approver)
        let given = try given(policy(.usual, [.blocksMany: refused])).when(count(1000, by: root))
        let open = try raised(given)
        let seen = try #require(open.logState.app(harbour)?.counts[.ios]?.position)
        let cheated = open.when(count(1, by: alice))
        cheated.when(
            approve(cheated, having: [.ios: seen]),
            refusedBy: .countsDiffer(.first, .ios, seen: seen, current: cheated.logState.position)
        )
        #expect(cheated.logState.app(harbour)?.counts[.ios]?.actor == alice)
    }

    @Test func `an override of what devices showed is of the count that it was given for`() throws {
        let refused = CheckRule(.refuse, overridableBy: .approver)
        let given = try given(policy(.usual, [.blocksMany: refused])).when(count(1000, by: root))
        let open = try raised(given)
        let overridden = open.when(
            OverrideCheck(
                change: .first,
                seen: open.digest(.first),
                check: .blocksMany,
                reason: try Reason(validating: "They are test devices"),
                by: bob,
                hash: testHash
            )
        )
        _ = overridden.when(overridden.approve(.first, by: carol))
        let again = overridden.when(count(2000, by: root))
        let change = try #require(again.logState.openChange(.first))
        let checks = again.logState.checks(of: change, digest: again.digest(.first), at: testNow)
        #expect(checks.contains { $0.finding.check == .blocksMany && $0.isRefused })
    }
}
