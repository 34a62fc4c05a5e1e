import HTTPTypes
import PlimsollUseCases

extension RouteTable {
    static let webhooks = [
        RouteDescription(
            method: .get,
            path: "/v1/webhooks",
            name: "listWebhooks",
            summary: "The webhooks whose events the caller may read, and how they fare.",
            answer: .init(schema: "WebhookList")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/webhooks",
            name: "registerWebhook",
            summary: "Have events sent somewhere, signed; the secret is shown this once.",
            body: "WebhookOrder",
            answer: .init(schema: "SecretWebhook"),
            status: 201,
            answersWhole: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/webhooks/{webhook}",
            name: "getWebhook",
            summary: "A webhook, how far it has come, and what keeps it from going on.",
            answer: .init(schema: "Webhook")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/webhooks/{webhook}",
            name: "removeWebhook",
            summary: "Send nothing there any more, for good; only tried, it says so.",
            body: "WebhookReason",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/webhooks/{webhook}/secret",
            name: "rotateWebhookSecret",
            summary: "Make a new secret, shown this once; the one before signs for a day more.",
            body: "Nothing",
            answer: .init(schema: "SecretWebhook"),
            answersWhole: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/webhooks/{webhook}/enable",
            name: "enableWebhook",
            summary: "Send there again, from where it stopped.",
            body: "WebhookReason",
            answer: .init(schema: "Webhook")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/webhooks/{webhook}/disable",
            name: "disableWebhook",
            summary: "Send nothing there until it is enabled again; nothing is lost meanwhile.",
            body: "WebhookReason",
            answer: .init(schema: "Webhook")
        ),
    ]

    static let webhookMessages = [
        RouteDescription(
            method: .post,
            path: "/v1/webhooks/{webhook}/replay",
            name: "replayToWebhook",
            summary: "Send the events of some positions once more, under the same ids.",
            body: "Replay",
            answer: .init(schema: "Webhook")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/webhooks/{webhook}/test",
            name: "testWebhook",
            summary: "Send a message that says nothing, at once, and tell what came of it.",
            body: "Nothing",
            answer: .init(schema: "Delivery"),
            isQuestion: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/webhooks/{webhook}/deliveries",
            name: "listDeliveries",
            summary: "What was tried lately, newest first.",
            query: paging(most: UseCases.deliveriesMaximum),
            answer: .init(schema: "DeliveryList")
        ),
    ]
}
