import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/webhooks`: who is told what happens, and how that goes.
struct WebhookController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("webhooks", use: list)
            .post("webhooks", use: register)
            .get("webhooks/{webhook}", use: show)
            .delete("webhooks/{webhook}", use: remove)
            .post("webhooks/{webhook}/secret", use: rotate)
            .post("webhooks/{webhook}/enable", use: enable)
            .post("webhooks/{webhook}/disable", use: disable)
            .post("webhooks/{webhook}/replay", use: replay)
            .post("webhooks/{webhook}/test", use: test)
            .get("webhooks/{webhook}/deliveries", use: deliveries)
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let webhooks = try await useCases.webhooks(for: context.caller)
        return Reply(WebhookList(webhooks: webhooks.map(WebhookAnswer.init)))
    }

    private func register(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let submission = try await Submission<WebhookForm>(request, context)
        let made = try await useCases.registerWebhook(
            submission.form.settings,
            submission.write
        )
        var reply = Reply(
            SecretWebhookAnswer(made),
            to: submission.write,
            status: .created,
            location: "/v1/webhooks/\(made.view.webhook.id)"
        )
        // The secret is shown this once, whatever anybody prefers.
        reply.mayBeBrief = false
        return reply
    }

    private func rotate(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let webhook = try context.webhook()
        let submission = try await Submission<EmptyForm>(request, context)
        let rotated = try await useCases.rotateWebhookSecret(of: webhook, submission.write)
        var reply = Reply(SecretWebhookAnswer(rotated), to: submission.write)
        reply.mayBeBrief = false
        return reply
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let webhook = try context.webhook()
        return Reply(WebhookAnswer(try await useCases.webhook(webhook, for: context.caller)))
    }

    private func enable(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try await turn(request, context, useCases.enableWebhook)
    }

    private func disable(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try await turn(request, context, useCases.disableWebhook)
    }

    private func turn(
        _ request: Request,
        _ context: CallerContext,
        _ turned: (WebhookID, Reason?, WriteRequest) async throws -> WebhookView
    ) async throws -> Reply {
        let webhook = try context.webhook()
        let submission = try await Submission<ReasonForm>(request, context)
        let view = try await turned(webhook, submission.form.reason, submission.write)
        return Reply(WebhookAnswer(view), to: submission.write)
    }

    private func replay(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let webhook = try context.webhook()
        let submission = try await Submission<ReplayForm>(request, context)
        let view = try await useCases.replayToWebhook(
            webhook,
            since: submission.form.since,
            until: submission.form.until,
            submission.write
        )
        return Reply(WebhookAnswer(view), to: submission.write)
    }

    private func remove(_ request: Request, _ context: CallerContext) async throws -> Response {
        let webhook = try context.webhook()
        let submission = try await Submission<ReasonForm>(request, context)
        let reason = submission.form.reason
        try await useCases.removeWebhook(webhook, reason: reason, submission.write)
        return try Reply.nothing(to: submission.write, from: request, context)
    }

    /// Nothing is recorded; whoever asks is told what came of it.
    private func test(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let webhook = try context.webhook()
        _ = try EmptyForm(body: try await request.jsonBytes())
        return Reply(
            DeliveryAnswer(try await useCases.testWebhook(webhook, for: context.caller))
        )
    }

    private func deliveries(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let webhook = try context.webhook()
        let question = ["deliveries", webhook.text]
        var query = QueryReader(request)
        let limit = query.limit(50, most: UseCases.deliveriesMaximum)
        let place = query.cursor(of: question)
        try query.finish()
        let page = try await useCases.deliveries(
            to: webhook,
            before: place,
            limit: limit,
            for: context.caller
        )
        let next = page.next.map { Cursor(after: $0, of: question) }
        let list = DeliveryList(
            deliveries: page.elements.map(DeliveryAnswer.init),
            next: next?.text
        )
        return Reply(list).linked(to: next, of: request)
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
