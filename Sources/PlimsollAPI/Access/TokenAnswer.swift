package import PlimsollDomain
package import PlimsollJSON

/// A token as it is listed: never with its secret.
package struct TokenAnswer: Answer {
    package let id: TokenID
    package let principal: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let roles: [RoleGrant]
    package let expiresAt: Instant?

    package init(
        id: TokenID,
        principal: PrincipalID,
        name: String?,
        roles: [RoleGrant],
        expiresAt: Instant?
    ) {
        self.id = id
        self.principal = principal
        self.name = name
        self.roles = roles
        self.expiresAt = expiresAt
    }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.string("id", needing: "a token's id", TokenID.init)
        let principal = reader.principal("principal")
        let name = reader.optionalString("name")
        let roles = reader.objects("roles", .ignored, RoleGrant.init)
        let expiresAt = reader.optionalInstant("expiresAt")
        guard let id, let principal, let roles else { return nil }
        self.init(id: id, principal: principal, name: name, roles: roles, expiresAt: expiresAt)
    }

    package var json: JSONObject {
        [
            "id": .string(id.description),
            "principal": .string(principal.text),
            "name": JSONValue(name),
            "roles": JSONValue(roles),
            "expiresAt": JSONValue(expiresAt),
        ]
    }
}

/// A new token with its secret, which is shown this once.
package struct IssuedTokenAnswer: Answer {
    package let token: TokenAnswer
    /// `plm_` and 64 hexadecimal digits; `nil` where the token was only tried, or asked for again
    /// with the same idempotency key.
    package let secret: String?

    package init(token: TokenAnswer, secret: String?) {
        self.token = token
        self.secret = secret
    }

    package init?(_ reader: inout ObjectReader) {
        let token = TokenAnswer(&reader)
        let secret = reader.optionalString("token")
        guard let token else { return nil }
        self.init(token: token, secret: secret)
    }

    package var json: JSONObject {
        var json = token.json
        json["token"] = JSONValue(secret)
        return json
    }
}

/// Every token that was not revoked and that the caller may see.
package struct TokenList: Answer {
    package let tokens: [TokenAnswer]

    package init(tokens: [TokenAnswer]) { self.tokens = tokens }

    package init?(_ reader: inout ObjectReader) {
        guard let tokens = reader.objects("tokens", .ignored, TokenAnswer.init) else {
            return nil
        }
        self.init(tokens: tokens)
    }

    package var json: JSONObject { ["tokens": JSONValue(tokens)] }
}
