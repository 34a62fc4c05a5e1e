// The commands about webhooks that an append may have come from.
extension RecordedAppend {
    func commandOfWebhook(_ event: WebhookEvent) -> any Command {
        let reason = first.origin.reason
        return switch event {
        case .webhookRegistered(let id, let settings, let key):
            RegisterWebhook(id, settings, key: key, by: actor)
        case .webhookSecretRotated(let id, let key, _):
            RotateWebhookSecret(of: id, key: key, by: actor)
        case .webhookDisabled(let id, let cause):
            DisableWebhook(id, cause: cause, reason: reason, by: actor)
        case .webhookEnabled(let id): EnableWebhook(id, reason: reason, by: actor)
        case .webhookReplayOrdered(let id, let since, let until):
            ReplayToWebhook(id, since: since, until: until, by: actor)
        case .webhookRemoved(let id): RemoveWebhook(id, reason: reason, by: actor)
        }
    }
}
