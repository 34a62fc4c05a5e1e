import PlimsollAPI
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

/// Policies, and what changes them.
extension Components {
    static let policies: [(String, Schema)] = [
        ("Policy", .object(policy)),
        ("PolicyOrder", .object(policy + [.optional("reason", .reason)])),
        ("PolicyReset", .object([.optional("reason", .reason)])),
        ("PolicyInForce", .object(inForce + tried)),
        ("ApprovalRule", rule),
        ("ReviewRule", review),
        (
            "ReleaseRule",
            .object([
                .required("roles", .array(of: .role, atLeast: 1)),
                .optional("people", .array(of: .principal)),
            ])
        ),
        (
            "CheckRule",
            .object([
                .required("severity", .names(CheckRule.Severity.self)),
                .optional("overridableBy", .role),
            ])
        ),
    ]

    /// So many approvals, of people in this role, or of some of them.
    static let requirement: [Schema.Member] = [
        .required("count", .integer(from: 1, to: Int64(ApprovalRequirement.countMaximum))),
        .required("role", .role), .optional("people", .array(of: .principal)),
    ]

    private static let seconds = Schema.integer(from: 60, to: ChangePolicy.secondsMaximum)

    private static let rule = Schema.object([
        .required("approvals", .array(of: .object(requirement))),
        .optional("validSeconds", seconds),
    ])

    private static let review = Schema.object([
        .required("role", .role), .required("withinSeconds", seconds),
    ])

    private static let policy: [Schema.Member] = [
        .required(
            "rules",
            .object(
                ChangeKind.allCases.map { .optional($0.rawValue, .reference("ApprovalRule")) }
            )
        ),
        .optional("emergencyReview", .reference("ReviewRule")),
        .optional("rollbackReview", .reference("ReviewRule")),
        .optional("graceSeconds", .integer(from: 0, to: ChangePolicy.secondsMaximum)),
        .optional("storeSeconds", .integer(from: 0, to: ChangePolicy.secondsMaximum)),
        .optional("blockedPercentMaximum", .integer(from: 0, to: 100)),
        .optional("releases", .reference("ReleaseRule")),
        .optional("shares", .reference("ReleaseRule")),
        .optional(
            "checks",
            .object(CheckName.allCases.map { .optional($0.rawValue, .reference("CheckRule")) })
        ),
    ]

    private static let inForce: [Schema.Member] = [
        .required("app", .nullable(.slug)),
        .required("source", .names(PolicyAnswer.Source.self)),
        .required("position", .nullable(.position)), .required("by", .nullable(.principal)),
        .required("since", .nullable(.instant)), .required("reason", .nullable(.reason)),
        .required("policy", .reference("Policy")),
        .required("sentences", .array(of: .string)), .required("warnings", .array(of: .string)),
    ]
}

/// Releases, and what makes them known.
extension Components {
    static let releases: [(String, Schema)] = [
        ("Release", .object(release + tried)),
        ("ReleaseList", releaseList),
        ("ReleaseOrder", .object(facts + [.optional("reason", .reason)])),
        (
            "ReleaseAmendment",
            .object(
                facts + [
                    .optional("unset", .array(of: .names(ReleaseFactName.self))),
                    .optional("reason", .reason),
                ]
            )
        ),
        ("ReleaseWithdrawal", .object([.optional("reason", .reason)])),
        ("VersionShare", share), ("VersionShares", .object(shares + tried)),
        (
            "VersionSharesOrder",
            .object([
                .required("rows", .array(of: .reference("VersionShare"), atLeast: 1)),
                .optional("reason", .reason),
            ])
        ),
        ("VersionSharesRemoval", .object([.optional("reason", .reason)])),
        ("BlockedShare", blockedShare),
    ]

    private static let share = Schema.object([
        .required("app", .anyVersion), .optional("os", .anyVersion),
        .required("devices", .integer(from: 1, to: VersionShares.Row.devicesMaximum)),
    ])

    private static let shares: [Schema.Member] = [
        .required("app", .slug), .required("platform", .platform),
        .required("devices", .integer(from: 0)),
        .required("rows", .array(of: .reference("VersionShare"))),
    ]

    private static let blockedShare = Schema.object([
        .required("platform", .platform), .required("sentence", .string),
        .required("devices", .integer(from: 0)), .required("before", .integer(from: 0)),
        .required("after", .integer(from: 0)), .required("added", .integer(from: 0)),
    ])

    private static let label = Schema.text(most: Label.scalarsMaximum, without: "\\n")

    /// Three numbers of at most nine digits, as clients before 4.0 compare them.
    private static let versionName = Schema.string(
        matching: #"^(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}$"#
    )

    private static let facts: [Schema.Member] = [
        .optional("name", versionName), .optional("build", label),
        .optional("os", .anyVersion), .optional("store", label), .optional("liveSince", .instant),
    ]

    private static let release: [Schema.Member] = [
        .required("platform", .platform), .required("version", .anyVersion),
        .required("name", .nullable(versionName)), .required("build", .nullable(label)),
        .required("os", .nullable(.anyVersion)), .required("store", .nullable(label)),
        .required("liveSince", .nullable(.instant)),
    ]

    private static let releaseList = Schema.object([
        .required("app", .slug), .required("position", .position),
        .required("releases", .array(of: .reference("Release"))),
    ])
}

/// Who is told what happens.
extension Components {
    static let webhooks: [(name: String, schema: Schema)] = [
        (
            "WebhookOrder",
            .object([
                .required("url", .webhookURL), .optional("app", .slug),
                .optional("types", .array(of: .names(EventBody.types))),
                .optional("format", .names(WebhookFormat.self)),
                .optional("grouped", .boolean), .optional("names", .boolean),
            ])
        ),
        ("WebhookReason", .object([.optional("reason", .reason)])),
        ("Replay", .object([.required("since", .position), .optional("until", .position)])),
        ("Webhook", .object(webhook + tried)),
        ("WebhookList", .list("webhooks", "Webhook")),
        ("SecretWebhook", .object(webhook + [.required("secret", .nullable(.string))] + tried)),
        (
            "Delivery",
            .object([
                .required("kind", .names(DeliveryKind.self)),
                .required("message", .uuid), .required("position", .nullable(.position)),
                .required("attemptedAt", .instant), .required("milliseconds", .integer(from: 0)),
                .required("status", .nullable(.integer(from: 100, to: 999))),
                .required("failure", .nullable(.string)),
            ])
        ),
        ("DeliveryList", .list("deliveries", "Delivery", .paged)),
    ]

    private static let webhook: [Schema.Member] = [
        .required("id", .uuid), .required("url", .webhookURL),
        .required("app", .nullable(.slug)), .required("types", .array(of: .string)),
        .required("format", .names(WebhookFormat.self)), .required("grouped", .boolean),
        .required("names", .boolean),
        .required("state", .names(WebhookAnswer.State.self)),
        .required("stop", .nullable(stop)), .required("registered", .position),
        .required("previousSecretUntil", .nullable(.instant)),
        .required("delivered", .nullable(.position)), .required("trouble", .nullable(trouble)),
    ]

    private static let stop = Schema.object([
        .required("cause", .nullable(.string)), .required("by", .principal),
        .required("since", .instant),
    ])

    private static let trouble = Schema.object([
        .required("failures", .integer(from: 1)), .required("since", .instant),
        .required("nextAttempt", .instant), .required("cause", .string),
    ])
}

extension Schema {
    fileprivate static let webhookURL = string(matching: "^https?://[a-z0-9:.\\[-].*$")
        .described("\(WebhookURL.grammar).")
}
