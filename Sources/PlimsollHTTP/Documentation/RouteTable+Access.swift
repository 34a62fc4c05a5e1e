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
        RouteDescription(
            method: .get,
            path: "/v1/me",
            name: "getIdentity",
            summary: "Who the caller is, and what they may do.",
            answer: .init(schema: "Identity")
        ),
    ]
}
