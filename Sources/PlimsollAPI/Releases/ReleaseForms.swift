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
