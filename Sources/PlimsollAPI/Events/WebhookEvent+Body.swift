package import PlimsollDomain
import PlimsollJSON

extension EventBody {
    init(_ event: WebhookEvent) {
        var json: JSONObject = ["id": .string(event.webhook.text)]
        switch event {
        case .webhookRegistered(_, let settings, let key):
            json["url"] = .string(settings.url.text)
            json["app"] = JSONValue(settings.scope.app?.text)
            json["types"] = .array(settings.types.map { .string($0.text) })
            json["format"] = .string(settings.format.rawValue)
            json["grouped"] = .bool(settings.isGrouped)
            json["names"] = .bool(settings.tellsNames)
            json["key"] = .string(key.text)
            self.init("WebhookRegistered", json)
        case .webhookSecretRotated(_, let key, let previousUntil):
            json["key"] = .string(key.text)
            json["previousUntil"] = JSONValue(previousUntil)
            self.init("WebhookSecretRotated", json)
        case .webhookDisabled(_, let cause):
            json["cause"] = JSONValue(cause)
            self.init("WebhookDisabled", json)
        case .webhookEnabled: self.init("WebhookEnabled", json)
        case .webhookReplayOrdered(_, let since, let until):
            json["since"] = JSONValue(since)
            json["until"] = JSONValue(until)
            self.init("WebhookReplayOrdered", json)
        case .webhookRemoved: self.init("WebhookRemoved", json)
        }
    }
}

extension WebhookEvent {
    var sentence: String {
        switch self {
        case .webhookRegistered(let id, let settings, _):
            "Webhook \(id) sends events to \(settings.url.host)"
        case .webhookSecretRotated(let id, _, _): "Webhook \(id) has a new secret"
        case .webhookDisabled(let id, let cause?): "Webhook \(id) disabled: \(cause)"
        case .webhookDisabled(let id, nil): "Webhook \(id) disabled"
        case .webhookEnabled(let id): "Webhook \(id) enabled"
        case .webhookReplayOrdered(let id, let since, let until):
            "Webhook \(id) sends events \(since) to \(until) once more"
        case .webhookRemoved(let id): "Webhook \(id) removed"
        }
    }
}

extension Scope {
    /// The app, unless it is all of them.
    package var app: AppSlug? {
        if case .app(let slug) = self { slug } else { nil }
    }
}
