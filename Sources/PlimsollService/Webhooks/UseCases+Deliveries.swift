import FoundationEssentials
package import PlimsollAPI
package import PlimsollDomain
package import PlimsollStore

extension UseCases {
    /// So many attempts are listed at once at most.
    package static let deliveriesMaximum = 200

    /// The webhooks whose events the caller may read, in the order in which they were registered.
    package func webhooks(for caller: Caller) async throws(UseCaseError) -> [WebhookAnswer] {
        let logState = try logState()
        return try await answers(
            of: logState.webhooks.all.filter {
                logState.access.permits(caller.principal, .auditor, in: $0.settings.scope)
            }
        )
    }

    package func webhook(
        _ id: WebhookID,
        for caller: Caller
    ) async throws(UseCaseError) -> WebhookAnswer {
        try await answers(of: [try readableWebhook(id, for: caller)])[0]
    }

    /// What was tried lately, newest first.
    package func deliveries(
        to id: WebhookID,
        before number: Int64?,
        limit: Int,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<DeliveryAnswer, Int64> {
        _ = try readableWebhook(id, for: caller)
        let limit = min(max(limit, 1), Self.deliveriesMaximum)
        guard let webhooks else { return Page(elements: [], next: nil) }
        let found = try await read {
            try await webhooks.deliveries(to: id, before: number, limit: limit + 1)
        }
        let shown = found.prefix(limit)
        return Page(
            elements: shown.map(\.answer),
            next: found.count > limit ? shown.last?.number : nil
        )
    }

    /// Sends a message that says nothing, at once, and tells what came of it; also to a webhook
    /// that is disabled.
    package func testWebhook(
        _ id: WebhookID,
        for caller: Caller
    ) async throws(UseCaseError) -> DeliveryAnswer {
        let webhook = try administeredWebhook(id, by: caller)
        let webhooks = try sendingWebhooks()
        return try await read { try await webhooks.test(webhook) }
    }

    private func readableWebhook(
        _ id: WebhookID,
        for caller: Caller
    ) throws(UseCaseError) -> Webhook {
        let logState = try logState()
        let webhook: Webhook
        do throws(Refusal) {
            webhook = try logState.visibleWebhook(id, to: caller.principal)
        } catch {
            throw .refused(error)
        }
        try require(.auditor, of: caller, in: webhook.settings.scope, logState)
        return webhook
    }
}

// What whatever sends the events asks.
extension UseCases {
    /// Every webhook there is; `nil` before the log was read.
    package var knownWebhooks: Webhooks? { try? logState().webhooks }

    /// Waits, not for long, until this instance knows all that is recorded by now.
    func knowsHead() async throws(UseCaseError) -> Bool {
        await knows(try await read { try await readModels.log.head().position })
    }

    /// What has happened behind a position that a webhook is to be sent; waits for a while where
    /// nothing has.
    package func growth(
        for webhook: Webhook,
        after position: Position,
        patience: Duration
    ) async throws(UseCaseError) -> RecordGrowth {
        var query = EventQuery()
        if case .app(let slug) = webhook.settings.scope { query.apps = [slug] }
        var growth = try await read {
            try await readModels.growth(query, after: position, patience: patience)
        }
        if webhook.settings.isGrouped { growth = try await whole(growth, query) }
        let types = Set(webhook.settings.types.map(\.text))
        guard !types.isEmpty else { return growth }
        return RecordGrowth(
            events: growth.events.filter { types.contains($0.recorded.event.type.rawValue) },
            reached: growth.reached
        )
    }

    /// With the rest of the last append, where what was read ends in the middle of it.
    private func whole(
        _ growth: RecordGrowth,
        _ query: EventQuery
    ) async throws(UseCaseError) -> RecordGrowth {
        var whole = growth
        while let last = whole.events.last {
            let more = try await read {
                try await readModels.growth(query, after: whole.reached, patience: .zero)
            }
            let rest = more.events.prefix { $0.recorded.command == last.recorded.command }
            guard let end = rest.last else { break }
            whole = RecordGrowth(events: whole.events + rest, reached: end.position)
        }
        return whole
    }

    /// What whoever acted is called, as far as the one who registered the webhook may know; `nil`
    /// also where the name was erased.
    package func actorName(
        _ actor: PrincipalID,
        for webhook: Webhook
    ) async throws(UseCaseError) -> String? {
        guard webhook.settings.tellsNames else { return nil }
        let reader = RecordReader(principal: webhook.owner, access: try logState().access)
        guard reader.sees(actor) else { return nil }
        return try await names(of: [actor])[actor]
    }

