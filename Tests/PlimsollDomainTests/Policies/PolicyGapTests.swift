import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What a policy asks for that nobody can give.
@Suite struct PolicyGapTests {
    private func policy(
        _ requirements: ApprovalRequirement...,
        checks: [CheckName: CheckRule] = [:],
        review: Role = .approver,
        releases: FactRule = .usual
    ) -> Policy {
        Policy(
            rules: [.raiseMinimum: ApprovalRule(requirements: requirements)],
            emergencyReview: ReviewRule(role: review, withinSeconds: 60),
            rollbackReview: ReviewRule(role: review, withinSeconds: 60),
            graceSeconds: 900,
            checks: checks,
            releases: releases
        )
    }

    private func gaps(_ policy: Policy, _ scope: Scope = .app(harbour)) throws -> [PolicyGap] {
        try Given.harbourApp().logState.gaps(in: policy, of: scope)
    }

    @Test func `people in every role leave no gap`() throws {
        #expect(try gaps(.builtIn) == [])
        #expect(try gaps(.builtIn, .all) == [])
        let named = policy(ApprovalRequirement(1, of: .approver, people: [bob]))
        #expect(try gaps(named) == [])
    }

    @Test func `more approvals than people are told once, with all they are needed for`() throws {
        let two = ApprovalRequirement(2, of: .approver)
        let twice = Policy(
            rules: [
                .raiseMinimum: ApprovalRule(requirements: [two]),
                .text: ApprovalRule(requirements: [two]),
            ]
        )
        let expected = PolicyGap.approvals([.raiseMinimum, .text], two, have: 1)
        #expect(try gaps(twice) == [expected])
        #expect(try gaps(twice, .all) == [expected])
    }

    @Test func `a person who is named and has another role cannot approve`() throws {
        let requirement = ApprovalRequirement(1, of: .approver, people: [alice])
        let expected = PolicyGap.approvals([.raiseMinimum], requirement, have: 0)
        #expect(try gaps(policy(requirement)) == [expected])
    }

    // Quay has an administrator and a responder, who are those of all apps.
    @Test func `roles that nobody has there are named, each for what it is for`() throws {
        let quay = slug("quay")
        let registered = AppEvent.appRegistered(try settings())
        let logState = try Given.harbourApp().when(root, (.app(quay), .app(registered))).logState
        let rule = FactRule(roles: [.proposer], people: [bob])
        let one = ApprovalRequirement(1, of: .approver)
        let override = CheckRule(.refuse, overridableBy: .proposer)
        let alone = policy(one, checks: [.textLong: override], releases: rule)
        #expect(
            Set(logState.gaps(in: alone, of: .app(quay))) == [
                .approvals(ChangeKind.allCases, one, have: 0),
                .override(.minimumUnreleased, .approver),
                .override(.minimumNotOffered, .approver),
                .override(.minimumAppLeftBehind, .approver), .override(.textLong, .proposer),
                .review(.approver), .releases(rule),
            ]
        )
        #expect(logState.gaps(in: .builtIn, of: .all) == [])
        // It has no review of rollbacks.
        #expect(logState.gaps(in: .builtIn, of: .app(quay)).contains(.review(.approver)))
        let night = policy(ApprovalRequirement(1, of: .responder), review: .responder)
        #expect(!logState.gaps(in: night, of: .app(quay)).contains(.review(.responder)))
    }
}
