import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct RenewTokenTests {
    private let day = Duration.seconds(86_400)

    private func token(
        _ digit: Character,
        living life: Duration?,
        from start: Instant = testNow
    ) -> TokenRecord {
        sampleToken(of: alice, digit, until: life.map(start.advanced))
    }

    private func given(_ old: TokenRecord) throws -> Given {
        try Given.harbourApp().at(testNow).when(IssueToken(token: old, grants: [], by: root))
    }

    @Test func `a new token lives as long as the old one was to, which ends within minutes`() throws
    {
        let old = token("1", living: day)
        let later = testNow.advanced(by: .seconds(80_000))
        let new = token("2", living: day, from: later)
        let renewed = try given(old).at(later).when(RenewToken(old.id, as: new, by: alice))
        let access = renewed.logState.access
        let soon = later.advanced(by: .seconds(599))
        let over = later.advanced(by: .seconds(600))
        #expect(access.token(secret: new.secret, at: over) == new)
        #expect(access.livingToken(old.id, at: soon) != nil)
        #expect(access.livingToken(old.id, at: over) == nil)
    }

    @Test func `a day is not turned into a year, and what has no end gets one`() throws {
        let old = token("1", living: day)
        let long = token("2", living: .seconds(86_401))
        let latest = testNow.advanced(by: day)
        try given(old).when(
            RenewToken(old.id, as: long, by: alice),
            refusedBy: .expiryTooFar(latest: latest)
        )
        let endless = token("1", living: nil)
        let most = testNow.advanced(by: RenewToken.lifetimeMaximum)
        try given(endless).when(
            RenewToken(endless.id, as: token("2", living: nil), by: alice),
            refusedBy: .expiryTooFar(latest: most)
        )
        _ = try given(endless).when(
            RenewToken(endless.id, as: token("2", living: .seconds(90 * 86_400)), by: alice)
        )
        let dead = token("2", living: .zero)
        try given(old).when(
            RenewToken(old.id, as: dead, by: alice),
            refusedBy: .expiryPassed(testNow, now: testNow)
        )
    }

    @Test(arguments: [(-5, -5), (0, 0), (1, 0), (60, 0), (61, 61)])
    func `who asks for as long a life by a clock that is ahead gets just that`(
        _ asked: Int,
        _ given: Int
    ) throws {
        let old = token("1", living: day)
        let access = try self.given(old).logState.access
        let later = testNow.advanced(by: .seconds(80_000))
        let latest = later.advanced(by: day)
        #expect(
            access.end(
                ofRenewed: old.id,
                asked: latest.advanced(by: .seconds(asked)),
                at: later
            ) == latest.advanced(by: .seconds(given))
        )
        #expect(access.end(ofRenewed: old.id, asked: nil, at: later) == latest)
    }

    @Test func `a revoked, an expired and a suspended one are not renewed, nor one of others`()
        throws
    {
        let old = token("1", living: day)
        let renewal = RenewToken(old.id, as: token("2", living: .seconds(60)), by: alice)
        let given = try given(old)
        let unknown = Objection.tokenUnknown(old.id)
        given.when(RevokeToken(token: old.id, by: root)).when(renewal, refusedBy: unknown)
        given.at(testNow.advanced(by: day)).when(renewal, refusedBy: unknown)
        let why = try Reason(validating: "Left us")
        given.when(SuspendPrincipal(alice, reason: why, by: root)).when(renewal, refusedBy: unknown)
        given.when(RenewToken(old.id, as: renewal.token, by: bob), refusedBy: unknown)
    }

    // Goal: a lost answer loses nobody their token, and a stolen old secret is found out. Method:
    // the old token asks twice.
    @Test func `who asks again with the old one gets another, and the first ends`() throws {
        let old = token("1", living: day)
        let first = token("2", living: day)
        let second = token("3", living: day)
        let twice = try given(old).when(RenewToken(old.id, as: first, by: alice))
            .when(RenewToken(old.id, as: second, by: alice))
        #expect(twice.logState.access.token(first.id) == nil)
        #expect(twice.logState.access.livingToken(second.id, at: testNow) == second)
        let third = RenewToken(second.id, as: token("4", living: day), by: alice)
        twice.when(third).when(
            RenewToken(old.id, as: token("5", living: day), by: alice),
            refusedBy: .renewedAlready(old.id)
        )
    }

    // Goal: whoever issued a token does not rise with its owner by way of a renewal.
    @Test func `who has seen the old secret counts as having seen the new one`() throws {
        let warden = PrincipalID(UUID())
        let old = token("1", living: day)
        let new = token("2", living: day)
        let given = try Given.harbourApp().at(testNow)
            .when(AdmitPrincipal(warden, grants: [RoleGrant(.admin, in: .app(harbour))], by: root))
            .when(IssueToken(token: old, grants: [], by: warden))
            .when(RenewToken(old.id, as: new, by: alice))
        #expect(given.logState.access.tokensOfOthers(issuedBy: warden, at: testNow).contains(new))
        let risen = given.when(
            AdmitPrincipal(alice, grants: [RoleGrant(.approver, in: .all)], by: root)
        )
        #expect(risen.logState.access.token(new.id) == nil)
    }
}
