import PlimsollDomain
import PlimsollJSON

extension WebhookEvent {
    /// What the event says, as its entry holds it.
    var data: JSONObject {
        var data: JSONObject = ["id": .string(webhook.text)]
        switch self {
        case .webhookRegistered(_, let settings, let key):
            data["key"] = .string(key.text)
            data["types"] = .array(settings.types.map { .string($0.text) })
            data["url"] = .string(settings.url.text)
            if case .app(let app) = settings.scope { data["app"] = .string(app.text) }
            data["format"] = .string(settings.format.rawValue)
            data["grouped"] = .bool(settings.isGrouped)
            data["names"] = .bool(settings.tellsNames)
        case .webhookSecretRotated(_, let key, let previousUntil):
            data["key"] = .string(key.text)
            data["previousUntil"] = .string(previousUntil.rfc3339)
        case .webhookDisabled(_, let cause): data["cause"] = cause.map { .string($0) }
        case .webhookEnabled, .webhookRemoved: break
        case .webhookReplayOrdered(_, let since, let until):
            data["since"] = .integer(since.rawValue)
            data["until"] = .integer(until.rawValue)
        }
        return data
    }
}

extension DataReader {
    mutating func webhookEvent() throws(EntryError) -> WebhookEvent {
        let id = try text("id", WebhookID.init)
        return switch type {
        case .webhookRegistered:
            .webhookRegistered(id, try webhookSettings(), try text("key", WebhookKeyID.init))
        case .webhookSecretRotated:
            .webhookSecretRotated(
                id,
                try text("key", WebhookKeyID.init),
                previousUntil: try text("previousUntil", Instant.init(rfc3339:))
            )
        case .webhookDisabled: .webhookDisabled(id, cause: try optional("cause", \.string))
        case .webhookEnabled: .webhookEnabled(id)
        case .webhookReplayOrdered:
            .webhookReplayOrdered(
                id,
                since: try number("since", Position.init(rawValue:)),
                until: try number("until", Position.init(rawValue:))
            )
        case .webhookRemoved: .webhookRemoved(id)
        default: preconditionFailure("the events of webhooks were told apart before")
        }
    }

    private mutating func webhookSettings() throws(EntryError) -> WebhookSettings {
        var settings = WebhookSettings(
            url: try text("url", WebhookURL.init),
            scope: try optional("app") { $0.string.flatMap(AppSlug.init) }.map(Scope.app) ?? .all,
            types: try list("types") { $0.string.flatMap(EventName.init) }
        )
        // The first shape did not say them.
        if let format = try optional("format", { $0.string.flatMap(WebhookFormat.init) }) {
            settings.format = format
        }
        settings.isGrouped = try optional("grouped", \.bool) ?? false
        settings.tellsNames = try optional("names", \.bool) ?? false
        return settings
    }
}
