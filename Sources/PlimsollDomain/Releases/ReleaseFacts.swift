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

extension ReleaseFactName {
    /// Whether it is told as a time.
    package var isTime: Bool {
        switch self {
        case .name, .build, .os, .store: false
        case .liveSince: true
        }
    }

    /// The fact that somebody has written down; `nil` where that is no such fact.
    package func edit(written text: String, on platform: Platform) throws(TextFault) -> ReleaseEdit?
    {
        switch self {
        case .name: return VersionName(text).map(ReleaseEdit.name)
        case .build: return .build(try Label(validating: text))
        case .os: return VersionValue(text: text, platform.systemKind).map(ReleaseEdit.system)
        case .store: return .store(try Label(validating: text))
        case .liveSince: return Instant(rfc3339: text).map(ReleaseEdit.liveSince)
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
    func isSame(as other: VersionValue) -> Bool {
        kind == other.kind && comparable == other.comparable
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

extension Members<Release> {
    static let release = Members(
        Release.init,
        Part(\.platform, .platform),
        Part(\.version, .version),
        Part(\.facts, .facts)
    )
}

extension Release {
    // 2: `name`.
    static let shape = 2
}

extension Members<ReleaseFacts> {
    static let facts = Members(
        ReleaseFacts.init,
        Part(\.name, .optional("name", .versionName)),
        Part(\.build, .optional("build", .label)),
        Part(\.system, .optional("os", .version)),
        Part(\.store, .optional("store", .label)),
        Part(\.liveSince, .optional("liveSince", .instant))
    )
}
