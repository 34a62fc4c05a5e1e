package import PlimsollDomain
package import PlimsollStore

extension UseCases {
    /// So many attempts are listed at once at most.
    package static let deliveriesMaximum = 200

    /// The webhooks whose events the caller may read, in the order in which they were registered.
    package func webhooks(for caller: Caller) async throws(UseCaseError) -> [WebhookView] {
        let world = try world()
        return try await views(
            of: world.webhooks.all.filter {
                world.access.permits(caller.principal, .auditor, in: $0.settings.scope)
            }
        )
    }

    package func webhook(
        _ id: WebhookID,
        for caller: Caller
    ) async throws(UseCaseError) -> WebhookView {
        try await views(of: [try readableWebhook(id, for: caller)])[0]
    }

    /// What was tried lately, newest first.
    package func deliveries(
        to id: WebhookID,
        before number: Int64?,
        limit: Int,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<WebhookDelivery, Int64> {
        _ = try readableWebhook(id, for: caller)
        let limit = min(max(limit, 1), Self.deliveriesMaximum)
        let found = try await read { try await webhooks.deliveries(id, number, limit + 1) }
        let shown = Array(found.prefix(limit))
        return Page(elements: shown, next: found.count > limit ? shown.last?.number : nil)
    }

    /// Sends a message that says nothing, at once, and tells what came of it; also to a webhook
    /// that is disabled.
    package func testWebhook(
        _ id: WebhookID,
        for caller: Caller
    ) async throws(UseCaseError) -> WebhookDelivery {
        let webhook = try administeredWebhook(id, by: caller)
        return try await read { try await webhooks.test(webhook) }
    }

    private func readableWebhook(
        _ id: WebhookID,
        for caller: Caller
    ) throws(UseCaseError) -> Webhook {
        let world = try world()
        let webhook: Webhook
        do throws(Refusal) {
            webhook = try world.visibleWebhook(id, to: caller.principal)
        } catch {
            throw .refused(error)
        }
        try require(.auditor, of: caller, in: webhook.settings.scope, world)
        return webhook
    }
}

// What whatever sends the events asks.
extension UseCases {
    /// Every webhook there is; `nil` before the log was read.
    package var knownWebhooks: Webhooks? { try? world().webhooks }

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
        let reader = RecordReader(principal: webhook.owner, access: try world().access)
        guard reader.sees(actor) else { return nil }
        return try await read { try await directory.names(of: [actor]) }[actor]
    }

    /// Stops sending to a receiver that failed for too long, and records why.
    package func giveUp(
        on webhook: WebhookID,
        because cause: String
    ) async throws(UseCaseError) {
        do throws(WriteError) {
            _ = try await writer.perform(
                CommandRequest(DisableWebhook(webhook, because: cause))
            )
        } catch {
            // It was disabled or removed meanwhile.
            if case .refused = error { return }
            throw UseCaseError(error)
        }
    }
}
