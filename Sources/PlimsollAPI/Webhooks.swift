package import PlimsollDomain
package import PlimsollJSON

/// A webhook and how it fares; never with its secret.
package struct WebhookAnswer: Answer {
    /// Whether anything is sent.
    package enum State: String, CaseIterable, Sendable {
        case enabled
        case disabled
    }

    package let id: WebhookID
    package let settings: WebhookSettings
    package let state: State
    /// Why nothing is sent, by whom and since when; `nil` while something is.
    package let stop: Stop?
    /// The position behind which events are sent.
    package let registered: Position
    /// Until when secrets before the newest sign as well; `nil` where none does any more.
    package let previousSecretUntil: Instant?
    /// How far it has come; `nil` before it was begun.
    package let delivered: Position?
    /// What keeps it from going on.
    package let trouble: Trouble?

    /// Why nothing is sent.
    package struct Stop: Equatable, Sendable {
        package let cause: String?
        package let by: PrincipalID
        package let since: Instant

        package init(cause: String?, by: PrincipalID, since: Instant) {
            self.cause = cause
            self.by = by
            self.since = since
        }
    }

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
    }

    package init(
        id: WebhookID,
        settings: WebhookSettings,
        stop: Stop?,
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

    package init?(_ reader: inout ObjectReader) {
        let id = reader.string("id", needing: "a webhook's id", WebhookID.init)
        let url = reader.string("url", needing: WebhookURL.grammar, WebhookURL.init)
        let app = reader.optionalString("app", needing: AppSlug.grammar, AppSlug.init)
        let types = reader.strings("types", needing: EventName.grammar, EventName.init)
        let format = reader.name("format", as: WebhookFormat.self)
        let isGrouped = reader.bool("grouped")
        let tellsNames = reader.bool("names")
        let state = reader.name("state", as: State.self)
        let stop = reader.optionalObject("stop", Stop.init)
        let registered = reader.position("registered")
        let previousSecretUntil = reader.optionalInstant("previousSecretUntil")
        let delivered = reader.optionalPosition("delivered")
        let trouble = reader.optionalObject("trouble", Trouble.init)
        guard let id, let url, let types, let format, let isGrouped, let tellsNames,
            state != nil, let registered
        else { return nil }
        var settings = WebhookSettings(url: url, scope: app.map(Scope.app) ?? .all, types: types)
        (settings.format, settings.isGrouped) = (format, isGrouped)
        settings.tellsNames = tellsNames
        self.init(
            id: id,
            settings: settings,
            stop: stop,
            registered: registered,
            previousSecretUntil: previousSecretUntil,
            delivered: delivered,
            trouble: trouble
        )
    }

    package var json: JSONObject {
        [
            "id": .string(id.text),
            "url": .string(settings.url.text),
            "app": JSONValue(settings.scope.app?.text),
            "types": .array(settings.types.map { .string($0.text) }),
            "format": .string(settings.format.rawValue),
            "grouped": .bool(settings.isGrouped),
            "names": .bool(settings.tellsNames),
            "state": .string(state.rawValue),
            "stop": stop.map { .object($0.json) } ?? .null,
            "registered": JSONValue(registered),
            "previousSecretUntil": JSONValue(previousSecretUntil),
            "delivered": JSONValue(delivered),
            "trouble": trouble.map { .object($0.json) } ?? .null,
        ]
    }
}

extension WebhookAnswer.Stop {
    fileprivate init?(_ reader: inout ObjectReader) {
        let cause = reader.optionalString("cause")
        let by = reader.principal("by")
        let since = reader.instant("since")
        guard let by, let since else { return nil }
        self.init(cause: cause, by: by, since: since)
    }

    fileprivate var json: JSONObject {
        ["cause": JSONValue(cause), "by": .string(by.text), "since": JSONValue(since)]
    }
}

extension WebhookAnswer.Trouble {
    fileprivate init?(_ reader: inout ObjectReader) {
        let failures = reader.integer("failures")
        let since = reader.instant("since")
        let nextAttempt = reader.instant("nextAttempt")
        let cause = reader.string("cause")
        guard let failures, let since, let nextAttempt, let cause else { return nil }
        self.init(failures: failures, since: since, nextAttempt: nextAttempt, cause: cause)
    }

    fileprivate var json: JSONObject {
        [
            "failures": .integer(failures), "since": JSONValue(since),
            "nextAttempt": JSONValue(nextAttempt), "cause": .string(cause),
        ]
    }
}

/// A webhook with a new secret, which is shown this once.
package struct SecretWebhookAnswer: Answer {
    package let webhook: WebhookAnswer
    /// `whsec_` and base64; `nil` where it was only tried, or asked for again with the same
    /// idempotency key.
    package let secret: String?

    package init(webhook: WebhookAnswer, secret: String?) {
        self.webhook = webhook
        self.secret = secret
    }

    package init?(_ reader: inout ObjectReader) {
        let webhook = WebhookAnswer(&reader)
        let secret = reader.optionalString("secret")
        guard let webhook else { return nil }
        self.init(webhook: webhook, secret: secret)
    }

    package var json: JSONObject {
        var json = webhook.json
        json["secret"] = JSONValue(secret)
        return json
    }
}

