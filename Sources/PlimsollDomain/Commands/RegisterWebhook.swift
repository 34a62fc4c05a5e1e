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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.require(.admin, of: by, in: settings.scope)
        var objections: [Objection] = []
        if case .app(let slug) = settings.scope, world.app(slug) == nil {
            objections.append(.scopeUnknown(slug, at: "/app"))
        }
        if let (scope, maximum) = world.webhooks.limitReached(in: settings.scope) {
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
