/// Puts an app above the line, with the key that will sign its documents.
package struct RegisterApp: Command {
    package let slug: AppSlug
    package let settings: AppSettings
    /// Made beforehand; its private half is already kept.
    package let key: KeyRecord
    package let isDefault: Bool?
    package let by: PrincipalID

    /// Without a word on it, the first app becomes the default one.
    package init(
        slug: AppSlug,
        settings: AppSettings,
        key: KeyRecord,
        isDefault: Bool?,
        by: PrincipalID
    ) {
        self.slug = slug
        self.settings = settings
        self.key = key
        self.isDefault = isDefault
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.require(.admin, of: by, in: .app(slug))
        let objections = objections(in: world)
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.app(.appRegistered(settings)), to: .app(slug))
        if isDefault ?? (world.defaultApp == nil) {
            decision.append(.service(.defaultAppChosen(slug)), to: .service)
        }
        decision.append(.key(.keyAdded(key)), to: .keys)
        decision.append(.key(.keyActivated(key.id, app: slug)), to: .keys)
        return decision
    }

    private func objections(in world: World) -> [Objection] {
        var objections: [Objection] = []
        if world.app(slug) != nil { objections.append(.appExists(slug)) }
        if isDefault == true, let other = world.defaultApp {
            objections.append(.defaultAppExists(other))
        }
        objections += settings.objections
        return objections
    }
}