    /// Stops sending to a receiver that failed for too long, and records why, unless another dispatcher
    /// sends by now.
    package func giveUp(
        on webhook: WebhookID,
        because cause: String,
        as fence: Fence? = nil
    ) async throws(UseCaseError) {
        do throws(WriteError) {
            _ = try await writer.perform(
                CommandRequest(DisableWebhook(webhook, because: cause), fence: fence)
            )
        } catch {
            // It was disabled or removed meanwhile.
            if case .refused = error { return }
            throw UseCaseError(error)
        }
    }
}

extension UseCases {
    /// Has events sent somewhere; the secret that they are signed with is shown this once.
    package func registerWebhook(
        _ settings: WebhookSettings,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> SecretWebhookAnswer {
        try require(.admin, of: request.caller, in: settings.scope, try logState())
        try refuse(settings)
        let command = RegisterWebhook(
            WebhookID(UUID()),
            settings,
            key: try await webhookKey(request.mode),
            by: request.caller.principal
        )
        return try await secretAnswer(of: try await perform(command, request))
    }

    /// Gives a webhook a new secret, which is shown this once.
    package func rotateWebhookSecret(
        of webhook: WebhookID,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> SecretWebhookAnswer {
        _ = try administeredWebhook(webhook, by: request.caller)
        let command = RotateWebhookSecret(
            of: webhook,
            key: try await webhookKey(request.mode),
            by: request.caller.principal
        )
        return try await secretAnswer(of: try await perform(command, request))
    }

    /// Refuses what no event would ever be sent to, or for.
    private func refuse(_ settings: WebhookSettings) throws(UseCaseError) {
        var objections: [Objection] = []
        if let cause = try sendingWebhooks().objection(to: settings.url) {
            objections.append(.placeRefused(cause, at: "/url"))
        }
        for (index, type) in settings.types.enumerated() where EventType(rawValue: type.text) == nil
        {
            objections.append(.typeUnknown(type, at: Pointer("/types").appending(index)))
        }
        guard objections.isEmpty else { throw .refused(Refusal(objections)) }
    }

    /// A dry run makes no key.
    private func webhookKey(_ mode: WriteOptions.Mode) async throws(UseCaseError) -> WebhookKeyID {
        guard mode == .commit else { return .dryRun }
        let webhooks = try sendingWebhooks()
        return try await read { try webhooks.key() }
    }

    private func sendingWebhooks() throws(UseCaseError) -> WebhookOperations {
        guard let webhooks else { throw .unexpected("this service sends no events anywhere") }
        return webhooks
    }

    private func secretAnswer(
        of receipt: Receipt
    ) async throws(UseCaseError) -> SecretWebhookAnswer {
        let webhook = try webhook(of: receipt)
        let answer = try await answers(of: [webhook])[0]
        guard receipt.freshness == .written, let newest = webhook.secrets.first else {
            return SecretWebhookAnswer(webhook: answer, secret: nil)
        }
        let webhooks = try sendingWebhooks()
        return SecretWebhookAnswer(
            webhook: answer,
            secret: try await read { try webhooks.secret(of: webhook.id, newest) }
        )
    }

    /// Decides a command about a webhook, and answers the webhook as that left it.
    package func webhook(
        after command: any Command,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> WebhookAnswer {
        try await answers(of: [try webhook(of: try await perform(command, request))])[0]
    }

    /// The webhook as the append left it.
    private func webhook(of receipt: Receipt) throws(UseCaseError) -> Webhook {
        guard case .webhook(let event)? = receipt.events.last?.event else {
            throw .unexpected("the last event of changing a webhook is not one of webhooks")
        }
        guard let webhook = receipt.logState.webhooks[event.webhook] else {
            // Repeated, and removed since.
            throw UseCaseError(.webhookUnknown(event.webhook))
        }
        return webhook
    }

    func answers(of webhooks: [Webhook]) async throws(UseCaseError) -> [WebhookAnswer] {
        let places = try await read { try await self.webhooks?.places(of: webhooks.map(\.id)) }
        let now = clock()
        return webhooks.map { WebhookAnswer($0, places?[$0.id], at: now) }
    }

    func administeredWebhook(
        _ id: WebhookID,
        by caller: Caller
    ) throws(UseCaseError) -> Webhook {
        let logState = try logState()
        do throws(Refusal) {
            return try logState.administeredWebhook(id, by: caller.principal)
        } catch {
            throw .refused(error)
        }
    }
}

extension WebhookKeyID {
    /// Stands in a dry run for a key that is not made for it.
    fileprivate static var dryRun: WebhookKeyID {
        guard let id = WebhookKeyID("0000000000000000") else {
            preconditionFailure("sixteen zeros are sixteen hexadecimal digits")
        }
        return id
    }
}
