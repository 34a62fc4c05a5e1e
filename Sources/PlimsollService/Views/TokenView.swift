package import PlimsollDomain

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

/// A new token with its secret, which is shown this once.
package struct IssuedToken: Equatable, Sendable {
    package let token: TokenView
    /// `plm_` and 64 hexadecimal digits; `nil` where it was only tried, or asked for again with
    /// the same idempotency key.
    package let secret: String?
}
