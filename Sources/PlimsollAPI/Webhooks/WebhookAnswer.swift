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
