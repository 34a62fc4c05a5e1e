package import PlimsollDomain
package import PlimsollJSON

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
