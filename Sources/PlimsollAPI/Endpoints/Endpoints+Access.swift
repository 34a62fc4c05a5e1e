package import PlimsollDomain

extension Endpoints {
    static let access: [any EndpointDeclaration] = [
        issueToken, listTokens, renewToken, revokeToken, listPrincipals, eraseName,
        suspendPrincipal, resumePrincipal, revokeRole, getIdentity,
    ]

    package static let issueToken = Write<NoNames, TokenForm, IssuedTokenAnswer>(
        .post("issueToken", "/v1/tokens"),
        "Issue a token; the secret is shown only now.",
        status: 201,
        answersWhole: true
    )

    package static let listTokens = Read<NoNames, TokenList>(
        .get("listTokens", "/v1/tokens"),
        "The tokens that the caller may administer, and own ones."
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

    package static let getIdentity = Read<NoNames, IdentityAnswer>(
        .get("getIdentity", "/v1/me"),
        "Who the caller is, and what they may do."
    )
}
