/// A version of the app that its store has, or is going to have.
package struct Release: Codable, Equatable, Sendable {
    package let platform: Platform
    /// As its store writes it; on Android the version code.
    package let version: VersionValue
    package let facts: ReleaseFacts

    package init(platform: Platform, version: VersionValue, facts: ReleaseFacts) {
        self.platform = platform
        self.version = version
        self.facts = facts
    }
}

extension Release {
    /// `iOS 3.2.0 (412), which needs 15.0 and is in the App Store since …`.
    package var sentence: String {
        let name = facts.name.map { " (\($0.text))" } ?? ""
        let build = facts.build.map { " (\($0.text))" } ?? ""
        let store = facts.store?.text ?? "its store"
        let parts = [
            facts.system.map { "needs \($0)" },
            facts.liveSince.map { "is in \(store) since \($0)" },
        ].compactMap(\.self)
        let tail = parts.isEmpty ? "" : ", which " + parts.joined(separator: " and ") + ","
        return "\(platform.name) \(version)\(name)\(build)\(tail)"
    }
}

extension Release {
    /// Whether a device whose app is this release lies on or above a threshold of the app.
    func satisfies(_ threshold: VersionValue) -> Bool { !version.isOlder(than: threshold) }

    /// Whether it can be installed where the system is this old, or there is no telling how old.
    func runs(on system: VersionValue?) -> Bool {
        guard let needed = facts.system else { return true }
        return system.map { !$0.isOlder(than: needed) } ?? !needed.holdsSomebodyBack
    }
}

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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let app = try logState.app(app, whoseReleasesAreKeptBy: by)
        var objections = try app.objections(to: release)
        if let known = app.releases.release(release.version, on: release.platform) {
            guard !release.facts.differences(from: known.facts).isEmpty else {
                throw Refusal(.nothingChanges)
            }
            objections.append(.releaseExists(known, given: release.facts))
        } else if app.releases.count >= ReleaseCatalog.releasesMaximum {
            objections.append(.releasesFull(app.slug, maximum: ReleaseCatalog.releasesMaximum))
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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let app = try logState.app(app, whoseReleasesAreKeptBy: by)
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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let app = try logState.app(app, whoseReleasesAreKeptBy: by)
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
