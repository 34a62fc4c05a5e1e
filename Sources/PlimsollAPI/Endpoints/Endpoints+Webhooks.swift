package import PlimsollDomain

extension Endpoints {
    static let webhooks: [any EndpointDeclaration] = [
        listWebhooks, registerWebhook, getWebhook, removeWebhook, rotateWebhookSecret,
        enableWebhook, disableWebhook, replayToWebhook, testWebhook, listDeliveries,
    ]

    package static let listWebhooks = Read<NoNames, WebhookList>(
        .get("listWebhooks", "/v1/webhooks"),
        "The webhooks whose events the caller may read, and how they fare."
    )

    package static let registerWebhook = Write<NoNames, WebhookForm, SecretWebhookAnswer>(
        .post("registerWebhook", "/v1/webhooks"),
        "Register a webhook; the secret is shown only now.",
        status: 201,
        answersWhole: true,
        mayMeet: [.keyUnusable]
    )

    package static let getWebhook = Read<WebhookID, WebhookAnswer>(
        .get("getWebhook", "/v1/webhooks/{webhook}"),
        "A webhook, how far it has come, and what keeps it from going on."
    )

    package static let removeWebhook = Write<WebhookID, ReasonForm, DryRunAnswer>(
        .delete("removeWebhook", "/v1/webhooks/{webhook}"),
        "Remove a webhook, for good.",
        takes: "WebhookReason"
    )

    package static let rotateWebhookSecret = Write<WebhookID, EmptyForm, SecretWebhookAnswer>(
        .post("rotateWebhookSecret", "/v1/webhooks/{webhook}/secret"),
        "Make a new secret, shown only now; the one before signs for a day more.",
        answersWhole: true,
        mayMeet: [.keyUnusable]
    )

    package static let enableWebhook = Write<WebhookID, ReasonForm, WebhookAnswer>(
        .post("enableWebhook", "/v1/webhooks/{webhook}/enable"),
        "Enable a webhook again; it goes on where it stopped.",
        takes: "WebhookReason"
    )

    package static let disableWebhook = Write<WebhookID, ReasonForm, WebhookAnswer>(
        .post("disableWebhook", "/v1/webhooks/{webhook}/disable"),
        "Disable a webhook; what happens meanwhile is sent when it is enabled.",
        takes: "WebhookReason"
    )

    package static let replayToWebhook = Write<WebhookID, ReplayForm, WebhookAnswer>(
        .post("replayToWebhook", "/v1/webhooks/{webhook}/replay"),
        "Send the events of some positions once more, under the same ids."
    )

    package static let testWebhook = Write<WebhookID, EmptyForm, DeliveryAnswer>(
        .post("testWebhook", "/v1/webhooks/{webhook}/test"),
        "Send a test message at once, and answer what came of it.",
        isQuestion: true
    )

    package static let listDeliveries = Read<WebhookID, DeliveryList>(
        .get("listDeliveries", "/v1/webhooks/{webhook}/deliveries"),
        "The latest deliveries, newest first.",
        query: .paging(most: 200)
    )
}
