import PlimsollAPI
import PlimsollDomain

extension WebhookAnswer {
    /// A webhook and how it fares; of one to which nothing was to be sent yet nothing is known.
    init(_ webhook: Webhook, _ place: WebhookProgress?, at now: Instant) {
        self.init(
            id: webhook.id,
            settings: webhook.settings,
            stop: webhook.stop,
            registered: webhook.registeredAt,
            previousSecretUntil: webhook.secrets(at: now).compactMap(\.until).max(),
            delivered: place?.delivered,
            trouble: place?.trouble
        )
    }
}

extension WebhookProgress {
    fileprivate var trouble: WebhookAnswer.Trouble? {
        guard let failingSince, let nextAttempt, let failure else { return nil }
        return WebhookAnswer.Trouble(
            failures: Int64(failures),
            since: failingSince,
            nextAttempt: nextAttempt,
            cause: failure
        )
    }
}
