import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct PolicyTests {
    private let somebody = PrincipalID(UUID())

    private func policy(
        _ rule: ApprovalRule,
        graceSeconds: Int64 = 900,
        storeSeconds: Int64 = Policy.storeSecondsUsual,
        blockedPercentMaximum: Int64? = nil
    ) -> Policy {
        Policy(
            rules: Policy.builtIn.rules.merging([.raiseMinimum: rule]) { $1 },
            emergencyReview: Policy.builtIn.emergencyReview,
            rollbackReview: nil,
            graceSeconds: graceSeconds,
            storeSeconds: storeSeconds,
            blockedPercentMaximum: blockedPercentMaximum
        )
    }

    @Test(arguments: [(1, "1 approval by", "is needed"), (2, "2 approvals by", "are needed")])
    func `what nobody can give is told of one approval as of one`(
        _ count: Int,
        _ subject: String,
        _ predicate: String
    ) {
        let requirement = ApprovalRequirement(count, of: .approver)
        let sentence = PolicyGap.approvals([.text], requirement, have: 0).sentence()
        #expect(sentence.contains(subject))
        #expect(sentence.contains(predicate), "\(sentence)")
    }

    @Test func `a policy comes back from its JSON as it was`() throws {
        let rule = ApprovalRule(
            requirements: [ApprovalRequirement(2, of: .approver, people: [somebody])],
            validSeconds: 3600
        )
        for policy in [
            policy(rule), policy(rule, storeSeconds: 0, blockedPercentMaximum: 10),
        ] {
            let form = PolicyForm(policy: policy, reason: try Reason(validating: "Because"))
            #expect(try PolicyForm(body: form.bytes) == form)
        }
    }

    @Test func `what a file leaves out is as in the built-in policy, but for the rules`() throws {
        #expect(try PolicyForm(body: Array(#"{"rules": {}}"#.utf8)).policy == .builtIn)
        #expect(throws: Problem.self) { try PolicyForm(body: Array("{}".utf8)) }
        #expect(throws: Problem.self) { try PolicyForm(body: Array(#"{"rules": null}"#.utf8)) }
    }

    @Test func `a rule is said in words, with people by their names`() {
        let rule = ApprovalRule(
            requirements: [
                ApprovalRequirement(2, of: .approver),
                ApprovalRequirement(1, of: .auditor, people: [somebody]),
            ],
            validSeconds: 86_400
        )
        let clause = policy(rule).clauses { _ in "bob" }.first
        #expect(
            clause?.sentence == "Raising a minimum needs 2 approvals by people in the role approver"
                + " and 1 approval of bob in the role auditor; an approval counts for 1 day."
        )
        let none = policy(ApprovalRule(requirements: [])).clauses().first
        #expect(none?.sentence == "Raising a minimum needs nobody's approval.")
    }

    @Test func `two policies differ in the clauses that move, and in no others`() throws {
        let rule = try #require(Policy.builtIn.rules[.raiseMinimum])
        #expect(Policy.builtIn.differences(to: policy(rule)).isEmpty)
        let changes = Policy.builtIn.differences(
            to: policy(ApprovalRule(requirements: []), graceSeconds: 0)
        )
        #expect(changes.map(\.member) == ["rules.raiseMinimum", "graceSeconds"])
        #expect(changes.last?.before == "is made up for within 15 minutes")
        #expect(changes.last?.after == "is not made up for")
    }

    @Test(arguments: [
        (60, "1 minute"), (61, "61 seconds"), (3600, "1 hour"), (5400, "90 minutes"),
        (172_800, "2 days"), (1, "1 second"),
    ])
    func `a time is said in the largest unit that fits`(_ seconds: Int64, _ words: String) throws {
        let rule = try #require(Policy.builtIn.rules[.raiseMinimum])
        let clause = policy(rule, graceSeconds: seconds).clauses().last
        #expect(clause?.predicate == "is made up for within \(words)")
    }

    // Every member of a policy is said somewhere, or a difference would be shown as none.
    @Test func `whatever differs in a policy is said`() {
        let base = policy(ApprovalRule(requirements: [ApprovalRequirement(1, of: .approver)]))
        let others = [
            ApprovalRule(requirements: [ApprovalRequirement(2, of: .approver)]),
            ApprovalRule(requirements: [ApprovalRequirement(1, of: .auditor)]),
            ApprovalRule(requirements: [ApprovalRequirement(1, of: .approver, people: [somebody])]),
            ApprovalRule(
                requirements: [ApprovalRequirement(1, of: .approver)],
                validSeconds: 60
            ),
        ].map { policy($0) }
        for other in others {
            #expect(base.differences(to: other).map(\.member) == ["rules.raiseMinimum"])
        }
        let rule = ApprovalRule(requirements: [ApprovalRequirement(1, of: .approver)])
        for (other, name) in [
            (policy(rule, storeSeconds: 0), "storeSeconds"),
            (policy(rule, blockedPercentMaximum: 0), "blockedPercentMaximum"),
        ] {
            #expect(base.differences(to: other).map(\.member) == [name])
        }
        let review = ReviewRule(role: .auditor, withinSeconds: 60)
        for (emergency, rollback, name) in [
            (review, ReviewRule?.none, "emergencyReview"),
            (base.emergencyReview, review, "rollbackReview"),
        ] {
            let other = Policy(
                rules: base.rules,
                emergencyReview: emergency,
                rollbackReview: rollback,
                graceSeconds: base.graceSeconds
            )
            #expect(base.differences(to: other).map(\.member) == [name])
        }
    }
}
