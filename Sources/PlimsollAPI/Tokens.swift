package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let tokens: [any EndpointDeclaration] = [
        issueToken, listTokens, renewToken, revokeToken,
    ]

    package static let issueToken = Write<NoNames, TokenForm, IssuedTokenAnswer>(
        .post("issueToken", "/v1/tokens"),
        "Issue a token; the secret is shown only now.",
        status: 201,
        answersWhole: true
    )

    package static let listTokens = Read<NoNames, TokenList>(
        .get("listTokens", "/v1/tokens"),
        "The tokens that the caller may administer, and own ones.",
        query: [
            .optional("since", .instant, "Leaves out those that had ended by this time.")
        ]
    )

    package static let renewToken = Write<NoNames, RenewalForm, IssuedTokenAnswer>(
        .post("renewToken", "/v1/tokens/renew"),
        "Make a new token of the one that asks, which ends within ten minutes.",
        status: 201,
        answersWhole: true
    )

    package static let revokeToken = Write<TokenID, EmptyForm, DryRunAnswer>(
        .delete("revokeToken", "/v1/tokens/{token}"),
        "Revoke a token, at once.",
        isBare: true
    )
}

/// The body of `POST /v1/tokens/renew`: when the new token is to end; an empty one leaves it at as
/// long a life as the old one was to have.
package struct RenewalForm: Form, Shaped {
    package let expiresAt: Instant?

    package init(expiresAt: Instant? = nil) { self.expiresAt = expiresAt }

    package static let shape = Shape<Self>(
        "TokenRenewal",
        Self.init(expiresAt:),
        .optional("expiresAt", \.expiresAt, .instant)
    )
}

/// A token as it is listed: never with its secret.
package struct TokenAnswer: Answer, Shaped {
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

    package static let shape = Shape<Self>(
        "Token",
        Self.init(id:principal:name:roles:expiresAt:),
        .required("id", \.id, .token),
        .required("principal", \.principal, .principal),
        .nullable("name", \.name, .string),
        .required("roles", \.roles, .objects(RoleGrant.shape)),
        .nullable("expiresAt", \.expiresAt, .instant)
    )
}

/// A new token with its secret, which is shown this once.
package struct IssuedTokenAnswer: Answer, Shaped {
    package let token: TokenAnswer
    /// `plm_` and 64 hexadecimal digits; `nil` in a dry run, or where it was asked for again
    /// with the same idempotency key.
    package let secret: String?

    package init(token: TokenAnswer, secret: String?) {
        self.token = token
        self.secret = secret
    }

    package static let shape = Shape<Self>(
        "IssuedToken",
        Self.init(token:secret:),
        .part(\.token, TokenAnswer.shape),
        .nullable("token", \.secret, .string)
    ).withDryRun
}

/// Every token that was not revoked and that the caller may see.
package struct TokenList: Answer, Shaped {
    package let tokens: [TokenAnswer]

    package init(tokens: [TokenAnswer]) { self.tokens = tokens }

    package static let shape = Shape<Self>(
        "TokenList",
        Self.init(tokens:),
        .required("tokens", \.tokens, .objects(TokenAnswer.shape))
    )
}

/// The body of `POST /v1/tokens`.
///
/// ```json
/// {"name": "alice", "roles": [{"app": "harbour", "role": "proposer"}, {"role": "viewer"}]}
/// ```
/// `name` makes a new principal, `principal` names a known one; one of the two is needed.
package struct TokenForm: Form, Shaped {
    package let name: Title?
    package let principal: PrincipalID?
    package let roles: [RoleGrant]
    package let expiresAt: Instant?

    package init(
        name: Title?,
        principal: PrincipalID? = nil,
        roles: [RoleGrant],
        expiresAt: Instant? = nil
    ) {
        self.name = name
        self.principal = principal
        self.roles = roles
        self.expiresAt = expiresAt
    }

    package static var outsideLog: [String] { ["name"] }

    package static let shape = Shape<Self>(
        "TokenOrder",
        Self.init(name:principal:roles:expiresAt:),
        .optional("name", \.name, .title),
        .optional("principal", \.principal, .principal),
        .required("roles", \.roles, .objects(RoleGrant.shape, atLeast: 1)),
        .optional("expiresAt", \.expiresAt, .instant)
    )
    .checking { form, reader in
        if form.name == nil, form.principal == nil, reader.isAbsent("name"),
            reader.isAbsent("principal")
        {
            reader.refuse("name", "A name is needed, or the id of a known principal.")
        }
        if form.name != nil, form.principal != nil {
            reader.refuse("name", "A known principal keeps its name; leave it out.")
        }
    }
}

extension ObjectReader {
    /// Whether a member is missing or null.
    fileprivate func isAbsent(_ key: String) -> Bool {
        object[key].map { $0 == .null } ?? true
    }
}
