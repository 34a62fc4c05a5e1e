import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Identity has an end: roles go, people are suspended, and nobody locks everybody out.
@Suite struct SuspensionTests {
    private let why: Reason

    init() throws { why = try Reason(validating: "Laptop stolen") }

    private func suspend(_ principal: PrincipalID, by: PrincipalID = root) -> SuspendPrincipal {
        SuspendPrincipal(principal, reason: why, by: by)
    }

    private func revoke(
        _ role: Role,
        _ scope: Scope = .app(harbour),
        of principal: PrincipalID,
        by: PrincipalID = root
    ) -> RevokeRole {
        RevokeRole(RoleGrant(role, in: scope), of: principal, reason: nil, by: by)
    }

    private func proposed() throws -> Given {
        try Given.harbourApp().when(raise(to: "3.2.0", base: .start))
    }

    /// Two approvals are needed, and bob gave one.
    private func halfApproved() throws -> Given {
        let policy = Policy(
            rules: [
                .raiseMinimum: ApprovalRule(requirements: [ApprovalRequirement(2, of: .approver)])
            ]
        )
        let given = try Given.harbourApp()
            .when(root, (.app(harbour), .app(.policyChanged(policy))))
            .when(raise(to: "3.2.0", base: .start))
        let half = given.when(given.approve(.first))
        #expect(try half.approvalStatus(.first).approvals.map(\.by) == [bob])
        return half
    }

    @Test func `somebody who is suspended may do nothing, and all of it again once resumed`()
        throws
    {
        let token = sampleToken(of: alice)
        let given = try Given.harbourApp()
            .when(IssueToken(token: token, grants: [], by: root))
        let suspended = given.when(suspend(alice))
        let access = suspended.logState.access
        #expect(!access.permits(alice, .viewer, in: .app(harbour)))
        #expect(access.livingToken(token.id, at: testNow) == nil)
        #expect(access.token(secret: token.secret, at: testNow) == nil)
        #expect(access.principal(alice)?.suspension?.by == root)
        suspended.when(suspend(alice), refusedBy: .nothingChanges)
        try suspended.when(
            raise(to: "3.2.0", base: .start),
            refusedBy: .roleMissing(.proposer, .app(harbour))
        )
        suspended.when(
            IssueToken(token: sampleToken(of: alice), grants: [], by: root),
            refusedBy: .suspended(alice)
        )
        let resumed = suspended.when(ResumePrincipal(alice, reason: nil, by: root))
        #expect(resumed.logState.access.livingToken(token.id, at: testNow) == token)
        _ = try resumed.when(raise(to: "3.2.0", base: .start))
        resumed.when(ResumePrincipal(alice, reason: nil, by: root), refusedBy: .nothingChanges)
    }

    // What began before somebody was resumed, as a session of theirs, is over for good.
    @Test func `that somebody was suspended is known once they are resumed`() throws {
        let given = try Given.harbourApp().at(testNow)
        let later = testNow.advanced(by: .seconds(60))
        let access = given.logState.access
        #expect(!access.wasSuspended(alice, after: testNow))
        #expect(!access.wasSuspended(PrincipalID(UUID()), after: testNow))
        let suspended = given.when(suspend(alice))
        #expect(suspended.logState.access.wasSuspended(alice, after: later))
        let resumed = suspended.at(later).when(ResumePrincipal(alice, reason: nil, by: root))
        #expect(resumed.logState.access.wasSuspended(alice, after: testNow))
        #expect(!resumed.logState.access.wasSuspended(alice, after: later))
        #expect(!resumed.logState.access.wasSuspended(bob, after: testNow))
    }

