import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

/// What somebody may try.
enum Deed: CaseIterable {
    case look, propose, approve, reject, rollBack, readRecord, letSomebodyIn, register

    /// The roles that may; an administrator reads as a viewer and an auditor do.
    var allowed: Set<Role> {
        switch self {
        case .look: Set(Role.allCases)
        case .propose: [.proposer]
        case .approve, .reject: [.approver]
        case .rollBack: [.responder]
        case .readRecord: [.auditor, .admin]
        case .letSomebodyIn, .register: [.admin]
        }
    }

    /// What somebody is told whose role is on another app: a change there is none they know of.
    var objectionElsewhere: ObjectionKind {
        switch self {
        case .look, .approve, .reject: .unknown
        case .propose, .rollBack, .readRecord, .letSomebodyIn, .register: .forbidden
        }
    }
}

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct RoleTests {
    // Goal: each role may do exactly what it is for, and no role of another app counts.
    // Method: everybody tries everything, once with the role on harbour and once elsewhere.
    @Test(arguments: Role.allCases)
    func `a role may do what it is for, and nothing else`(_ role: Role) async throws {
        try await House.with { house in
            try await house.register()
            try await house.register(slug("quay"))
            try await house.apply("3.0.0")
            let here = try await house.caller(role, in: .app(harbour))
            let elsewhere = try await house.caller(role, in: .app(slug("quay")))
            for deed in Deed.allCases {
                let isAllowed = deed.allowed.contains(role)
                let (found, wrote) = try await outcome(of: deed, by: here, in: house)
                #expect(found.contains { $0.kind == .forbidden } != isAllowed, "\(deed): \(found)")
                #expect(isAllowed || !wrote, "\(deed)")
                let (others, othersWrote) = try await outcome(of: deed, by: elsewhere, in: house)
                let expected = deed.objectionElsewhere
                #expect(others.contains { $0.kind == expected }, "elsewhere, \(deed)")
                #expect(!othersWrote, "elsewhere, \(deed)")
            }
        }
    }

    /// What was objected to, and whether anything was written.
    private func outcome(
        of deed: Deed,
        by caller: Caller,
        in house: House
    ) async throws -> ([Objection], Bool) {
        // What is decided on is proposed by somebody else, before.
        let open = try await house.propose("\(house.head).0", by: try await house.caller(.proposer))
        let before = house.head
        do {
            try await attempt(deed, on: open, by: caller, in: house)
            return ([], house.head > before)
        } catch UseCaseError.refused(let refusal) {
            return (refusal.objections, house.head > before)
        }
    }

    private func attempt(
        _ deed: Deed,
        on open: ChangeAnswer,
        by caller: Caller,
        in house: House
    ) async throws {
        let (useCases, request) = (house.useCases, house.request(by: caller))
        switch deed {
        case .look: _ = try await useCases.change(open.id, for: caller)
        case .propose: _ = try await house.propose("99.0", by: caller)
        case .approve: _ = try await house.approve(open, by: caller)
        case .reject:
            _ = try await house.turnDown(open, .rejected, because: "no", by: caller)
        case .rollBack:
            _ = try await useCases.rollBack(
                RollbackForm(
                    target: .beforeChange(change(1)),
                    platforms: nil,
                    reason: Reason(validating: "back")
                ),
                of: harbour,
                request
            )
        case .readRecord:
            var query = EventQuery()
            query.apps = [harbour]
            _ = try await useCases.events(query, for: caller)
        case .letSomebodyIn:
            _ = try await useCases.issueToken(
                TokenForm(
                    name: Title(validating: "new"),
                    principal: nil,
                    roles: [RoleGrant(.viewer, in: .app(harbour))],
                    expiresAt: nil
                ),
                request
            )
        case .register:
            // An administrator of the slug may take it before there is such an app.
            _ = try await useCases.registerApp(
                RegistrationForm(slug: harbour, settings: settings()),
                house.request(by: caller, .dryRun)
            )
        }
    }
}
