/// Has events sent to a place; asks for an administrator of all that is sent.
package struct RegisterWebhook: Command {
    package let webhook: WebhookID
    package let settings: WebhookSettings
    package let key: WebhookKeyID
    package let by: PrincipalID

    package init(
        _ webhook: WebhookID,
        _ settings: WebhookSettings,
        key: WebhookKeyID,
        by: PrincipalID
    ) {
        self.webhook = webhook
        self.settings = settings
        self.key = key
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: settings.scope)
        var objections: [Objection] = []
        if case .app(let slug) = settings.scope, logState.app(slug) == nil {
            objections.append(.scopeUnknown(slug, at: "/app"))
        }
        if let (scope, maximum) = logState.webhooks.limitReached(in: settings.scope) {
            objections.append(.webhooksFull(scope, maximum: maximum))
        }
        for (index, type) in settings.types.enumerated()
        where settings.types[..<index].contains(type) {
            objections.append(.repeated(type.text, at: Pointer("/types").appending(index)))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var reads: Set<StreamName> = [.access]
        if case .app(let slug) = settings.scope { reads.insert(.app(slug)) }
        var decision = Decision(relyingOn: reads)
        decision.append(.webhook(.webhookRegistered(webhook, settings, key)), to: .webhooks)
        return decision
    }
}

extension Webhooks {
    /// The limit that leaves no room for one more of a scope.
    fileprivate func limitReached(in scope: Scope) -> (Scope, maximum: Int)? {
        if count >= Self.countMaximum { return (.all, Self.countMaximum) }
        let siblings = all.count { $0.settings.scope == scope }
        guard scope != .all, siblings >= Self.countMaximumOfApp else { return nil }
        return (scope, Self.countMaximumOfApp)
    }
}

/// Gives a webhook a new secret; those before sign as well for a while.
package struct RotateWebhookSecret: Command {
    /// Receivers have this long to change over.
    package static let overlap = Duration.seconds(86_400)

    package let webhook: WebhookID
    package let key: WebhookKeyID
    package let by: PrincipalID

    package init(of webhook: WebhookID, key: WebhookKeyID, by: PrincipalID) {
        self.webhook = webhook
        self.key = key
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        _ = try logState.administeredWebhook(webhook, by: by)
        let end = now.advanced(by: Self.overlap)
        return .ofWebhook(.webhookSecretRotated(webhook, key, previousUntil: end))
    }
}

/// Sends nothing more to a webhook until it is enabled again.
///
/// The service does it where a receiver failed for too long, and tells the cause.
package struct DisableWebhook: Command {
    package let webhook: WebhookID
    package let cause: String?
    package let reason: Reason?
    package let by: PrincipalID

    /// By hand.
    package init(_ webhook: WebhookID, reason: Reason?, by: PrincipalID) {
        self.init(webhook, cause: nil, reason: reason, by: by)
    }

    /// By the service itself.
    package init(_ webhook: WebhookID, because cause: String) {
        self.init(webhook, cause: cause, reason: nil, by: .system)
    }

    init(_ webhook: WebhookID, cause: String?, reason: Reason?, by: PrincipalID) {
        self.webhook = webhook
        self.cause = cause
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let webhook = try logState.administeredWebhook(webhook, by: by)
        guard cause == nil || by == .system else {
            throw Refusal(.roleMissing(.admin, webhook.settings.scope))
        }
        guard webhook.isEnabled else { throw Refusal(.nothingChanges) }
        return .ofWebhook(.webhookDisabled(webhook.id, cause: cause))
    }
}

/// Sends to a webhook again, from where it stopped.
package struct EnableWebhook: Command {
    package let webhook: WebhookID
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ webhook: WebhookID, reason: Reason?, by: PrincipalID) {
        self.webhook = webhook
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let webhook = try logState.administeredWebhook(webhook, by: by)
        guard !webhook.isEnabled else { throw Refusal(.nothingChanges) }
        return .ofWebhook(.webhookEnabled(webhook.id))
    }
}

/// Sends once more what was sent, or what happened before there was the webhook.
package struct ReplayToWebhook: Command {
    package let webhook: WebhookID
    package let since: Position
    /// `nil` is the end of the log.
    package let until: Position?
    package let by: PrincipalID

    package init(_ webhook: WebhookID, since: Position, until: Position?, by: PrincipalID) {
        self.webhook = webhook
        self.since = since
        self.until = until
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let webhook = try logState.administeredWebhook(webhook, by: by)
        let head = max(logState.position.rawValue, 1)
        guard (1...head).contains(since.rawValue) else {
            throw Refusal(.numberOutside(1...head, at: "/since"))
        }
        let until = until ?? logState.position
        guard (since.rawValue...head).contains(until.rawValue) else {
            throw Refusal(.numberOutside(since.rawValue...head, at: "/until"))
        }
        return .ofWebhook(.webhookReplayOrdered(webhook.id, since: since, until: until))
    }
}

/// Forgets a webhook; what was not sent to it will not be.
package struct RemoveWebhook: Command {
    package let webhook: WebhookID
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ webhook: WebhookID, reason: Reason?, by: PrincipalID) {
        self.webhook = webhook
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let webhook = try logState.administeredWebhook(webhook, by: by)
        return .ofWebhook(.webhookRemoved(webhook.id))
    }
}

extension Decision {
    fileprivate static func ofWebhook(_ event: WebhookEvent) -> Decision {
        var decision = Decision(relyingOn: [.access])
        decision.append(.webhook(event), to: .webhooks)
        return decision
    }
}

extension LogState {
    /// The webhook if the principal administers it.
    ///
    /// To somebody who may not read what it is sent it does not exist: its address may be nobody's
    /// business.
    package func administeredWebhook(
        _ id: WebhookID,
        by principal: PrincipalID
    ) throws(Refusal) -> Webhook {
        let webhook = try visibleWebhook(id, to: principal)
        try require(.admin, of: principal, in: webhook.settings.scope)
        return webhook
    }

    /// The webhook if the principal may see that there is one.
    package func visibleWebhook(
        _ id: WebhookID,
        to principal: PrincipalID
    ) throws(Refusal) -> Webhook {
        guard let webhook = webhooks[id],
            access.permits(principal, .viewer, in: webhook.settings.scope)
        else { throw Refusal(.webhookUnknown(id)) }
        return webhook
    }
}