    @Test func `only who could give may take away, and nobody learns who there is`() throws {
        let warden = PrincipalID(UUID())
        let given = try Given.harbourApp()
            .when(AdmitPrincipal(warden, grants: [RoleGrant(.admin, in: .app(harbour))], by: root))
        _ = given.when(suspend(alice, by: warden))
        _ = given.when(revoke(.proposer, of: alice, by: warden))
        // Rita's role holds everywhere.
        given.when(suspend(rita, by: warden), refusedBy: .roleMissing(.admin, .all))
        given.when(
            revoke(.responder, .all, of: rita, by: warden),
            refusedBy: .roleMissing(.admin, .all)
        )
        given.when(suspend(alice, by: bob), refusedBy: .roleMissing(.admin, .app(harbour)))
        let stranger = PrincipalID(UUID())
        given.when(suspend(stranger, by: bob), refusedBy: .roleMissing(.admin, .all))
        given.when(suspend(stranger), refusedBy: .nobodyKnown(stranger))
        given.when(revoke(.viewer, of: stranger), refusedBy: .nobodyKnown(stranger))
        given.when(revoke(.approver, of: alice), refusedBy: .nothingChanges)
        given.when(revoke(.proposer, .all, of: alice), refusedBy: .nothingChanges)
        given.when(suspend(.system), refusedBy: .nobodyKnown(.system))
    }

    @Test func `the last administrator who could come in stays`() throws {
        let other = PrincipalID(UUID())
        let admin = RoleGrant(.admin, in: .all)
        let given = try Given.harbourApp()
            .when(IssueToken(token: sampleToken(of: root), grants: [], by: .system))
            .when(AdmitPrincipal(other, grants: [admin], by: root))
        // The other one has no token, an expired one, or is suspended.
        given.when(suspend(root), refusedBy: .lastAdministrator)
        given.when(revoke(.admin, .all, of: root), refusedBy: .lastAdministrator)
        let brief = sampleToken(of: other, until: testNow.advanced(by: .seconds(1)))
        let both = given.when(IssueToken(token: brief, grants: [], by: root))
        _ = both.when(suspend(root))
        _ = both.when(revoke(.admin, .all, of: root))
        both.at(testNow.advanced(by: .seconds(1)))
            .when(suspend(root), refusedBy: .lastAdministrator)
        both.when(suspend(other)).when(suspend(root), refusedBy: .lastAdministrator)
        let last = try #require(both.logState.access.unrevokedTokens.first { $0.principal == root })
        given.when(RevokeToken(token: last.id, by: root), refusedBy: .lastAdministrator)
        _ = both.when(RevokeToken(token: last.id, by: root))
        #expect(Objection.lastAdministrator.remedy.contains("somebody else"))
    }

    // A role in a new place ends tokens whose issuers could not have given it, and the secret of the
    // one that comes with it may be lost on its way.
    @Test func `a new role does not end the last token of an administrator`() throws {
        let other = PrincipalID(UUID())
        let admin = RoleGrant(.admin, in: .all)
        let given = try Given.harbourApp()
            .when(IssueToken(token: sampleToken(of: other), grants: [admin], by: root))
            .when(suspend(root))
        let role = RoleGrant(.approver, in: .app(harbour))
        let more = IssueToken(token: sampleToken(of: other), grants: [role], by: other)
        given.when(more, refusedBy: .lastAdministrator)
        given.when(AdmitPrincipal(other, grants: [role], by: other), refusedBy: .lastAdministrator)
        let own = given.when(IssueToken(token: sampleToken(of: other), grants: [], by: other))
        _ = own.when(more)
    }

    @Test func `an approval lapses for good when whoever gave it is suspended`() throws {
        let half = try halfApproved()
        let suspended = half.when(suspend(bob))
        #expect(try suspended.approvalStatus(.first).approvals == [])
        let resumed = suspended.when(ResumePrincipal(bob, reason: nil, by: root))
        #expect(try resumed.approvalStatus(.first).approvals == [])
        let lapse = try #require(resumed.logState.lapsedApprovals(of: .first).first?.lapse)
        #expect(lapse.cause == .suspended && lapse.by == root)
        // They may give it again.
        let again = resumed.when(resumed.approve(.first))
        #expect(try again.approvalStatus(.first).approvals.map(\.by) == [bob])
        #expect(again.logState.lapsedApprovals(of: .first).count == 1)
    }

