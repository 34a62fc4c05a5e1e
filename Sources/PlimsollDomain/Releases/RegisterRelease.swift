/// Makes known that a version exists, and what it needs.
///
/// To say the same again changes nothing, and what is left out says nothing of what is known; to
/// say something else is refused, so that no job that runs late undoes what somebody has mended
/// since.
package struct RegisterRelease: Command {
    package let app: AppSlug
    package let release: Release
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ release: Release, of app: AppSlug, reason: Reason?, by: PrincipalID) {
        self.release = release
        self.app = app
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let app = try world.app(app, whoseReleasesAreKeptBy: by)
        var objections = try app.objections(to: release)
        if let known = app.releases.release(release.version, on: release.platform) {
            guard !release.facts.differences(from: known.facts).isEmpty else {
                throw Refusal(.nothingChanges)
            }
            objections.append(.releaseExists(known, given: release.facts))
        } else if app.releases.count >= ReleaseBook.releasesMaximum {
            objections.append(.releasesFull(app.slug, maximum: ReleaseBook.releasesMaximum))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.app(.releaseRegistered(release)), to: .app(app.slug))
        return decision
    }
}

extension App {
    /// What is wrong with a release, whatever else is known.
    func objections(to release: Release) throws(Refusal) -> [Objection] {
        let platform = release.platform
        guard has(platform) else { throw Refusal(.platformNotKept(slug, platform)) }
        var objections: [Objection] = []
        if release.version.kind != platform.versionKind {
            objections.append(.valueOfWrongKind(platform.versionKind, at: "/version"))
        }
        if let system = release.facts.system, system.kind != platform.systemKind {
            objections.append(.valueOfWrongKind(platform.systemKind, at: "/os"))
        }
        if release.facts.name != nil, platform.versionKind != .integer {
            objections.append(.nameUnneeded(platform))
        }
        return objections
    }
}
