import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/webhooks`: who is told what happens, and how that goes.
struct WebhookController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] { registrations + turns + messages }

    private var registrations: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listWebhooks) { call in
                let webhooks = try await useCases.webhooks(for: call.caller)
                return WebhookList(webhooks: webhooks.map(WebhookAnswer.init))
            },
            .write(Endpoints.registerWebhook, at: { "/v1/webhooks/\($0.webhook.id)" }) { call in
                let settings = call.form.settings
                return SecretWebhookAnswer(
                    try await useCases.registerWebhook(settings, call.write)
                )
            },
            .read(Endpoints.getWebhook) { call in
                WebhookAnswer(try await useCases.webhook(try call.names(), for: call.caller))
            },
            .write(Endpoints.removeWebhook) { call in
                let reason = call.form.reason
                try await useCases.removeWebhook(call.names, reason: reason, call.write)
            },
        ]
    }

    private var turns: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.rotateWebhookSecret) { call in
                SecretWebhookAnswer(
                    try await useCases.rotateWebhookSecret(of: call.names, call.write)
                )
            },
            .write(Endpoints.enableWebhook) { call in
                let reason = call.form.reason
                return WebhookAnswer(
                    try await useCases.enableWebhook(call.names, reason: reason, call.write)
                )
            },
            .write(Endpoints.disableWebhook) { call in
                let reason = call.form.reason
                return WebhookAnswer(
                    try await useCases.disableWebhook(call.names, reason: reason, call.write)
                )
            },
        ]
    }

    private var messages: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.replayToWebhook) { call in
                let view = try await useCases.replayToWebhook(
                    call.names,
                    since: call.form.since,
                    until: call.form.until,
                    call.write
                )
                return WebhookAnswer(view)
            },
            // Nothing is recorded; whoever asks is told what came of it.
            .ask(Endpoints.testWebhook) { webhook, _, caller in
                DeliveryAnswer(try await useCases.testWebhook(webhook, for: caller))
            },
            .read(Endpoints.listDeliveries) { call in
                let webhook = try call.names()
                let question = ["deliveries", webhook.text]
                var query = call.query
                let limit = query.limit(50, most: call.facts.limitMaximum)
                let place = query.cursor(of: question)
                try query.finish()
                let page = try await useCases.deliveries(
                    to: webhook,
                    before: place,
                    limit: limit,
                    for: call.caller
                )
                return DeliveryList(
                    deliveries: page.elements.map(DeliveryAnswer.init),
                    next: page.next.map { Cursor(after: $0, of: question).text }
                )
            },
        ]
    }
}

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