    @Test func `an approval lapses with the role, and stays where it did not rest on it`() throws {
        let half = try halfApproved()
        let gone = half.when(revoke(.approver, of: bob))
        #expect(try gone.approvalStatus(.first).approvals == [])
        let lapse = try #require(gone.logState.lapsedApprovals(of: .first).first?.lapse)
        #expect(lapse.cause == .roleRevoked(.approver))
        let back = gone.when(
            AdmitPrincipal(bob, grants: [RoleGrant(.approver, in: .app(harbour))], by: root)
        )
        #expect(try back.approvalStatus(.first).approvals == [])
        // Whoever has the role for all apps too loses nothing, and a viewer's decides nothing.
        let more = half.when(
            AdmitPrincipal(
                bob,
                grants: [RoleGrant(.approver, in: .all), RoleGrant(.viewer, in: .all)],
                by: root
            )
        )
        let kept = more.when(revoke(.approver, of: bob)).when(revoke(.viewer, .all, of: bob))
        #expect(try kept.approvalStatus(.first).approvals.map(\.by) == [bob])
    }

    // Goal: nobody's word goes with a role that it does not rest on. Method: bob loses one that
    // harbour asks for and that he had in quay; and one in harbour that nobody asked him as.
    @Test func `an approval stays where the role held elsewhere, or was not asked for`() throws {
        let quay = slug("quay")
        func asking(_ role: Role) -> Event {
            let rule = ApprovalRule(requirements: [ApprovalRequirement(2, of: role)])
            let policy = Policy(
                rules: Dictionary(uniqueKeysWithValues: ChangeKind.allCases.map { ($0, rule) }),
                emergencyReview: Policy.builtIn.emergencyReview,
                rollbackReview: nil,
                graceSeconds: 900,
                checks: [.textsEqual: CheckRule(.refuse, overridableBy: .auditor)]
            )
            return .app(.policyChanged(policy))
        }
        let given = try proposed()
            .when(root, (.app(quay), .app(.appRegistered(try settings()))))
            .when(
                AdmitPrincipal(
                    bob,
                    grants: [
                        RoleGrant(.auditor, in: .app(quay)),
                        RoleGrant(.responder, in: .app(harbour)),
                    ],
                    by: root
                )
            )
        let elsewhere = given.when(root, (.app(harbour), asking(.approver)))
        let unasked = given.when(root, (.app(harbour), asking(.responder)))
        let gone = [
            elsewhere.when(elsewhere.approve(.first)).when(revoke(.auditor, .app(quay), of: bob)),
            unasked.when(unasked.approve(.first)).when(revoke(.approver, of: bob)),
        ]
        for given in gone {
            #expect(try given.approvalStatus(.first).approvals.map(\.by) == [bob])
            #expect(given.logState.lapsedApprovals(of: .first).isEmpty)
            let former = given.logState.deciding(by: .lapsingAnywhere)
            let examined = try former.examined(.first, by: .system, testHash)
            #expect(former.approvalStatus(of: examined, at: testNow).approvals == [])
        }
    }

    @Test func `what somebody overrode is found again once they are suspended`() throws {
        let given = try proposed()
        let digest = given.digest(.first)
        let overridden = given.when(
            bob,
            (.change(.first), .change(.checkOverridden(.textsEqual, digest: digest)))
        )
        #expect(overridden.logState.openChange(.first)?.overrides.count == 1)
        let suspended = overridden.when(suspend(bob))
        #expect(suspended.logState.openChange(.first)?.overrides.isEmpty == true)
    }

    // Goal: nobody becomes impartial by taking a role back. Method: root let bob in; when bob has no
    // role any more, or others from somebody else, he still owes root.
    @Test func `what somebody owes is not forgotten with a role or a token`() throws {
        let other = PrincipalID(UUID())
        let token = sampleToken(of: bob)
        let given = try Given.harbourApp()
            .when(AdmitPrincipal(other, grants: [RoleGrant(.admin, in: .all)], by: .system))
            .when(AdmitPrincipal(bob, grants: [RoleGrant(.viewer, in: .all)], by: other))
            .when(IssueToken(token: token, grants: [], by: other))
            .when(revoke(.viewer, .all, of: bob))
            .when(RevokeToken(token: token.id, by: root))
            .when(revoke(.approver, of: bob))
        #expect(given.logState.access.grants(of: bob).isEmpty)
        #expect(given.logState.access.depends(bob, on: root))
        #expect(given.logState.access.depends(bob, on: other))
    }

