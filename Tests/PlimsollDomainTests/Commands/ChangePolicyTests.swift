import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct ChangePolicyTests {
    private func policy(_ count: Int) -> Policy {
        let rule = ApprovalRule(requirements: [ApprovalRequirement(count, of: .approver)])
        return Policy(rules: [.raiseMinimum: rule])
    }

    private func change(
        _ scope: Scope = .app(harbour),
        to policy: Policy?,
        seen: Position?
    ) -> ChangePolicy {
        ChangePolicy(of: scope, to: policy, seen: seen, reason: nil, by: root)
    }

    @Test func `the first policy of an app need not say what it saw, the second has to`() throws {
        let given = try Given.harbourApp().when(change(to: policy(2), seen: nil))
        let current = try #require(given.logState.policy(of: harbour).since)
        given.when(
            change(to: policy(3), seen: nil),
            refusedBy: .policyUnseen(.app(harbour), current: current)
        )
        given.when(
            change(to: nil, seen: nil),
            refusedBy: .policyUnseen(.app(harbour), current: current)
        )
        let next = given.when(change(to: policy(3), seen: current))
        #expect(next.logState.policy(of: harbour).policy == policy(3))
    }

    @Test func `of two who saw the same policy the second is told`() throws {
        let given = try Given.harbourApp().when(change(.all, to: policy(2), seen: .start))
        let seen = try #require(given.logState.defaultPolicyInForce.since)
        let first = given.when(change(.all, to: policy(3), seen: seen))
        let current = try #require(first.logState.defaultPolicyInForce.since)
        first.when(
            change(.all, to: policy(4), seen: seen),
            refusedBy: .policyDiffers(.all, seen: seen, current: current)
        )
    }

    @Test func `what an app inherits is seen as well, and can have changed`() throws {
        let given = try Given.harbourApp()
        let common = given.when(change(.all, to: policy(2), seen: nil))
        let current = try #require(common.logState.policy(of: harbour).since)
        common.when(
            change(to: policy(3), seen: .start),
            refusedBy: .policyDiffers(.app(harbour), seen: .start, current: current)
        )
        let own = common.when(change(to: policy(3), seen: current))
        #expect(own.logState.policy(of: harbour).isOwn)
        let reset = own.when(change(to: nil, seen: own.logState.policy(of: harbour).since))
        #expect(reset.logState.policy(of: harbour) == common.logState.policy(of: harbour))
        reset.when(change(to: nil, seen: current), refusedBy: .nothingChanges)
    }

    @Test func `a higher bar counts for what is open already, a lower one too`() throws {
        var given = try Given.harbourApp()
        given = given.when(try raise(to: "3.2.0", base: given.logState.position))
        let strict = given.when(change(to: policy(2), seen: nil))
        let once = strict.when(strict.approve(PlimsollTestSupport.change(1)))
        #expect(once.logState.openChange(PlimsollTestSupport.change(1)) != nil)
        let since = once.logState.policy(of: harbour).since
        let eased = once.when(change(to: policy(1), seen: since))
        #expect(try eased.approvalStatus(PlimsollTestSupport.change(1)).state == .approved)
    }
}
