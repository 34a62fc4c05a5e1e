import PlimsollAPI
import PlimsollDomain

/// What a page offers whoever is signed in, by the roles that the interface says they have.
///
/// It leaves out what would be refused for certain. The interface alone decides.
struct Offers {
    private let principal: PrincipalID
    private let grants: [RoleGrant]

    init(to principal: PrincipalID, _ grants: [RoleGrant]) {
        (self.principal, self.grants) = (principal, grants)
    }

    func has(_ role: Role, in scope: Scope) -> Bool { grants.permit(role, in: scope) }

    func mayFreeze(in scope: Scope) -> Bool { has(.responder, in: scope) || has(.admin, in: scope) }

    func meets(_ rule: FactRule, of app: AppSlug) -> Bool {
        (rule.people.isEmpty || rule.people.contains(principal))
            && rule.roles.contains { has($0, in: .app(app)) }
    }

    func meets(_ requirement: ApprovalRequirement, of app: AppSlug) -> Bool {
        (requirement.people.isEmpty || requirement.people.contains(principal))
            && has(requirement.role, in: .app(app))
    }

    /// What templates ask for as `may`; `nil` asks about any place.
    func fields(in scope: Scope?) -> Fields {
        let has = { (roles: Role...) in
            roles.contains { role in
                guard let scope else { return grants.contains { $0.role.includes(role) } }
                return grants.permit(role, in: scope)
            }
        }
        return [
            "propose": has(.proposer), "respond": has(.responder),
            "edit": has(.proposer, .responder),
            "decide": has(.proposer, .approver), "freeze": has(.responder, .admin),
            "compromise": has(.responder, .admin), "administer": has(.admin),
            "administerAll": grants.permit(.admin, in: .all),
            "speak": has(.proposer, .approver, .responder, .auditor, .admin),
        ]
    }
}
