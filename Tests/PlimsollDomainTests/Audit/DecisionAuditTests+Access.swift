import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What becomes of people follows from what somebody might do, and so does what they approved.
extension DecisionAuditTests {
    private var why: Reason { get throws { try Reason(validating: "Because.") } }

    @Test mutating func `roles and principals come and go as somebody might have it`() throws {
        let warden = Person()
        try admit(warden, [.admin])
        let by = warden.principal
        let grant = RoleGrant(.proposer, in: .app(harbour))
        try perform(RevokeRole(grant, of: alice.principal, reason: why, by: by), warden.origin)
        try perform(SuspendPrincipal(alice.principal, reason: why, by: by), warden.origin)
        try perform(ResumePrincipal(alice.principal, reason: why, by: by), warden.origin)
        #expect(doubt() == nil)
        let before = (events, logState)
        record([(.access, .access(.principalSuspended(alice.principal)))], bob.origin)
        #expect(doubt()?.reason == .refused(Refusal(.roleMissing(.admin, .app(harbour)))))
        (events, logState) = before
        record([(.access, .access(.roleRevoked(bob.principal, grant)))], warden.origin)
        #expect(doubt()?.reason == .refused(Refusal(.nothingChanges)))
    }

    @Test mutating func `what is done with a token of somebody suspended is named`() throws {
        let warden = Person()
        try admit(warden, [.admin])
        let by = warden.principal
        try perform(SuspendPrincipal(bob.principal, reason: why, by: by), warden.origin)
        record([(.app(harbour), .app(.freeze(.started)))], bob.origin)
        #expect(doubt()?.reason == .notAuthentic)
    }

