package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let principals: [any EndpointDeclaration] = [
        listPrincipals, eraseName, suspendPrincipal, resumePrincipal, revokeRole, addPersonKey,
        revokePersonKey, getIdentity,
    ]

    package static let listPrincipals = Read<NoNames, PrincipalList>(
        .get("listPrincipals", "/v1/principals"),
        "Everybody whom the caller may know by name."
    )

    package static let eraseName = Write<PrincipalID, EmptyForm, DryRunAnswer>(
        .delete("eraseName", "/v1/principals/{principal}/name"),
        "Erase the name of a principal, for good.",
        isBare: true
    )

    package static let suspendPrincipal = Write<
        PrincipalID, MandatoryReasonForm, PrincipalStandingAnswer
    >(
        .post("suspendPrincipal", "/v1/principals/{principal}/suspend"),
        "Refuse all tokens of somebody.",
        takes: "SuspensionOrder"
    )

    package static let resumePrincipal = Write<PrincipalID, ReasonForm, PrincipalStandingAnswer>(
        .post("resumePrincipal", "/v1/principals/{principal}/resume"),
        "Let somebody act again.",
        takes: "Resumption"
    )

    package static let revokeRole = Write<PrincipalID, RoleRevocationForm, PrincipalStandingAnswer>(
        .post("revokeRole", "/v1/principals/{principal}/revoke-role"),
        "Take a role away from somebody."
    )

    package static let addPersonKey = Write<PrincipalID, PersonKeyForm, PrincipalStandingAnswer>(
        .post("addPersonKey", "/v1/principals/{principal}/add-key"),
        "Have what is signed with a key count as signed by somebody."
    )

    package static let revokePersonKey = Write<PrincipalID, PersonKeyForm, PrincipalStandingAnswer>(
        .post("revokePersonKey", "/v1/principals/{principal}/revoke-key"),
        "Have a key of somebody count no more, also for open changes that were approved with it."
    )

    package static let getIdentity = Read<NoNames, IdentityAnswer>(
        .get("getIdentity", "/v1/me"),
        "Who the caller is, and what they may do."
    )
}

/// Somebody who can act, as they are listed.
package struct PrincipalAnswer: Answer, Shaped {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?
    package let roles: [RoleGrant]
    /// Why they may do nothing at present.
    package let suspension: Suspension?
    /// What they sign approvals with.
    package let keys: [PersonKeyAnswer]

    package init(
        id: PrincipalID,
        name: String?,
        roles: [RoleGrant],
        suspension: Suspension? = nil,
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
        .nullable("suspension", \.suspension, .object(Suspension.shape)),
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

extension Suspension: Answer, Shaped {
    package static let shape = Shape<Self>(
        nil,
        Self.init(by:at:reason:),
        .required("by", \.by, .principal),
        .required("since", \.at, .instant),
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

/// `{"app": "harbour", "role": "proposer"}`; without `app` the role holds for all apps.
extension RoleGrant: Form, Shaped {
    package static let shape = Shape<Self>(
        "Role",
        { Self($0, in: $1.map(Scope.app) ?? .all) },
        .required("role", \.role, .names),
        .optional("app", \.scope.app, .slug(needing: AppSlug.grammar), none: .leftOut)
    )
}
