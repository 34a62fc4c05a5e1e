import FoundationEssentials
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Has events sent somewhere; the secret that they are signed with is shown this once.
    package func registerWebhook(
        _ settings: WebhookSettings,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> SecretWebhookView {
        try require(.admin, of: request.caller, in: settings.scope, try world())
        try refuse(settings)
        let command = RegisterWebhook(
            WebhookID(UUID()),
            settings,
            key: try await webhookKey(request.mode),
            by: request.caller.principal
        )
        return try await secretView(of: try await perform(command, request))
    }

    /// Gives a webhook a new secret, which is shown this once.
    package func rotateWebhookSecret(
        of webhook: WebhookID,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> SecretWebhookView {
        _ = try administeredWebhook(webhook, by: request.caller)
        let command = RotateWebhookSecret(
            of: webhook,
            key: try await webhookKey(request.mode),
            by: request.caller.principal
        )
        return try await secretView(of: try await perform(command, request))
    }

    package func disableWebhook(
        _ webhook: WebhookID,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> WebhookView {
        let command = DisableWebhook(webhook, reason: reason, by: request.caller.principal)
        return try await view(of: try await perform(command, request))
    }

    package func enableWebhook(
        _ webhook: WebhookID,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> WebhookView {
        let command = EnableWebhook(webhook, reason: reason, by: request.caller.principal)
        return try await view(of: try await perform(command, request))
    }

    /// Orders events to be sent once more; without an end, all up to now.
    package func replayToWebhook(
        _ webhook: WebhookID,
        since: Position,
        until: Position?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> WebhookView {
        let command = ReplayToWebhook(
            webhook,
            since: since,
            until: until,
            by: request.caller.principal
        )
        return try await view(of: try await perform(command, request))
    }

    package func removeWebhook(
        _ webhook: WebhookID,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        let command = RemoveWebhook(webhook, reason: reason, by: request.caller.principal)
        _ = try await perform(command, request)
    }

    /// Refuses what no event would ever be sent to, or for.
    private func refuse(_ settings: WebhookSettings) throws(UseCaseError) {
        var objections: [Objection] = []
        if let cause = webhooks.objection(settings.url) {
            objections.append(.placeRefused(cause, at: "/url"))
        }
        for (index, type) in settings.types.enumerated() where EventType(rawValue: type.text) == nil
        {
            objections.append(.typeUnknown(type, at: Pointer("/types").appending(index)))
        }
        guard objections.isEmpty else { throw .refused(Refusal(objections)) }
    }

    /// A rehearsal makes no key.
    private func webhookKey(_ mode: WriteMode) async throws(UseCaseError) -> WebhookKeyID {
        switch mode {
        case .dryRun: .rehearsed
        case .commit: try await read { try await webhooks.key() }
        }
    }

    private func secretView(of receipt: Receipt) async throws(UseCaseError) -> SecretWebhookView {
        let view = try await view(of: receipt)
        guard receipt.freshness == .written, let newest = view.webhook.secrets.first else {
            return SecretWebhookView(view: view, secret: nil)
        }
        return SecretWebhookView(
            view: view,
            secret: try await read { try await webhooks.secret(view.webhook.id, newest) }
        )
    }

    /// The webhook as the append left it.
    private func view(of receipt: Receipt) async throws(UseCaseError) -> WebhookView {
        guard case .webhook(let event)? = receipt.events.last?.event else {
            throw .unexpected("the last event of changing a webhook is not one of webhooks")
        }
        guard let webhook = receipt.world.webhooks[event.webhook] else {
            // Repeated, and removed since.
            throw UseCaseError(.webhookUnknown(event.webhook))
        }
        return try await views(of: [webhook])[0]
    }

    func views(of webhooks: [Webhook]) async throws(UseCaseError) -> [WebhookView] {
        let standings = try await read { try await self.webhooks.standings(webhooks.map(\.id)) }
        let now = clock()
        return webhooks.map { WebhookView($0, standings[$0.id], at: now) }
    }

    func administeredWebhook(
        _ id: WebhookID,
        by caller: Caller
    ) throws(UseCaseError) -> Webhook {
        let world = try world()
        do throws(Refusal) {
            return try world.administeredWebhook(id, by: caller.principal)
        } catch {
            throw .refused(error)
        }
    }
}

extension WebhookKeyID {
    /// Stands in a rehearsal for a key that is not made for it.
    fileprivate static var rehearsed: WebhookKeyID {
        guard let id = WebhookKeyID("0000000000000000") else {
            preconditionFailure("sixteen zeros are sixteen hexadecimal digits")
        }
        return id
    }
}
