package import PlimsollDomain

/// What an administrator asks for when letting somebody in.
package struct TokenRequest: Equatable, Sendable {
    /// The name of a new principal; `nil` where ``principal`` names a known one.
    package let name: Title?
    package let principal: PrincipalID?
    package let grants: [RoleGrant]
    /// `nil` means after ``UseCases/tokenLifetime``.
    package let expiresAt: Instant?

    package init(
        name: Title?,
        principal: PrincipalID?,
        grants: [RoleGrant],
        expiresAt: Instant?
    ) {
        self.name = name
        self.principal = principal
        self.grants = grants
        self.expiresAt = expiresAt
    }
}

/// A token as an administrator sees it in a list.
package struct TokenView: Equatable, Sendable {
    package let id: TokenID
    package let principal: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let grants: [RoleGrant]
    package let expiresAt: Instant?

    package init(
        id: TokenID,
        principal: PrincipalID,
        name: String?,
        grants: [RoleGrant],
        expiresAt: Instant?
    ) {
        self.id = id
        self.principal = principal
        self.name = name
        self.grants = grants
        self.expiresAt = expiresAt
    }
}

/// Somebody who can act, as those may see who look after them.
package struct PrincipalView: Equatable, Sendable {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let grants: [RoleGrant]
}

/// A new token with its secret, which is shown this once.
package struct IssuedToken: Equatable, Sendable {
    package let token: TokenView
    /// `plm_` and 64 hexadecimal digits; `nil` where it was only tried, or asked for again with
    /// the same idempotency key.
    package let secret: String?
}

/// What somebody is told about themselves.
package struct IdentityView: Equatable, Sendable {
    package let principal: PrincipalID
    package let name: String?
    package let grants: [RoleGrant]
    package let token: TokenID?
    package let expiresAt: Instant?
}
