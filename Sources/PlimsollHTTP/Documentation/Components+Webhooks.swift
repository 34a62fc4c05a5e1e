import PlimsollAPI
import PlimsollDomain

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
