/// What is recorded of an access token; never its secret.
package struct TokenRecord: Equatable, Sendable {
    package let id: TokenID
    package let principal: PrincipalID
    package let secret: SecretDigest
    /// `nil` where it lives until it is revoked.
    package let expiresAt: Instant?

    package init(id: TokenID, principal: PrincipalID, secret: SecretDigest, expiresAt: Instant?) {
        self.id = id
        self.principal = principal
        self.secret = secret
        self.expiresAt = expiresAt
    }
}

/// SHA-256 of a token's 256 random bits: 64 lower-case hexadecimal digits.
package struct SecretDigest: Hashable, Sendable {
    package let hex: String

    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isHexDigit) else { return nil }
        self.hex = hex
    }
}
