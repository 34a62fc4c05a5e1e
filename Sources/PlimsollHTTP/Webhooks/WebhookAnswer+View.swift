import PlimsollAPI
import PlimsollDomain
import PlimsollService

extension WebhookAnswer {
    init(_ view: WebhookView) {
        let webhook = view.webhook
        self.init(
            id: webhook.id,
            settings: webhook.settings,
            stop: webhook.stop.map { Stop(cause: $0.cause, by: $0.by, since: $0.since) },
            registered: webhook.registeredAt,
            previousSecretUntil: view.previousSecretUntil,
            delivered: view.standing?.delivered,
            trouble: view.standing.flatMap(Trouble.init)
        )
    }
}

extension WebhookAnswer.Trouble {
    fileprivate init?(_ standing: WebhookStanding) {
        guard let since = standing.failingSince, let next = standing.nextAttempt,
            let cause = standing.failure
        else { return nil }
        self.init(
            failures: Int64(standing.failures),
            since: since,
            nextAttempt: next,
            cause: cause
        )
    }
}

extension SecretWebhookAnswer {
    init(_ view: SecretWebhookView) {
        self.init(webhook: WebhookAnswer(view.view), secret: view.secret)
    }
}

extension DeliveryAnswer {
    init(_ delivery: WebhookDelivery) {
        self.init(
            kind: delivery.kind,
            message: delivery.message,
            position: delivery.position,
            attemptedAt: delivery.attemptedAt,
            milliseconds: delivery.duration.milliseconds,
            status: delivery.status.map(Int64.init),
            failure: delivery.failure
        )
    }
}
