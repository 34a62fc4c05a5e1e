import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport

/// The events of webhooks, as the golden files hold them.
enum WebhookSamples {
    static func event(_ type: EventType, shape: Int) -> WebhookEvent {
        switch type {
        case .webhookRegistered: .webhookRegistered(id, settings(shape), key)
        case .webhookSecretRotated:
            .webhookSecretRotated(
                id,
                key,
                previousUntil: EventSamples.instant("2026-11-22T08:00:00.123Z")
            )
        case .webhookDisabled: .webhookDisabled(id, cause: "it answered 410")
        case .webhookEnabled: .webhookEnabled(id)
        case .webhookReplayOrdered:
            .webhookReplayOrdered(id, since: Position(3), until: Position(5))
        case .webhookRemoved: .webhookRemoved(id)
        default: preconditionFailure("\(type) has no sample here")
        }
    }

    private static let id = WebhookID(EventSamples.uuid(9))

    private static var key: WebhookKeyID {
        guard let key = WebhookKeyID("0123456789abcdef") else {
            preconditionFailure("sixteen digits are the id of a key")
        }
        return key
    }

    /// The first shape knew one form of message.
    private static func settings(_ shape: Int) -> WebhookSettings {
        guard let url = WebhookURL("https://hooks.example.com/plimsoll?team=1"),
            let type = EventName("ChangeApplied")
        else { preconditionFailure("the address of the sample is one") }
        var settings = WebhookSettings(url: url, scope: .app(harbour), types: [type])
        guard shape > 1 else { return settings }
        settings.format = .slack
        (settings.isGrouped, settings.tellsNames) = (true, true)
        return settings
    }
}
