/// Tells the log what was published.
package struct RecordPublication: Command {
    package let app: AppSlug
    package let event: ExportEvent
    package let by = PrincipalID.system

    package init(app: AppSlug, event: ExportEvent) {
        self.app = app
        self.event = event
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        var decision = Decision(relyingOn: [])
        decision.append(.export(event), to: .export(app))
        return decision
    }
}
