import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct AccessTests {
    private func secret(_ digit: Character) throws -> SecretDigest {
        try #require(SecretDigest(hex: String(repeating: digit, count: 64)))
    }

    private func issue(
        _ grants: [RoleGrant],
        to principal: PrincipalID = PrincipalID(UUID()),
        expiresAt: Instant? = nil,
        by giver: PrincipalID = root
    ) throws -> IssueToken {
        IssueToken(
            token: TokenRecord(
                id: TokenID(UUID()),
                principal: principal,
                secret: try secret("1"),
                expiresAt: expiresAt
            ),
            grants: grants,
            by: giver
        )
    }

    @Test func `a token lives until it expires or is revoked`() throws {
        let expiry = Instant(millisecondsSince1970: 1000)
        let command = try issue([RoleGrant(.viewer, in: .all)], expiresAt: expiry)
        let given = try Given.harbourApp().at(Instant(millisecondsSince1970: 1)).when(command)
        let secret = try secret("1")
        let access = given.logState.access
        #expect(access.token(secret: secret, at: Instant(millisecondsSince1970: 999)) != nil)
        #expect(access.token(secret: secret, at: expiry) == nil)
        let revoked = given.when(RevokeToken(token: command.token.id, by: root)).logState.access
        #expect(revoked.token(secret: secret, at: Instant(millisecondsSince1970: 0)) == nil)
        given.when(RevokeToken(token: command.token.id, by: root))
            .when(
                RevokeToken(token: command.token.id, by: root),
                refusedBy: .tokenUnknown(command.token.id)
            )
    }

    @Test(arguments: [-1, 0, 1])
    func `a token that would be dead already is refused`(end: Int64) throws {
        let (end, now) = (Instant(millisecondsSince1970: end), Instant(millisecondsSince1970: 1))
        try Given.harbourApp().at(now).when(
            try issue([RoleGrant(.viewer, in: .all)], expiresAt: end),
            refusedBy: .expiryPassed(end, now: now)
        )
        #expect(Objection.expiryPassed(end, now: now).pointer == "/expiresAt")
    }

    @Test func `a dead token and a missing role are refused at once`() throws {
        let (end, now) = (Instant(millisecondsSince1970: 0), Instant(millisecondsSince1970: 1))
        try Given.harbourApp().at(now).when(
            try issue([], expiresAt: end),
            refusedBy: .listEmpty(at: "/roles"),
            .expiryPassed(end, now: now)
        )
    }

    @Test func `somebody is admitted without a token, and once`() throws {
        let grant = RoleGrant(.proposer, in: .app(harbour))
        let command = AdmitPrincipal(PrincipalID(UUID()), grants: [grant, grant], by: root)
        let given = try Given.harbourApp().when(command)
        #expect(given.logState.access.grants(of: command.principal) == [grant])
        #expect(given.logState.access.unrevokedTokens.isEmpty)
        given.when(command, refusedBy: .nothingChanges)
        given.when(
            AdmitPrincipal(PrincipalID(UUID()), grants: [grant], by: alice),
            refusedBy: .roleMissing(.admin, .app(harbour))
        )
    }

    @Test func `an administrator of everything has an account forgotten, however often`() throws {
        let given = try Given.harbourApp()
        let warden = try issue([RoleGrant(.admin, in: .app(harbour))])
        given.when(ForgetAccount(by: root), then: [.service(.accountForgotten)])
        let forgotten = given.when(ForgetAccount(by: root))
        forgotten.when(ForgetAccount(by: root), then: [.service(.accountForgotten)])
        for somebody in [alice, warden.token.principal] {
            given.when(warden).when(
                ForgetAccount(by: somebody),
                refusedBy: .roleMissing(.admin, .all)
            )
        }
    }

    @Test func `a name is erased once, by an administrator of everything`() throws {
        let given = try Given.harbourApp()
        let warden = try issue([RoleGrant(.admin, in: .app(harbour))])
        given.when(EraseName(of: alice, by: root), then: [.access(.nameErased(alice))])
        let erased = given.when(EraseName(of: alice, by: root))
        #expect(erased.logState.access.erased.contains(alice))
        // They can act as before.
        #expect(erased.logState.access.permits(alice, .proposer, in: .app(harbour)))
        erased.when(EraseName(of: alice, by: root), refusedBy: .nothingChanges)
        let stranger = PrincipalID(UUID())
        given.when(EraseName(of: stranger, by: root), refusedBy: .nobodyKnown(stranger))
        for somebody in [alice, warden.token.principal] {
            given.when(warden).when(
                EraseName(of: alice, by: somebody),
                refusedBy: .roleMissing(.admin, .all)
            )
        }
    }

    @Test func `nobody hands out what they do not administer`() throws {
        let given = try Given.harbourApp()
        let warden = PrincipalID(UUID())
        let local = given.when(
            try issue([RoleGrant(.admin, in: .app(harbour))], to: warden)
        )
        _ = local.when(try issue([RoleGrant(.proposer, in: .app(harbour))], by: warden))
        local.when(
            try issue([RoleGrant(.viewer, in: .all)], by: warden),
            refusedBy: .roleMissing(.admin, .all)
        )
        local.when(
            try issue([RoleGrant(.viewer, in: .app(harbour))], to: rita, by: warden),
            refusedBy: .roleMissing(.admin, .all)
        )
        given.when(
            try issue([RoleGrant(.viewer, in: .all)], by: alice),
            refusedBy: .roleMissing(.admin, .all)
        )
    }

    @Test func `whoever let somebody in does not rise with them`() throws {
        let (warden, dave) = (PrincipalID(UUID()), PrincipalID(UUID()))
        let old = try issue([RoleGrant(.viewer, in: .app(harbour))], to: dave, by: warden)
        let own = try issue([], to: dave)
        let given = try Given.harbourApp()
            .when(try issue([RoleGrant(.admin, in: .app(harbour))], to: warden))
            .when(old)
            .when(own)
        let local = try issue([RoleGrant(.approver, in: .app(harbour))], to: dave)
        #expect(given.when(local).logState.access.token(old.token.id) == old.token)
        let rise = try issue([RoleGrant(.admin, in: .all)], to: dave)
        given.when(
            rise,
            then: [
                .access(.tokenRevoked(old.token.id)),
                .access(.roleGranted(dave, RoleGrant(.admin, in: .all))),
                .access(.tokenIssued(rise.token)),
            ]
        )
    }

    @Test func `a new principal needs a role, and roles need apps that exist`() throws {
        let given = try Given.harbourApp()
        given.when(try issue([]), refusedBy: .listEmpty(at: "/roles"))
        given.when(
            try issue([RoleGrant(.viewer, in: .app(slug("nowhere")))]),
            refusedBy: .scopeUnknown(slug("nowhere"), at: "/roles/0/app")
        )
    }

    @Test func `whether there is an app is told to nobody who could not see it`() throws {
        let given = try Given.harbourApp()
        for app in [harbour, slug("nowhere")] {
            given.when(
                try issue([RoleGrant(.viewer, in: .app(app))], by: alice),
                refusedBy: .roleMissing(.admin, .app(app))
            )
        }
    }

    @Test func `an administrator reads everything and decides nothing`() {
        #expect(Role.admin.includes(.viewer) && Role.admin.includes(.auditor))
        for role in [Role.proposer, .approver, .responder] { #expect(!Role.admin.includes(role)) }
        for role in Role.allCases { #expect(role.includes(.viewer)) }
    }

    @Test func `a role for one app says nothing about another`() throws {
        let access = try Given.harbourApp().logState.access
        #expect(access.permits(alice, .proposer, in: .app(harbour)))
        #expect(access.permits(alice, .viewer, in: .app(harbour)))
        #expect(!access.permits(alice, .proposer, in: .app(slug("other"))))
        #expect(!access.permits(alice, .proposer, in: .all))
        #expect(access.permits(rita, .responder, in: .app(slug("other"))))
        #expect(!access.permits(PrincipalID(UUID()), .viewer, in: .app(harbour)))
    }

    @Test func `whoever was let in without a name was let in before there were names`() throws {
        let old = try Given.harbourApp()
        #expect(old.logState.access.namesCommittedSince == nil)
        #expect(old.logState.access.principal(alice)?.isBeforeNames == true)
    }
}
