/// What a principal may do.
package enum Role: String, CaseIterable, Sendable {
    /// Reads apps, documents and changes.
    case viewer
    /// Proposes changes and withdraws own ones.
    case proposer
    /// Approves and rejects changes of others, and overrides checks where the policy says so.
    case approver
    /// Rolls back, acts in emergencies, blocks versions and freezes, alone.
    case responder
    /// Reads the whole record.
    case auditor
    /// Registers apps, changes policies, freezes, keeps principals and tokens, reads everything.
    case admin

    /// Whether somebody in this role may do what the other role may.
    package func includes(_ other: Role) -> Bool {
        switch self {
        case .viewer: other == .viewer
        case .proposer, .approver, .responder, .auditor: other == self || other == .viewer
        case .admin: other == .admin || other == .auditor || other == .viewer
        }
    }
}

/// Where a role holds.
package enum Scope: Hashable, Sendable {
    case app(AppSlug)
    case all

    package func covers(_ other: Scope) -> Bool { self == .all || self == other }
}

extension Scope {
    /// `of the app harbour`, or `of all apps`.
    var place: String {
        switch self {
        case .app(let slug): "of the app \(slug)"
        case .all: "of all apps"
        }
    }
}

/// A role and where it holds.
package struct RoleGrant: Hashable, Sendable {
    package let role: Role
    package let scope: Scope

    package init(_ role: Role, in scope: Scope) {
        self.role = role
        self.scope = scope
    }
}
