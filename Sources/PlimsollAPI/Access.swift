package import PlimsollDomain
import PlimsollJSON

/// Somebody who can act, as they are listed.
package struct PrincipalAnswer: Answer, Shaped {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let roles: [RoleGrant]
    /// Why they may do nothing at present.
    package let suspension: SuspensionAnswer?
    /// What they sign approvals with.
    package let keys: [PersonKeyAnswer]

    package init(
        id: PrincipalID,
        name: String?,
        roles: [RoleGrant],
        suspension: SuspensionAnswer? = nil,
        keys: [PersonKeyAnswer] = []
    ) {
        self.id = id
        self.name = name
        self.roles = roles
        self.suspension = suspension
        self.keys = keys
    }

    package static let shape = Shape<Self>(
        "Principal",
        Self.init(id:name:roles:suspension:keys:),
        .required("id", \.id, .principal),
        .nullable("name", \.name, .string),
        .required("roles", \.roles, .objects(RoleGrant.shape)),
        .nullable("suspension", \.suspension, .object(SuspensionAnswer.shape)),
        .required("keys", \.keys, .objects(PersonKeyAnswer.shape), before: [])
    )
}

/// The public half of a key that somebody signs approvals with.
package struct PersonKeyAnswer: Answer, Shaped {
    package let key: PersonKey
    /// As `ssh-keygen -l` shows it.
    package let fingerprint: String

    package init(_ key: PersonKey, fingerprint: String) {
        (self.key, self.fingerprint) = (key, fingerprint)
    }

    package static let shape = Shape<Self>(
        "PersonKey",
        Self.init(_:fingerprint:),
        .required("key", \.key, .personKey),
        .required("fingerprint", \.fingerprint, .string)
    )
}

/// The body of `POST /v1/principals/{principal}/add-key` and of `…/revoke-key`: the public half, as
/// OpenSSH writes it, and why.
package struct PersonKeyForm: Form, Shaped {
    package let key: PersonKey
    package let reason: Reason?

    package init(_ key: PersonKey, reason: Reason? = nil) {
        (self.key, self.reason) = (key, reason)
    }

    package static let shape = Shape<Self>(
        "PersonKeyOrder",
        Self.init(_:reason:),
        .required("key", \.key, .personKey),
        .optional("reason", \.reason, .reason)
    )
}

/// Who suspended somebody, when and why.
package struct SuspensionAnswer: Answer, Shaped {
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?

    package init(by: PrincipalID, since: Instant, reason: Reason?) {
        (self.by, self.since, self.reason) = (by, since, reason)
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(by:since:reason:),
        .required("by", \.by, .principal),
        .required("since", \.since, .instant),
        .nullable("reason", \.reason, .reason)
    )
}

/// Where somebody stands after what was done about them: what `suspend`, `resume` and `revoke-role`
/// answer.
package struct PrincipalStandingAnswer: Answer, Shaped {
    package let principal: PrincipalAnswer
    /// Living tokens of others whose secrets they have seen: they could still come in with those.
    package let tokensOfOthers: [TokenAnswer]

    package init(principal: PrincipalAnswer, tokensOfOthers: [TokenAnswer]) {
        (self.principal, self.tokensOfOthers) = (principal, tokensOfOthers)
    }

    package static let shape = Shape<Self>(
        "PrincipalStanding",
        Self.init(principal:tokensOfOthers:),
        .part(\.principal, PrincipalAnswer.shape),
        .required("tokensOfOthers", \.tokensOfOthers, .objects(TokenAnswer.shape))
    ).withDryRun
}

/// Everybody whom the caller may know by name: `GET /v1/principals`.
package struct PrincipalList: Answer, Shaped {
    package let principals: [PrincipalAnswer]

    package init(principals: [PrincipalAnswer]) { self.principals = principals }

    package static let shape = Shape<Self>(
        "PrincipalList",
        Self.init(principals:),
        .required("principals", \.principals, .objects(PrincipalAnswer.shape))
    )
}

/// What somebody is told about themselves: `GET /v1/me`.
package struct IdentityAnswer: Answer, Shaped {
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

    package static let shape = Shape<Self>(
        "Identity",
        Self.init(principal:name:roles:token:expiresAt:),
        .required("principal", \.principal, .principal),
        .nullable("name", \.name, .string),
        .required("roles", \.roles, .objects(RoleGrant.shape)),
        .nullable("token", \.token, .token),
        .nullable("expiresAt", \.expiresAt, .instant)
    )
}

/// The body of `POST /v1/principals/{principal}/revoke-role`: the role, where it holds, and why.
package struct RoleRevocationForm: Form, Shaped {
    package let grant: RoleGrant
    package let reason: Reason?

    package init(_ grant: RoleGrant, reason: Reason? = nil) {
        (self.grant, self.reason) = (grant, reason)
    }

    package static let shape = Shape<Self>(
        "RoleRevocation",
        Self.init(_:reason:),
        .part(\.grant, RoleGrant.shape),
        .optional("reason", \.reason, .reason)
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

/// `{"app": "harbour", "role": "proposer"}`; without `app` the role holds for all apps.
extension RoleGrant: Form, Shaped {
    package static let shape = Shape<Self>(
        "Role",
        { Self($0, in: $1.map(Scope.app) ?? .all) },
        .required("role", \.role, .names),
        .optional("app", \.scope.app, .slug(needing: AppSlug.grammar), none: .leftOut)
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
