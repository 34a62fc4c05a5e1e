package import PlimsollDomain

extension Endpoints {
    static let access: [any EndpointDeclaration] = [
        issueToken, listTokens, renewToken, revokeToken, listPrincipals, eraseName,
        suspendPrincipal, resumePrincipal, revokeRole, addPersonKey, revokePersonKey, getIdentity,
        listSessions, endSession,
    ]

    package static let issueToken = Write<NoNames, TokenForm, IssuedTokenAnswer>(
        .post("issueToken", "/v1/tokens"),
        "Issue a token; the secret is shown only now.",
        status: 201,
        answersWhole: true
    )

    package static let listTokens = Read<NoNames, TokenList>(
        .get("listTokens", "/v1/tokens"),
        "The tokens that the caller may administer, and own ones."
    )

    package static let renewToken = Write<NoNames, RenewalForm, IssuedTokenAnswer>(
        .post("renewToken", "/v1/tokens/renew"),
        "Make a new token of the one that asks, which ends within ten minutes.",
        status: 201,
        answersWhole: true
    )

    package static let revokeToken = Write<TokenID, EmptyForm, DryRunAnswer>(
        .delete("revokeToken", "/v1/tokens/{token}"),
        "Revoke a token, at once.",
        isBare: true
    )

    package static let listPrincipals = Read<NoNames, PrincipalList>(
        .get("listPrincipals", "/v1/principals"),
        "Everybody whom the caller may know by name."
    )

    package static let eraseName = Write<PrincipalID, EmptyForm, DryRunAnswer>(
        .delete("eraseName", "/v1/principals/{principal}/name"),
        "Erase the name of a principal, for good.",
        isBare: true
    )

    package static let suspendPrincipal = Write<
        PrincipalID, MandatoryReasonForm, PrincipalStandingAnswer
    >(
        .post("suspendPrincipal", "/v1/principals/{principal}/suspend"),
        "Refuse all tokens of somebody.",
        takes: "SuspensionOrder"
    )

    package static let resumePrincipal = Write<PrincipalID, ReasonForm, PrincipalStandingAnswer>(
        .post("resumePrincipal", "/v1/principals/{principal}/resume"),
        "Let somebody act again.",
        takes: "Resumption"
    )

    package static let revokeRole = Write<PrincipalID, RoleRevocationForm, PrincipalStandingAnswer>(
        .post("revokeRole", "/v1/principals/{principal}/revoke-role"),
        "Take a role away from somebody."
    )

    package static let addPersonKey = Write<PrincipalID, PersonKeyForm, PrincipalStandingAnswer>(
        .post("addPersonKey", "/v1/principals/{principal}/add-key"),
        "Have what is signed with a key count as signed by somebody."
    )

    package static let revokePersonKey = Write<PrincipalID, PersonKeyForm, PrincipalStandingAnswer>(
        .post("revokePersonKey", "/v1/principals/{principal}/revoke-key"),
        "Have a key of somebody count no more, also for open changes that were approved with it."
    )

    package static let getIdentity = Read<NoNames, IdentityAnswer>(
        .get("getIdentity", "/v1/me"),
        "Who the caller is, and what they may do."
    )

    package static let listSessions = Read<NoNames, SessionList>(
        .get("listSessions", "/v1/sessions"),
        "The browsers that are signed in to the console: the caller's, and those of everybody whose"
            + " tokens the caller may administer."
    )

    package static let endSession = Write<SessionID, EmptyForm, DryRunAnswer>(
        .delete("endSession", "/v1/sessions/{session}"),
        "Sign a browser out of the console, at once.",
        isBare: true
    )
}

extension Endpoints {
    static let keys: [any EndpointDeclaration] = [
        listKeys, getKey, addKey, activateKey, retireKey, compromiseKey, listEntryKeys, addEntryKey,
        retireEntryKey,
    ]

    package static let listKeys = Read<NoNames, KeyList>(
        .get("listKeys", "/v1/keys"),
        "The public halves of the signing keys."
    )

    package static let getKey = Read<KeyID, KeyAnswer>(
        .get("getKey", "/v1/keys/{key}"),
        "One signing key."
    )

    package static let addKey = Write<AppSlug, KeyForm, KeyAnswer>(
        .post("addKey", "/v1/apps/{app}/keys"),
        "Add a key that clients can learn; it signs nothing yet.",
        status: 201
    )

    package static let activateKey = Endpoint<KeyID, SeenKey, ReasonForm, KeyAnswer>(
        .post("activateKey", "/v1/keys/{key}/activate"),
        "Start signing with a key, besides those that sign already.",
        takes: "KeyTurn"
    )

    package static let retireKey = Endpoint<KeyID, SeenKey, ReasonForm, KeyAnswer>(
        .post("retireKey", "/v1/keys/{key}/retire"),
        "Stop signing with a key.",
        takes: "KeyTurn"
    )

    package static let compromiseKey = Write<KeyID, MandatoryReasonForm, KeyAnswer>(
        .post("compromiseKey", "/v1/keys/{key}/compromise"),
        "Stop using a stolen key at once; the other keys sign instead.",
        takes: "Compromise"
    )

    package static let listEntryKeys = Read<NoNames, EntryKeyList>(
        .get("listEntryKeys", "/v1/log/entry-keys"),
        "Which secrets authenticate the entries of the log, and where."
    )

    package static let addEntryKey = Write<NoNames, ReasonForm, EntryKeyAnswer>(
        .post("addEntryKey", "/v1/log/entry-keys"),
        "Authenticate the entries of the log with a new secret, which the service makes."
    )

    package static let retireEntryKey = Write<EntryKeyID, ReasonForm, EntryKeyAnswer>(
        .post("retireEntryKey", "/v1/log/entry-keys/{entryKey}/retire"),
        "Believe nothing more that is authenticated with a secret."
    )
}

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
