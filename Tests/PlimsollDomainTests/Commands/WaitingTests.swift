import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Whom a change waits for.
@Suite struct WaitingTests {
    private let carol = PrincipalID(UUID())

    private func given() throws -> Given {
        let grants = [RoleGrant(.approver, in: .app(harbour))]
        return try Given.harbourApp().when(AdmitPrincipal(carol, grants: grants, by: root))
    }

    private func givers(_ given: Given) throws -> Set<PrincipalID> {
        let change = try #require(given.logState.openChange(.first))
        let status = try given.approvalStatus(.first)
        return Set(
            status.missing.flatMap { given.logState.givers(of: $0, to: change, status) }
        )
    }

    private func waits(_ given: Given, for person: PrincipalID) throws -> Bool {
        let change = try #require(given.logState.openChange(.first))
        return given.logState.waits(change, for: person, testHash, at: testNow)
    }

    @Test func `those could approve who have the role and owe the author nothing`() throws {
        let open = try given().when(raise(to: "3.2.0", base: .start))
        #expect(try givers(open) == [bob, carol])
        for (person, waits) in [(bob, true), (carol, true), (alice, false), (rita, false)] {
            #expect(try self.waits(open, for: person) == waits)
        }
        let why = try Reason(validating: "Left us")
        let suspended = open.when(SuspendPrincipal(carol, reason: why, by: root))
        #expect(try givers(suspended) == [bob])
        #expect(try !waits(suspended, for: carol))
    }

    @Test func `who approved already is not asked again, and others are`() throws {
        let two = ApprovalRequirement(2, of: .approver)
        let policy = Policy(rules: [.raiseMinimum: ApprovalRule(requirements: [two])])
        let open = try given()
            .when(ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: root))
            .when(raise(to: "3.2.0", base: .start))
        let half = open.when(open.approve(.first))
        #expect(try givers(half) == [carol])
        #expect(try !waits(half, for: bob))
    }

    @Test func `what a reviewer wants otherwise, or others wrote over, waits for its author`()
        throws
    {
        let open = try given().when(raise(to: "3.2.0", base: .start))
        let wanted = open.when(
            try open.turnDown(.first, .changesRequested, because: "3.2.1 is out")
        )
        #expect(try waits(wanted, for: alice))
        #expect(try !waits(wanted, for: bob))
        let raised = Event.app(.thresholdSet(.ios, .minimumApp, dotted("3.1.0")))
        let overwritten = open.when(.system, (.app(harbour), raised))
        #expect(try waits(overwritten, for: alice))
        #expect(try !waits(overwritten, for: bob))
    }

    // Goal: an approval that ended before its change came due is not waited for in silence.
    @Test(arguments: [(SuspensionCause.approvals, true), (.missed, false)])
    func `what is suspended waits for its author, and for approvals where it lacks them`(
        _ cause: SuspensionCause,
        _ isAsked: Bool
    ) throws {
        let open = try given().when(raise(to: "3.2.0", base: .start))
        let suspended = open.when(.system, (.change(.first), .change(.changeSuspended(cause))))
        #expect(try waits(suspended, for: alice))
        #expect(try waits(suspended, for: bob) == isAsked)
        #expect(try !waits(suspended, for: rita))
        let approved = suspended.when(suspended.approve(.first))
        #expect(try waits(approved, for: alice))
        #expect(try !waits(approved, for: bob))
    }

    @Test func `what only waits for the end of a freeze waits for nobody`() throws {
        let why = try Reason(validating: "Holidays")
        let frozen = try given().when(raise(to: "3.2.0", base: .start))
            .when(StartFreeze(of: .all, reason: why, by: rita))
        let approved = frozen.when(frozen.approve(.first))
        #expect(try approved.approvalStatus(.first).state == .approved)
        #expect(try !waits(approved, for: alice))
    }
}
