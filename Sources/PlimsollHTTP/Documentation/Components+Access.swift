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
        (
            "Principal",
            .object([
                .required("id", .principal), .required("name", .nullable(.string)),
                .required("roles", .array(of: .reference("Role"))),
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

    private static let token: [Schema.Member] = [
        .required("id", .uuid), .required("principal", .principal),
        .required("name", .nullable(.string)),
        .required("roles", .array(of: .reference("Role"))),
        .required("expiresAt", .nullable(.instant)),
    ]
}
