import HTTPTypes
import PlimsollService

extension RouteTable {
    static let apps = [
        RouteDescription(
            method: .post,
            path: "/v1/apps",
            name: "registerApp",
            summary: "Register an app.",
            body: "Registration",
            answer: .init(schema: "App"),
            status: 201
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps",
            name: "listApps",
            summary: "Every app that the caller may see, as it is or was.",
            query: moment,
            answer: .init(schema: "AppList")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}",
            name: "getApp",
            summary: "An app as it is or was, and the position that a proposal is based on.",
            query: moment,
            answer: .init(schema: "App")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/default",
            name: "chooseDefaultApp",
            summary: "Have the app's documents stand at the addresses without an app's name.",
            body: "DefaultAppOrder",
            answer: .init(schema: "DefaultApp")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/settings",
            name: "getSettings",
            summary: "The settings of an app: name, platforms, languages and profile.",
            query: moment,
            answer: .init(schema: "SettingsInForce")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/apps/{app}/settings",
            name: "changeSettings",
            summary: "Give an app other settings, all of them at once.",
            body: "SettingsOrder",
            answer: .init(schema: "SettingsInForce"),
            bindsToSettings: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/rollback",
            name: "rollBack",
            summary: "Roll back: restore documents to an earlier state, at once, by one person.",
            body: "Rollback",
            answer: .init(schema: "RollbackReceipt")
        ),
    ]
}

extension RouteTable {
    static let policies = [
        RouteDescription(
            method: .get,
            path: "/v1/policy",
            name: "getDefaultPolicy",
            summary: "The default policy: who has to approve what in apps without their own.",
            query: moment,
            answer: .init(schema: "PolicyInForce")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/policy",
            name: "changeDefaultPolicy",
            summary: "Replace the default policy.",
            body: "PolicyOrder",
            answer: .init(schema: "PolicyInForce"),
            bindsToPolicy: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/policy",
            name: "getPolicy",
            summary: "The policy of an app: its own, or the default one.",
            query: moment,
            answer: .init(schema: "PolicyInForce")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/apps/{app}/policy",
            name: "changePolicy",
            summary: "Replace the policy of an app.",
            body: "PolicyOrder",
            answer: .init(schema: "PolicyInForce"),
            bindsToPolicy: true
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/policy",
            name: "resetPolicy",
            summary: "Have an app follow the default policy again.",
            body: "PolicyReset",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            bindsToPolicy: true,
            answersWhole: true
        ),
    ]
}

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

extension RouteTable {
    static let keys = [
        RouteDescription(
            method: .get,
            path: "/v1/keys",
            name: "listKeys",
            summary: "The public halves of the signing keys.",
            answer: .init(schema: "KeyList")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/keys/{key}",
            name: "getKey",
            summary: "One signing key.",
            answer: .init(schema: "Key")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/keys",
            name: "addKey",
            summary: "Add a key that clients can learn; it signs nothing yet.",
            body: "KeyOrder",
            answer: .init(schema: "Key"),
            status: 201
        ),
        RouteDescription(
            method: .post,
            path: "/v1/keys/{key}/activate",
            name: "activateKey",
            summary: "Start signing with a key, besides those that sign already.",
            body: "KeyTurn",
            answer: .init(schema: "Key"),
            bindsToKey: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/keys/{key}/retire",
            name: "retireKey",
            summary: "Stop signing with a key.",
            body: "KeyTurn",
            answer: .init(schema: "Key"),
            bindsToKey: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/keys/{key}/compromise",
            name: "compromiseKey",
            summary: "Stop using a stolen key at once; the other keys sign instead.",
            body: "Compromise",
            answer: .init(schema: "Key")
        ),
    ]
}
