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

/// Has another app's documents stand at the addresses without an app's name.
///
/// Phones that ask there are given the other app's documents at once, and those are signed by its
/// own keys. So it takes an administrator of all apps, who has seen which app stands there.
package struct ChooseDefaultApp: Command {
    package let app: AppSlug
    /// The default app that its author saw, if there was one.
    package let seen: AppSlug?
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ app: AppSlug, seen: AppSlug?, reason: Reason?, by: PrincipalID) {
        (self.app, self.seen, self.reason, self.by) = (app, seen, reason, by)
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.require(.admin, of: by, in: .all)
        _ = try world.existingApp(app)
        guard world.defaultApp != app else { throw Refusal(.nothingChanges) }
        guard seen == world.defaultApp else { throw Refusal(.defaultAppDiffers(world.defaultApp)) }
        let concerned = [app, seen].compactMap(\.self)
        if let freeze = concerned.lazy.compactMap({ world.freeze(of: $0, at: now) }).first {
            throw Refusal(.frozen(freeze))
        }
        var decision = Decision(relyingOn: Set(concerned.map(StreamName.app) + [.access]))
        decision.append(.service(.defaultAppChosen(app)), to: .service)
        return decision
    }
}
