package import PlimsollDomain
package import PlimsollJSON

/// The body of `PUT /v1/apps/{app}/releases/{platform}/{version}`: what is known of the release.
///
/// ```json
/// {"build": "412", "os": "15.0", "store": "App Store", "liveSince": "2026-11-21T08:00:00Z"}
/// ```
package struct ReleaseForm: Form {
    package let facts: ReleaseFacts
    package let reason: Reason?

    package init(facts: ReleaseFacts, reason: Reason? = nil) {
        self.facts = facts
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let facts = ReleaseFacts(&reader)
        let reason = reader.optionalReason("reason")
        guard let facts else { return nil }
        self.init(facts: facts, reason: reason)
    }

    package var json: JSONObject {
        var json = facts.json
        json["reason"] = JSONValue(reason?.text)
        return json
    }
}

/// The body of `POST /v1/apps/{app}/releases/{platform}/{version}/amend`: the facts that become
/// others, and in `unset` the names of those that are taken away.
///
/// ```json
/// {"liveSince": "2026-11-21T08:00:00Z", "unset": ["build"]}
/// ```
package struct ReleaseAmendmentForm: Form {
    package let facts: ReleaseFacts
    package let unset: Set<ReleaseFactName>
    package let reason: Reason?

    package init(facts: ReleaseFacts, unset: Set<ReleaseFactName> = [], reason: Reason? = nil) {
        self.facts = facts
        self.unset = unset
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let facts = ReleaseFacts(&reader)
        let unset = reader.optionalStrings(
            "unset",
            needing: oneOf(ReleaseFactName.self),
            ReleaseFactName.init(rawValue:)
        )
        let reason = reader.optionalReason("reason")
        guard let facts else { return nil }
        for (index, name) in (unset ?? []).enumerated() where facts.edit(name) != nil {
            reader.refuse(
                JSONIssue(
                    pointer: reader.pointer.appending("unset").appending(index),
                    detail: "\(name.rawValue) has a value as well; leave out one of them."
                )
            )
        }
        self.init(facts: facts, unset: Set(unset ?? []), reason: reason)
    }

    package var json: JSONObject {
        var json = facts.json
        json["unset"] = .array(
            ReleaseFactName.allCases.filter(unset.contains).map { .string($0.rawValue) }
        )
        json["reason"] = JSONValue(reason?.text)
        return json
    }

    /// What is done to the facts that are known.
    package var edits: [ReleaseEdit] {
        ReleaseFactName.allCases.compactMap { name in
            unset.contains(name) ? name.removal : facts.edit(name)
        }
    }
}

/// What a fact of a release is called.
package enum ReleaseFactName: String, CaseIterable, Sendable {
    case name
    case build
    case os
    case store
    case liveSince

    fileprivate var removal: ReleaseEdit {
        switch self {
        case .name: .name(nil)
        case .build: .build(nil)
        case .os: .system(nil)
        case .store: .store(nil)
        case .liveSince: .liveSince(nil)
        }
    }
}

extension ReleaseFacts {
    /// What sets the fact to what stands here, if anything does.
    fileprivate func edit(_ name: ReleaseFactName) -> ReleaseEdit? {
        switch name {
        case .name: self.name.map { .name($0) }
        case .build: build.map { .build($0) }
        case .os: system.map { .system($0) }
        case .store: store.map { .store($0) }
        case .liveSince: liveSince.map { .liveSince($0) }
        }
    }
}

extension ReleaseFacts {
    /// What others say otherwise, in the order in which facts are told.
    func differences(to other: ReleaseFacts) -> [Difference] {
        [Difference](from: told, to: other.told)
    }

    /// Every fact in words, `nil` where it is not known.
    private var told: [ToldPart] {
        [
            ("name", "name", name?.text), ("build", "build", build?.text),
            ("os", "system", system?.description),
            ("store", "store", store?.text),
            ("liveSince", "in the store since", liveSince?.rfc3339),
        ]
    }
}

extension Release {
    package var json: JSONObject {
        var json = facts.json
        json["platform"] = .string(platform.rawValue)
        json["version"] = JSONValue(version)
        return json
    }

    /// `iOS 3.2.0 (412), which needs 15.0 and is in the App Store since …`.
    var sentence: String {
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

extension ReleaseFacts {
    init?(_ reader: inout ObjectReader) {
        self.init(
            name: reader.optionalString("name", needing: VersionName.grammar, VersionName.init),
            build: reader.optionalLabel("build"),
            // Which form it has to have depends on the platform, which stands elsewhere.
            system: reader.optionalVersion("os", on: nil),
            store: reader.optionalLabel("store"),
            liveSince: reader.optionalInstant("liveSince")
        )
    }

    var json: JSONObject {
        [
            "name": JSONValue(name?.text), "build": JSONValue(build?.text),
            "os": system.map(JSONValue.init) ?? .null,
            "store": JSONValue(store?.text), "liveSince": JSONValue(liveSince),
        ]
    }
}

/// A release that is known.
package struct ReleaseAnswer: Answer {
    package let release: Release

    package init(_ release: Release) { self.release = release }

    package init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let version = reader.version("version", on: platform)
        let facts = ReleaseFacts(&reader)
        guard let platform, let version, let facts else { return nil }
        self.init(Release(platform: platform, version: version, facts: facts))
    }

    package var json: JSONObject { release.json }
}

/// The releases of an app that are known, or were.
package struct ReleaseList: Answer {
    package let app: AppSlug
    /// The position whose state was read.
    package let position: Position
    package let releases: [Release]

    package init(app: AppSlug, position: Position, releases: [Release]) {
        self.app = app
        self.position = position
        self.releases = releases
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let position = reader.position("position")
        let releases = reader.objects("releases", .ignored, ReleaseAnswer.init)
        guard let app, let position, let releases else { return nil }
        self.init(app: app, position: position, releases: releases.map(\.release))
    }

    package var json: JSONObject {
        [
            "app": .string(app.text), "position": JSONValue(position),
            "releases": .array(releases.map { .object($0.json) }),
        ]
    }
}
