/// Has an app's documents signed and published anew, with the same content.
package struct OrderRenewal: Command {
    package let app: AppSlug
    package let by = PrincipalID.system

    package init(app: AppSlug) {
        self.app = app
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        _ = try world.existingApp(app)
        var decision = Decision(relyingOn: [.app(app)])
        decision.append(.app(.renewalOrdered), to: .app(app))
        return decision
    }
}
