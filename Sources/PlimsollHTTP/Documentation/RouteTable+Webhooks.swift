import HTTPTypes
import PlimsollService

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
            summary: "Register a webhook; the secret is shown only now.",
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
            summary: "Remove a webhook, for good.",
            body: "WebhookReason",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/webhooks/{webhook}/secret",
            name: "rotateWebhookSecret",
            summary: "Make a new secret, shown only now; the one before signs for a day more.",
            body: "Nothing",
            answer: .init(schema: "SecretWebhook"),
            answersWhole: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/webhooks/{webhook}/enable",
            name: "enableWebhook",
            summary: "Enable a webhook again; it goes on where it stopped.",
            body: "WebhookReason",
            answer: .init(schema: "Webhook")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/webhooks/{webhook}/disable",
            name: "disableWebhook",
            summary: "Disable a webhook; what happens meanwhile is sent when it is enabled.",
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
            summary: "Send a test message at once, and answer what came of it.",
            body: "Nothing",
            answer: .init(schema: "Delivery"),
            isQuestion: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/webhooks/{webhook}/deliveries",
            name: "listDeliveries",
            summary: "The latest deliveries, newest first.",
            query: paging(most: UseCases.deliveriesMaximum),
            answer: .init(schema: "DeliveryList")
        ),
    ]
}
