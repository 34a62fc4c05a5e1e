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

/// What is known of a release beside its version.
package struct ReleaseFacts: Codable, Equatable, Sendable {
    /// What people read where the version is a code.
    package var name: VersionName?
    package var build: Label?
    /// The oldest system that it runs on; `nil` where it runs wherever the app ever ran.
    package var system: VersionValue?
    package var store: Label?
    /// Since when the store has it; `nil` while it does not.
    package var liveSince: Instant?

    package init(
        name: VersionName? = nil,
        build: Label? = nil,
        system: VersionValue? = nil,
        store: Label? = nil,
        liveSince: Instant? = nil
    ) {
        self.name = name
        self.build = build
        self.system = system
        self.store = store
        self.liveSince = liveSince
    }
}

/// What a fact of a release is called.
///
/// Whatever has to do with every fact walks these, so that none is left out.
package enum ReleaseFactName: String, CaseIterable, Sendable {
    case name
    case build
    case os
    case store
    case liveSince
}

/// One fact of a release that becomes another; `nil` takes it away.
package enum ReleaseEdit: Equatable, Sendable {
    case name(VersionName?)
    case build(Label?)
    case system(VersionValue?)
    case store(Label?)
    case liveSince(Instant?)
}

extension ReleaseFacts {
    package mutating func apply(_ edit: ReleaseEdit) {
        switch edit {
        case .name(let name): self.name = name
        case .build(let build): self.build = build
        case .system(let system): self.system = system
        case .store(let store): self.store = store
        case .liveSince(let instant): liveSince = instant
        }
    }

    /// What makes the fact of any others what it is here.
    package func edit(_ fact: ReleaseFactName) -> ReleaseEdit {
        switch fact {
        case .name: .name(name)
        case .build: .build(build)
        case .os: .system(system)
        case .store: .store(store)
        case .liveSince: .liveSince(liveSince)
        }
    }

    /// What makes these facts of any others.
    package var edits: [ReleaseEdit] { ReleaseFactName.allCases.map(edit) }

    /// `nil` where it is not known.
    package func words(_ fact: ReleaseFactName) -> String? {
        switch fact {
        case .name: name?.text
        case .build: build?.text
        case .os: system?.description
        case .store: store?.text
        case .liveSince: liveSince?.rfc3339
        }
    }
}

extension ReleaseFacts {
    /// What is said here and is not so there, each as a clause: `os is 15.0, not 16.0`.
    ///
    /// What is left out here says nothing.
    func differences(from known: ReleaseFacts) -> [String] {
        ReleaseFactName.allCases.compactMap { fact in
            guard let said = words(fact), !agrees(with: known, on: fact) else { return nil }
            return "\(fact.rawValue) is \(known.words(fact) ?? "not known"), not \(said)"
        }
    }

    /// A system may be written in several ways.
    private func agrees(with known: ReleaseFacts, on fact: ReleaseFactName) -> Bool {
        guard fact == .os, let system, let other = known.system else {
            return edit(fact) == known.edit(fact)
        }
        return other.isSame(as: system)
    }
}

extension VersionValue {
    /// Whether they are one version, however each is written.
    fileprivate func isSame(as other: VersionValue) -> Bool {
        kind == other.kind && comparable == other.comparable
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

/// What people read where a version is a code: three numbers between dots.
package struct VersionName: Codable, Hashable, Sendable {
    package let text: String

    /// As the clients of Prince of Versions before 4.0 compare them.
    package init?(_ text: String) {
        guard OfferVersion(written: text, on: .jvm) != nil else { return nil }
        self.text = text
    }

    package static let grammar = OfferVersion.grammar(on: .jvm)
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