    // Goal: the audit counts approvals as the service did. Method: a change that needs two applies
    // with that of somebody who was suspended between.
    @Test mutating func `a change applied with the approval of somebody suspended is named`() throws
    {
        let (carol, dave) = (Person(), Person())
        try admit(carol, [.approver])
        try admit(dave, [.approver])
        let policy = Policy(
            rules: [
                .raiseMinimum: ApprovalRule(requirements: [ApprovalRequirement(2, of: .approver)])
            ]
        )
        try perform(
            ChangePolicy(of: .app(harbour), to: policy, seen: nil, reason: nil, by: .system),
            service
        )
        try propose("15.0")
        try approve(.first, by: bob)
        let warden = Person()
        try admit(warden, [.admin])
        let by = warden.principal
        try perform(SuspendPrincipal(bob.principal, reason: why, by: by), warden.origin)
        let before = (events, logState)
        try approve(.first, by: carol)
        #expect(logState.openChange(.first) != nil)
        let (last, digest) = (try #require(events.last), try hash(of: .first))
        let app = try #require(logState.app(harbour))
        let change = try #require(logState.openChange(.first))
        let operations = change.operations
        (events, logState) = before
        var append: [(StreamName, Event)] = [(last.stream, last.event)]
        append += operations.map { (.app(harbour), .app(AppEvent($0))) }
        append.append((.change(.first), .change(.changeApplied(app: app.slug, digest: digest))))
        record(append, carol.origin)
        #expect(doubt()?.reason == .another)
        (events, logState) = before
        try approve(.first, by: carol)
        try approve(.first, by: dave)
        #expect(logState.endOfChange(.first) == .applied)
        #expect(logState.lapsedApprovals(of: .first).map(\.by) == [bob.principal])
        #expect(doubt() == nil)
    }

    // Method: carol approves in harbour, loses a role in quay, and approves again, as she had to.
    @Test mutating func `what was decided when a role taken elsewhere took words follows`() throws {
        let (carol, dave) = (Person(), Person())
        try admit(carol, [.approver])
        try admit(dave, [.approver])
        let quay = slug("quay")
        let key = KeyRecord(id: KeyID(UUID()), app: quay, publicKey: [2])
        let registration = RegisterApp(
            slug: quay,
            settings: try settings(),
            key: key,
            isDefault: nil,
            by: .system
        )
        try perform(registration, service)
        let elsewhere = RoleGrant(.responder, in: .app(quay))
        try perform(
            AdmitPrincipal(carol.principal, grants: [elsewhere], by: .system),
            service
        )
        let policy = Policy(
            rules: [
                .raiseMinimum: ApprovalRule(requirements: [ApprovalRequirement(2, of: .approver)]),
                .offers: ApprovalRule(requirements: [ApprovalRequirement(1, of: .responder)]),
            ],
            emergencyReview: Policy.builtIn.emergencyReview,
            rollbackReview: nil,
            graceSeconds: 900
        )
        try perform(
            ChangePolicy(of: .app(harbour), to: policy, seen: nil, reason: nil, by: .system),
            service
        )
        try propose("15.0")
        try approve(.first, by: carol)
        try perform(
            RevokeRole(elsewhere, of: carol.principal, reason: nil, by: .system),
            service
        )
        let before = (events, logState)
        try approve(.first, by: dave)
        #expect(logState.endOfChange(.first) == .applied)
        #expect(doubt() == nil)
        (events, logState) = before
        try approve(.first, by: dave, under: .lapsingAnywhere)
        #expect(logState.openChange(.first) != nil)
        try approve(.first, by: carol, under: .lapsingAnywhere)
        #expect(logState.endOfChange(.first) == .applied)
        #expect(doubt() == nil)
    }

    @Test mutating func `a token renewed by its owner follows, and one made for longer does not`()
        throws
    {
        let guest = Person()
        let end = now.advanced(by: .seconds(3600))
        try admit(guest, [.viewer], until: end)
        func token(until end: Instant) -> TokenRecord {
            sampleToken(of: guest.principal, "9", until: end)
        }
        let before = (events, logState)
        let new = token(until: end)
        try perform(RenewToken(guest.token, as: new, by: guest.principal), guest.origin)
        #expect(doubt() == nil)
        (events, logState) = before
        let year = token(until: end.advanced(by: .seconds(366 * 86_400)))
        let until = now.advanced(by: RenewToken.overlap)
        record(
            [(.access, .access(.tokenRenewed(year, of: guest.token, until: until)))],
            guest.origin
        )
        #expect(doubt() != nil)
    }

    // Goal: what was slipped into an append is named, whatever the append is about. Method: a token
    // beside a proposal that is judged by how long its release has been in the store.
    @Test mutating func `a token slipped in beside a proposal is named`() throws {
        let release = Release(platform: .ios, version: dotted("3.1.0"), facts: ReleaseFacts())
        try perform(
            RegisterRelease(release, of: harbour, reason: nil, by: alice.principal),
            alice.origin
        )
        let command = try raise(to: "3.1.0", base: logState.position, by: alice.principal)
        let proposed = try command.decide(in: logState, at: now).events
        let token = sampleToken(of: alice.principal)
        record(
            proposed.map { ($0.stream, $0.event) } + [(.access, .access(.tokenIssued(token)))],
            alice.origin
        )
        #expect(doubt()?.position == logState.position)
        #expect(doubt()?.reason == .another)
    }

    // Goal: what earlier builds let through is no reason to doubt a log.
    @Test mutating func `an invisible character of before there was a rule is read and permitted`()
        throws
    {
        let command = try PlimsollTestSupport.propose(
            [
                Operation(.ios, .recommendedApp, .setValue(dotted("3.2.0"))),
                Operation(.ios, .recommendedApp, .setText(.title, tag("en"), text("Up\u{200B}"))),
                Operation(.ios, .recommendedApp, .setText(.description, tag("en"), text("x"))),
            ],
            base: logState.position,
            by: alice.principal
        )
        let old = try command.decide(in: logState.deciding(by: .original), at: now)
        record(old.events.map { ($0.stream, $0.event) }, alice.origin)
        try approve(.first, by: bob)
        #expect(logState.endOfChange(.first) == .applied)
        #expect(doubt() == nil)
    }

    // Goal: the same of a role that ended the last token of an administrator of everything.
    @Test mutating func `a role of before that left no administrator is read and permitted`() throws
    {
        let (chief, other) = (Person(), Person())
        func issue(
            _ id: TokenID,
            _ digit: Character,
            _ grant: RoleGrant,
            by giver: PrincipalID
        )
            throws -> IssueToken
        {
            let owner = giver == .system ? chief.principal : other.principal
            let hex = String(repeating: digit, count: 64)
            let secret = try #require(SecretDigest(hex: hex))
            let token = TokenRecord(id: id, principal: owner, secret: secret, expiresAt: nil)
            return IssueToken(token: token, grants: [grant], by: giver)
        }
        let admin = RoleGrant(.admin, in: .all)
        try perform(try issue(chief.token, "6", admin, by: .system), service)
        try perform(try issue(other.token, "7", admin, by: chief.principal), chief.origin)
        let by = other.principal
        try perform(SuspendPrincipal(chief.principal, reason: why, by: by), other.origin)
        let role = RoleGrant(.approver, in: .app(harbour))
        let command = try issue(TokenID(UUID()), "8", role, by: by)
        let (state, time) = (logState, now)
        #expect(throws: Refusal(.lastAdministrator)) { try command.decide(in: state, at: time) }
        let old = try command.decide(in: state.deciding(by: .original), at: time)
        record(old.events.map { ($0.stream, $0.event) }, other.origin)
        #expect(logState.access.token(other.token) == nil)
        #expect(doubt() == nil)
    }
}
