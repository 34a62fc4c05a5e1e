package import PlimsollDomain
package import PlimsollJSON

/// What somebody is told about themselves: `GET /v1/me`.
package struct IdentityAnswer: Answer {
    package let principal: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let roles: [RoleGrant]
    /// The token that was shown, and when it ends.
    package let token: TokenID?
    package let expiresAt: Instant?

    package init(
        principal: PrincipalID,
        name: String?,
        roles: [RoleGrant],
        token: TokenID?,
        expiresAt: Instant?
    ) {
        self.principal = principal
        self.name = name
        self.roles = roles
        self.token = token
        self.expiresAt = expiresAt
    }

    package init?(_ reader: inout ObjectReader) {
        let principal = reader.principal("principal")
        let name = reader.optionalString("name")
        let roles = reader.objects("roles", .ignored, RoleGrant.init)
        let token = reader.optionalString("token", needing: "a token's id", TokenID.init)
        let expiresAt = reader.optionalInstant("expiresAt")
        guard let principal, let roles else { return nil }
        self.init(
            principal: principal,
            name: name,
            roles: roles,
            token: token,
            expiresAt: expiresAt
        )
    }

    package var json: JSONObject {
        [
            "principal": .string(principal.text),
            "name": JSONValue(name),
            "roles": JSONValue(roles),
            "token": JSONValue(token?.description),
            "expiresAt": JSONValue(expiresAt),
        ]
    }
}
