package import PlimsollDomain
package import PlimsollJSON

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

/// A webhook and how it fares; never with its secret.
package struct WebhookAnswer: Answer, Shaped {
    /// Whether anything is sent.
    package enum State: String, CaseIterable, Sendable {
        case enabled
        case disabled
    }

    package let id: WebhookID
    package let settings: WebhookSettings
    package let state: State
    /// Why nothing is sent, by whom and since when; `nil` while something is.
    package let stop: WebhookStop?
    /// The position behind which events are sent.
    package let registered: Position
    /// Until when secrets before the newest sign as well; `nil` where none does any more.
    package let previousSecretUntil: Instant?
    /// How far it has come; `nil` before it was begun.
    package let delivered: Position?
    /// What keeps it from going on.
    package let trouble: Trouble?

    /// What failed, how often in a row, and when it is tried again.
    package struct Trouble: Equatable, Sendable {
        package let failures: Int64
        package let since: Instant
        package let nextAttempt: Instant
        package let cause: String

        package init(failures: Int64, since: Instant, nextAttempt: Instant, cause: String) {
            self.failures = failures
            self.since = since
            self.nextAttempt = nextAttempt
            self.cause = cause
        }

        package static let shape = Shape<Self>(
            nil,
            Self.init(failures:since:nextAttempt:cause:),
            .required("failures", \.failures, .integer(from: 1)),
            .required("since", \.since, .instant),
            .required("nextAttempt", \.nextAttempt, .instant),
            .required("cause", \.cause, .string)
        )
    }

    package init(
        id: WebhookID,
        settings: WebhookSettings,
        stop: WebhookStop?,
        registered: Position,
        previousSecretUntil: Instant?,
        delivered: Position?,
        trouble: Trouble?
    ) {
        self.id = id
        self.settings = settings
        state = stop == nil ? .enabled : .disabled
        self.stop = stop
        self.registered = registered
        self.previousSecretUntil = previousSecretUntil
        self.delivered = delivered
        self.trouble = trouble
    }

    package static let shape = Shape<Self>(
        "Webhook",
        Self.init(id:settings:stop:registered:previousSecretUntil:delivered:trouble:),
        .required("id", \.id, .webhook),
        .part(\.settings, WebhookSettings.shape),
        .nullable("stop", \.stop, .object(WebhookStop.shape)),
        .required("registered", \.registered, .position),
        .nullable("previousSecretUntil", \.previousSecretUntil, .instant),
        .nullable("delivered", \.delivered, .position),
        .nullable("trouble", \.trouble, .object(Trouble.shape))
    )
    .telling(.required("state", \.state, .names))
    .withDryRun
}

extension WebhookStop {
    package static let shape = Shape<Self>(
        nil,
        Self.init(cause:by:since:),
        .nullable("cause", \.cause, .string),
        .required("by", \.by, .principal),
        .required("since", \.since, .instant)
    )
}

/// A webhook with a new secret, which is shown this once.
package struct SecretWebhookAnswer: Answer, Shaped {
    package let webhook: WebhookAnswer
    /// `whsec_` and base64; `nil` in a dry run, or where it was asked for again with the same
    /// idempotency key.
    package let secret: String?

    package init(webhook: WebhookAnswer, secret: String?) {
        self.webhook = webhook
        self.secret = secret
    }

    package static let shape = Shape<Self>(
        "SecretWebhook",
        Self.init(webhook:secret:),
        .part(\.webhook, WebhookAnswer.shape),
        .nullable("secret", \.secret, .string)
    ).withDryRun
}

/// Every webhook whose events the caller may read.
package struct WebhookList: Answer, Shaped {
    package let webhooks: [WebhookAnswer]

    package init(webhooks: [WebhookAnswer]) { self.webhooks = webhooks }

    package static let shape = Shape<Self>(
        "WebhookList",
        Self.init(webhooks:),
        .required("webhooks", \.webhooks, .objects(WebhookAnswer.shape))
    )
}

