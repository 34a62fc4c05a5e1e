import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Who may say which releases there are.
@Suite struct ReleaseRuleTests {
    private let version = dotted("3.2.0")

    private func given(_ rule: FactRule, in scope: Scope = .app(harbour)) throws -> Given {
        let policy = Policy(graceSeconds: 0, releases: rule)
        return try Given.harbourApp().when(change(to: policy, in: scope))
    }

    private func change(to policy: Policy, in scope: Scope) -> ChangePolicy {
        ChangePolicy(of: scope, to: policy, seen: nil, reason: nil, by: root)
    }

    private func register(by person: PrincipalID) -> RegisterRelease {
        let release = Release(platform: .ios, version: version, facts: ReleaseFacts())
        return RegisterRelease(release, of: harbour, reason: nil, by: person)
    }

    private func amend(by person: PrincipalID) -> AmendRelease {
        AmendRelease(
            version,
            on: .ios,
            of: harbour,
            edits: [.system(dotted("15"))],
            reason: nil,
            by: person
        )
    }

    private func withdraw(by person: PrincipalID) -> WithdrawRelease {
        WithdrawRelease(version, on: .ios, of: harbour, reason: nil, by: person)
    }

    @Test(arguments: [Scope.app(harbour), .all])
    func `only those whom the rule permits write releases, each way`(scope: Scope) throws {
        let rule = FactRule(roles: [.responder])
        let before = try given(rule, in: scope)
        let refusal = Objection.releasesReserved(harbour, rule)
        before.when(register(by: alice), refusedBy: refusal)
        before.when(register(by: root), refusedBy: refusal)
        let registered = before.when(register(by: rita))
        registered.when(amend(by: alice), refusedBy: refusal)
        registered.when(withdraw(by: alice), refusedBy: refusal)
        let amended = registered.when(amend(by: rita))
        #expect(amended.when(withdraw(by: rita)).logState.app(harbour)?.releases.isEmpty == true)
        #expect(refusal.detail.contains("people in the role responder"))
        #expect(refusal.remedy.contains("people in the role responder"))
    }

    @Test func `people who are named may, and others in the role may not`() throws {
        let rule = FactRule(roles: [.proposer, .responder], people: [rita])
        let before = try given(rule)
        before.when(register(by: alice), refusedBy: .releasesReserved(harbour, rule))
        #expect(before.when(register(by: rita)).logState.app(harbour)?.releases.count == 1)
    }

    @Test func `who may not see the app is told nothing of its policy`() throws {
        let before = try given(FactRule(roles: [.responder]))
        let stranger = PrincipalID(UUID())
        before.when(
            register(by: stranger),
            refusedBy: .roleMissing(.proposer, .app(harbour))
        )
    }

    @Test func `a rule that nobody can satisfy is refused by name`() throws {
        let stranger = PrincipalID(UUID())
        func refused(_ rule: FactRule, by objections: Objection...) throws {
            let policy = Policy(graceSeconds: 0, releases: rule)
            let before = try Given.harbourApp()
            #expect(throws: Refusal(objections)) {
                try change(to: policy, in: .all).decide(in: before.logState, at: testNow)
            }
        }
        try refused(FactRule(roles: []), by: .listEmpty(at: "/releases/roles"))
        try refused(
            FactRule(roles: [.admin, .admin], people: [stranger, rita, rita]),
            by: .repeated("admin", at: "/releases/roles/1"),
            .personUnknown(stranger, at: "/releases/people/0"),
            .repeated(rita.text, at: "/releases/people/2")
        )
        try refused(
            FactRule(roles: [.admin], people: (0...100).map { _ in rita }),
            by: .listTooLong(maximum: 100, at: "/releases/people")
        )
    }

    @Test func `counts of devices do not fall under it`() throws {
        let before = try given(FactRule(roles: [.responder]))
        let shares = VersionShares(rows: [VersionShares.Row(app: version, system: nil, devices: 7)])
        let replace = ReplaceVersionShares(
            of: harbour,
            on: .ios,
            with: shares,
            reason: nil,
            by: alice
        )
        #expect(before.when(replace).logState.app(harbour)?.shares[.ios] == shares)
    }
}