/// Every webhook whose events the caller may read.
package struct WebhookList: Answer {
    package let webhooks: [WebhookAnswer]

    package init(webhooks: [WebhookAnswer]) { self.webhooks = webhooks }

    package init?(_ reader: inout ObjectReader) {
        guard let webhooks = reader.objects("webhooks", .ignored, WebhookAnswer.init) else {
            return nil
        }
        self.init(webhooks: webhooks)
    }

    package var json: JSONObject { ["webhooks": JSONValue(webhooks)] }
}

/// One attempt to send something to a webhook.
package struct DeliveryAnswer: Answer {
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

    package init?(_ reader: inout ObjectReader) {
        let kind = reader.name("kind", as: DeliveryKind.self)
        let message = reader.string("message")
        let position = reader.optionalPosition("position")
        let attemptedAt = reader.instant("attemptedAt")
        let milliseconds = reader.integer("milliseconds")
        let status = reader.optionalInteger("status")
        let failure = reader.optionalString("failure")
        guard let kind, let message, let attemptedAt, let milliseconds else { return nil }
        self.init(
            kind: kind,
            message: message,
            position: position,
            attemptedAt: attemptedAt,
            milliseconds: milliseconds,
            status: status,
            failure: failure
        )
    }

    package var json: JSONObject {
        [
            "kind": .string(kind.rawValue),
            "message": .string(message),
            "position": JSONValue(position),
            "attemptedAt": JSONValue(attemptedAt),
            "milliseconds": .integer(milliseconds),
            "status": status.map { .integer($0) } ?? .null,
            "failure": JSONValue(failure),
        ]
    }
}

/// What was tried lately, newest first.
package struct DeliveryList: Answer {
    package let deliveries: [DeliveryAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(deliveries: [DeliveryAnswer], next: String?) {
        self.deliveries = deliveries
        self.next = next
    }

    package init?(_ reader: inout ObjectReader) {
        let deliveries = reader.objects("deliveries", .ignored, DeliveryAnswer.init)
        let next = reader.optionalString("next")
        guard let deliveries else { return nil }
        self.init(deliveries: deliveries, next: next)
    }

    package var json: JSONObject {
        ["deliveries": JSONValue(deliveries), "next": JSONValue(next)]
    }
}

/// The body of `POST /v1/webhooks`.
///
/// ```json
/// {"url": "https://hooks.example.com/plimsoll", "app": "harbour", "types": ["ChangeApplied"]}
/// ```
/// Without `app` the events of everything are sent, without `types` all of them. Names of people are
/// sent only where `names` says so: what a receiver has cannot be erased there.
package struct WebhookForm: Form {
    package let url: WebhookURL
    package let app: AppSlug?
    package let types: [EventName]
    package var format = WebhookFormat.standard
    package var isGrouped = false
    package var tellsNames = false

    package init(url: WebhookURL, app: AppSlug? = nil, types: [EventName] = []) {
        self.url = url
        self.app = app
        self.types = types
    }

    package init?(_ reader: inout ObjectReader) {
        let url = reader.string("url", needing: WebhookURL.grammar, WebhookURL.init)
        let app = reader.optionalString("app", needing: AppSlug.grammar, AppSlug.init)
        let types = reader.optionalStrings("types", needing: EventName.grammar, EventName.init)
        let format = reader.optionalString(
            "format",
            needing: oneOf(WebhookFormat.self),
            WebhookFormat.init
        )
        let isGrouped = reader.optionalBool("grouped")
        let tellsNames = reader.optionalBool("names")
        guard let url else { return nil }
        self.init(url: url, app: app, types: types ?? [])
        self.format = format ?? .standard
        self.isGrouped = isGrouped ?? false
        self.tellsNames = tellsNames ?? false
    }

    package var json: JSONObject {
        [
            "url": .string(url.text), "app": JSONValue(app?.text),
            "types": .array(types.map { .string($0.text) }),
            "format": .string(format.rawValue), "grouped": .bool(isGrouped),
            "names": .bool(tellsNames),
        ]
    }

    package var settings: WebhookSettings {
        var settings = WebhookSettings(url: url, scope: app.map(Scope.app) ?? .all, types: types)
        (settings.format, settings.isGrouped) = (format, isGrouped)
        settings.tellsNames = tellsNames
        return settings
    }
}

/// The body of `POST /v1/webhooks/{id}/replay`; without `until` up to now.
package struct ReplayForm: Form {
    package let since: Position
    package let until: Position?

    package init(since: Position, until: Position? = nil) {
        self.since = since
        self.until = until
    }

    package init?(_ reader: inout ObjectReader) {
        let since = reader.position("since")
        let until = reader.optionalPosition("until")
        guard let since else { return nil }
        self.init(since: since, until: until)
    }

    package var json: JSONObject { ["since": JSONValue(since), "until": JSONValue(until)] }
}

extension EventName {
    package static let grammar = "the name of a type of events, such as ChangeApplied"
}
