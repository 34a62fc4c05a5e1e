package import PlimsollDomain

/// Somebody who can act, as those may see who look after them.
package struct PrincipalView: Equatable, Sendable {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let grants: [RoleGrant]
    /// Why they may do nothing at present.
    package let suspension: Suspension?
}

/// Where somebody stands after what was done about them.
package struct PrincipalStandingView: Equatable, Sendable {
    package let principal: PrincipalView
    /// Living tokens of others whose secrets they have seen, as far as the caller may see them.
    package let tokensOfOthers: [TokenView]
}

/// What somebody is told about themselves.
package struct IdentityView: Equatable, Sendable {
    package let principal: PrincipalID
    package let name: String?
    package let grants: [RoleGrant]
    package let token: TokenID?
    package let expiresAt: Instant?
}
