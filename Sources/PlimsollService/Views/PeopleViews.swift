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

/// A part of a long list, and where the next part begins.
package struct Page<Element: Sendable, Cursor: Sendable>: Sendable {
    package let elements: [Element]
    /// `nil` where the list has come to its end.
    package let next: Cursor?

    package init(elements: [Element], next: Cursor?) {
        self.elements = elements
        self.next = next
    }
}