    @Test func `whoever has no role any more is looked after where they had the last ones`() throws
    {
        let warden = PrincipalID(UUID())
        let given = try Given.harbourApp()
            .when(AdmitPrincipal(warden, grants: [RoleGrant(.admin, in: .app(harbour))], by: root))
            .when(IssueToken(token: sampleToken(of: alice), grants: [], by: root))
            .when(revoke(.proposer, of: alice))
        let token = try #require(given.logState.access.unrevokedTokens.first)
        given.when(
            RevokeToken(token: token.id, by: bob),
            refusedBy: .roleMissing(.admin, .app(harbour))
        )
        _ = given.when(RevokeToken(token: token.id, by: warden))
        _ = given.when(suspend(alice, by: warden))
        // Who lets her in elsewhere answers for what she may have kept from here.
        let (quay, other) = (slug("quay"), PrincipalID(UUID()))
        let registered = Event.app(.appRegistered(try settings()))
        given.when(root, (.app(quay), registered))
            .when(AdmitPrincipal(other, grants: [RoleGrant(.admin, in: .app(quay))], by: root))
            .when(
                AdmitPrincipal(alice, grants: [RoleGrant(.viewer, in: .app(quay))], by: other),
                refusedBy: .roleMissing(.admin, .all)
            )
    }

    // Goal: a list of principals leaves out roles in places that its reader does not know, and so does a
    // refusal. Method: alice has a role in an app of which warden knows nothing.
    @Test func `where somebody has roles is told to nobody who could not know`() throws {
        let (quay, warden) = (slug("quay"), PrincipalID(UUID()))
        let visit = RoleGrant(.viewer, in: .app(quay))
        let mine = sampleToken(of: alice)
        let given = try Given.harbourApp()
            .when(root, (.app(quay), .app(.appRegistered(try settings()))))
            .when(AdmitPrincipal(warden, grants: [RoleGrant(.admin, in: .app(harbour))], by: root))
            .when(IssueToken(token: mine, grants: [visit], by: root))
        given.when(suspend(alice, by: warden), refusedBy: .roleMissing(.admin, .all))
        given.when(
            RevokeToken(token: mine.id, by: warden),
            refusedBy: .roleMissing(.admin, .all)
        )
        let another = IssueToken(token: sampleToken(of: alice), grants: [], by: warden)
        given.when(another, refusedBy: .roleMissing(.admin, .all))
        let knowing = given.when(AdmitPrincipal(warden, grants: [visit], by: root))
        knowing.when(suspend(alice, by: warden), refusedBy: .roleMissing(.admin, .app(quay)))
        knowing.when(another, refusedBy: .roleMissing(.admin, .app(quay)))
    }

    @Test func `whose secrets somebody has seen is said when they are suspended`() throws {
        let warden = PrincipalID(UUID())
        let mine = sampleToken(of: alice)
        let given = try Given.harbourApp()
            .when(AdmitPrincipal(warden, grants: [RoleGrant(.admin, in: .app(harbour))], by: root))
            .when(IssueToken(token: mine, grants: [], by: warden))
            .when(IssueToken(token: sampleToken(of: bob), grants: [], by: root))
            .when(IssueToken(token: sampleToken(of: warden), grants: [], by: warden))
        for before in [given, given.when(suspend(warden))] {
            #expect(before.logState.access.tokensOfOthers(issuedBy: warden, at: testNow) == [mine])
        }
    }

    @Test func `an approval that counts no more keeps its first cause`() throws {
        let open = try Given.harbourApp()
            .when(StartFreeze(of: .all, reason: why, by: rita))
            .when(raise(to: "3.2.0", base: .start))
        let role = RoleGrant(.approver, in: .app(harbour))
        let gone = open.when(open.approve(.first))
            .when(RevokeRole(role, of: bob, reason: nil, by: root))
            .when(suspend(bob))
        let lapse = gone.logState.openChange(.first)?.approvals.first?.lapse
        #expect(lapse?.cause == .roleRevoked(.approver))
    }
}
