import HTTPTypes

extension RouteTable {
    static let access = [
        RouteDescription(
            method: .post,
            path: "/v1/tokens",
            name: "issueToken",
            summary: "Issue a token; the secret is shown only now.",
            body: "TokenOrder",
            answer: .init(schema: "IssuedToken"),
            status: 201,
            answersWhole: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/tokens",
            name: "listTokens",
            summary: "The tokens that the caller may administer, and own ones.",
            answer: .init(schema: "TokenList")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/tokens/renew",
            name: "renewToken",
            summary: "Make a new token of the one that asks, which ends within ten minutes.",
            body: "TokenRenewal",
            answer: .init(schema: "IssuedToken"),
            status: 201,
            answersWhole: true
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/tokens/{token}",
            name: "revokeToken",
            summary: "Revoke a token, at once.",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/principals",
            name: "listPrincipals",
            summary: "Everybody whom the caller may know by name.",
            answer: .init(schema: "PrincipalList")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/principals/{principal}/name",
            name: "eraseName",
            summary: "Erase the name of a principal, for good.",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        principal(
            "suspend",
            "suspendPrincipal",
            "SuspensionOrder",
            "Refuse all tokens of somebody."
        ),
        principal("resume", "resumePrincipal", "Resumption", "Let somebody act again."),
        principal("revoke-role", "revokeRole", "RoleRevocation", "Take a role away from somebody."),
        RouteDescription(
            method: .get,
            path: "/v1/me",
            name: "getIdentity",
            summary: "Who the caller is, and what they may do.",
            answer: .init(schema: "Identity")
        ),
    ]
    private static func principal(
        _ verb: String,
        _ name: String,
        _ body: String,
        _ summary: String
    ) -> RouteDescription {
        RouteDescription(
            method: .post,
            path: "/v1/principals/{principal}/\(verb)",
            name: name,
            summary: summary,
            body: body,
            answer: .init(schema: "PrincipalStanding")
        )
    }
}
