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
