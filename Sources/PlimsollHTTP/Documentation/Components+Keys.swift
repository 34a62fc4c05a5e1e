import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// The keys that sign what is published, and what brings them on in their life.
extension Components {
    static let keys: [(String, Schema)] = [
        (
            "Key",
            .object(
                [
                    .required("id", .uuid), .required("app", .slug),
                    .required("state", .names(KeyState.self)),
                    .required("position", .nullable(.position)),
                    .required("algorithm", .constant(.string(KeyAnswer.algorithm))),
                    .required("publicKey", .string.described("SubjectPublicKeyInfo, PEM.")),
                ] + tried
            )
        ),
        ("KeyList", .list("keys", "Key")),
        (
            "KeyOrder",
            .object([
                .optional("id", .uuid),
                .optional("environment", .string.described("\(EnvironmentName.grammar).")),
                .optional("keyService", .string.described("\(KeyServiceName.grammar).")),
                .optional("reason", .reason),
            ])
        ),
        ("KeyTurn", .object([.optional("reason", .reason)])),
        ("Compromise", .object([.required("reason", .reason)])),
    ]
}