/// One attempt to send something to a webhook.
package struct DeliveryAnswer: Answer, Shaped {
    package let kind: DeliveryKind
    /// The header `webhook-id` of the message.
    package let message: String
    /// That of the event; `nil` for a test.
    package let position: Position?
    package let attemptedAt: Instant
    package let milliseconds: Int64
    /// What the receiver answered; `nil` where it did not.
    package let status: Int64?
    /// `nil` where it was delivered.
    package let failure: String?

    package init(
        kind: DeliveryKind,
        message: String,
        position: Position?,
        attemptedAt: Instant,
        milliseconds: Int64,
        status: Int64?,
        failure: String?
    ) {
        self.kind = kind
        self.message = message
        self.position = position
        self.attemptedAt = attemptedAt
        self.milliseconds = milliseconds
        self.status = status
        self.failure = failure
    }

    package static let shape = Shape<Self>(
        "Delivery",
        Self.init(kind:message:position:attemptedAt:milliseconds:status:failure:),
        .required("kind", \.kind, .names),
        .required("message", \.message, .string.described(as: .uuid)),
        .nullable("position", \.position, .position),
        .required("attemptedAt", \.attemptedAt, .instant),
        .required("milliseconds", \.milliseconds, .integer(from: 0)),
        .nullable("status", \.status, .integer(from: 100, to: 999)),
        .nullable("failure", \.failure, .string)
    )
}

/// What was tried lately, newest first.
package struct DeliveryList: Answer, Shaped {
    package let deliveries: [DeliveryAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(deliveries: [DeliveryAnswer], next: String?) {
        self.deliveries = deliveries
        self.next = next
    }

    package static let shape = Shape<Self>(
        "DeliveryList",
        Self.init(deliveries:next:),
        .required("deliveries", \.deliveries, .objects(DeliveryAnswer.shape)),
        .nullable("next", \.next, .cursor)
    )
}

/// The body of `POST /v1/webhooks`.
///
/// ```json
/// {"url": "https://hooks.example.com/plimsoll", "app": "harbour", "types": ["ChangeApplied"]}
/// ```
/// Without `app` the events of everything are sent, without `types` all of them. Names of people are
/// sent only where `names` says so: what a receiver has cannot be erased there.
package struct WebhookForm: Form, Shaped {
    package var settings: WebhookSettings

    package init(_ settings: WebhookSettings) { self.settings = settings }

    package static let shape = Shape<Self>(
        "WebhookOrder",
        Self.init(_:),
        .part(\.settings, WebhookSettings.shapeOfNew)
    )
}

extension WebhookSettings {
    static let shape = Shape<Self>(
        nil,
        made,
        .required("url", \.url, .webhookURL),
        .nullable("app", \.scope.app, .slug),
        .required("types", \.types, .array(of: .eventName.described(as: .string))),
        .required("format", \.format, .names),
        .required("grouped", \.isGrouped, .bool),
        .required("names", \.tellsNames, .bool)
    )

    /// What is left out of it is as usual.
    fileprivate static let shapeOfNew = Shape<Self>(
        nil,
        made,
        .required("url", \.url, .webhookURL),
        .optional("app", \.scope.app, .slug(needing: AppSlug.grammar)),
        .usual("types", \.types, .array(of: .eventName), []),
        .usual("format", \.format, .names, .standard),
        .usual("grouped", \.isGrouped, .bool, false),
        .usual("names", \.tellsNames, .bool, false)
    )

    @Sendable private static func made(
        _ url: WebhookURL,
        _ app: AppSlug?,
        _ types: [EventName],
        _ format: WebhookFormat,
        _ isGrouped: Bool,
        _ tellsNames: Bool
    ) -> WebhookSettings? {
        var settings = WebhookSettings(url: url, scope: app.map(Scope.app) ?? .all, types: types)
        (settings.format, settings.isGrouped) = (format, isGrouped)
        settings.tellsNames = tellsNames
        return settings
    }
}

/// The body of `POST /v1/webhooks/{id}/replay`; without `until` up to now.
package struct ReplayForm: Form, Shaped {
    package let since: Position
    package let until: Position?

    package init(since: Position, until: Position? = nil) {
        self.since = since
        self.until = until
    }

    package static let shape = Shape<Self>(
        "Replay",
        Self.init(since:until:),
        .required("since", \.since, .position),
        .optional("until", \.until, .position)
    )
}

extension EventName {
    package static let grammar = "the name of a type of events, such as ChangeApplied"
}
