package import PlimsollDomain

/// Somebody who can act, as those may see who look after them.
package struct PrincipalView: Equatable, Sendable {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let grants: [RoleGrant]
}

/// What somebody is told about themselves.
package struct IdentityView: Equatable, Sendable {
    package let principal: PrincipalID
    package let name: String?
    package let grants: [RoleGrant]
    package let token: TokenID?
    package let expiresAt: Instant?
}
