/// Mends what is known of a release, fact by fact: that the store has it now, for one.
package struct AmendRelease: Command {
    package let app: AppSlug
    package let platform: Platform
    package let version: VersionValue
    package let edits: [ReleaseEdit]
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ version: VersionValue,
        on platform: Platform,
        of app: AppSlug,
        edits: [ReleaseEdit],
        reason: Reason?,
        by: PrincipalID
    ) {
        self.version = version
        self.platform = platform
        self.app = app
        self.edits = edits
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let app = try world.app(app, whoseReleasesAreKeptBy: by)
        guard let known = app.releases.release(version, on: platform) else {
            throw Refusal(.releaseUnknown(app.slug, platform, version))
        }
        var facts = known.facts
        for edit in edits { facts.apply(edit) }
        guard facts != known.facts else { throw Refusal(.nothingChanges) }
        let release = Release(platform: platform, version: known.version, facts: facts)
        let objections = try app.objections(to: release)
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.app(.releaseAmended(release)), to: .app(app.slug))
        return decision
    }
}

/// Takes a release back that does not exist, or not any more.
package struct WithdrawRelease: Command {
    package let app: AppSlug
    package let platform: Platform
    package let version: VersionValue
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ version: VersionValue,
        on platform: Platform,
        of app: AppSlug,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.version = version
        self.platform = platform
        self.app = app
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let app = try world.app(app, whoseReleasesAreKeptBy: by)
        guard let known = app.releases.release(version, on: platform) else {
            throw Refusal(
                app.releases.wasWithdrawn(version, on: platform)
                    ? .nothingChanges : .releaseUnknown(app.slug, platform, version)
            )
        }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(
            .app(.releaseWithdrawn(platform, known.version)),
            to: .app(app.slug)
        )
        return decision
    }
}
