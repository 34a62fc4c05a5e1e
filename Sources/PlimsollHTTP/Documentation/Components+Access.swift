import PlimsollDomain

/// Who may do what, and the tokens that say so.
extension Components {
    static let access: [(String, Schema)] = [
        ("Role", .object([.required("role", .role), .optional("app", .slug)])),
        (
            "TokenOrder",
            .object([
                .optional("name", .title), .optional("principal", .principal),
                .required("roles", .array(of: .reference("Role"), atLeast: 1)),
                .optional("expiresAt", .instant),
            ])
        ),
        ("Token", .object(token)),
        (
            "IssuedToken",
            .object(token + [.required("token", .nullable(.string))] + tried)
        ),
        ("TokenList", .list("tokens", "Token")),
        ("TokenRenewal", .object([.optional("expiresAt", .instant)])),
        ("Principal", .object(principal)),
        (
            "PrincipalStanding",
            .object(
                principal + [.required("tokensOfOthers", .array(of: .reference("Token")))] + tried
            )
        ),
        ("SuspensionOrder", .object([.required("reason", .reason)])),
        ("Resumption", .object([.optional("reason", .reason)])),
        (
            "RoleRevocation",
            .object([
                .required("role", .role), .optional("app", .slug), .optional("reason", .reason),
            ])
        ),
        ("PrincipalList", .list("principals", "Principal")),
        (
            "Identity",
            .object([
                .required("principal", .principal), .required("name", .nullable(.string)),
                .required("roles", .array(of: .reference("Role"))),
                .required("token", .nullable(.uuid)),
                .required("expiresAt", .nullable(.instant)),
            ])
        ),
    ]

    private static let principal: [Schema.Member] = [
        .required("id", .principal), .required("name", .nullable(.string)),
        .required("roles", .array(of: .reference("Role"))),
        .required(
            "suspension",
            .nullable(
                .object([
                    .required("by", .principal), .required("since", .instant),
                    .required("reason", .nullable(.reason)),
                ])
            )
        ),
    ]

    private static let token: [Schema.Member] = [
        .required("id", .uuid), .required("principal", .principal),
        .required("name", .nullable(.string)),
        .required("roles", .array(of: .reference("Role"))),
        .required("expiresAt", .nullable(.instant)),
    ]
}
