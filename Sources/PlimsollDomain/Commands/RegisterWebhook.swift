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
        if world.webhooks.count >= Webhooks.countMaximum {
            objections.append(.webhooksFull(maximum: Webhooks.countMaximum))
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
