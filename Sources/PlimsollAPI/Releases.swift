package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let releases: [any EndpointDeclaration] = [
        listReleases, registerRelease, amendRelease, withdrawRelease,
    ]

    package static let listReleases = Read<AppSlug, ReleaseList>(
        .get("listReleases", "/v1/apps/{app}/releases"),
        "The versions of an app that are known to exist, now or then.",
        query: [.repeatable("platform", .platform)] + .moment
    )

    package static let registerRelease = Write<AppRelease, ReleaseForm, ReleaseAnswer>(
        .put("registerRelease", "/v1/apps/{app}/releases/{platform}/{version}"),
        "Register a version; registering it again changes nothing."
    )

    package static let amendRelease = Write<AppRelease, ReleaseAmendmentForm, ReleaseAnswer>(
        .post("amendRelease", "/v1/apps/{app}/releases/{platform}/{version}/amend"),
        "Correct facts of a release."
    )

    package static let withdrawRelease = Write<AppRelease, ReasonForm, DryRunAnswer>(
        .delete("withdrawRelease", "/v1/apps/{app}/releases/{platform}/{version}"),
        "Remove a release that does not exist.",
        takes: "ReleaseWithdrawal"
    )
}

/// The body of `PUT /v1/apps/{app}/releases/{platform}/{version}`: what is known of the release.
///
/// ```json
/// {"build": "412", "os": "15.0", "store": "App Store", "liveSince": "2026-11-21T08:00:00Z"}
/// ```
package struct ReleaseForm: Form, Shaped {
    package let facts: ReleaseFacts
    package let reason: Reason?

    package init(facts: ReleaseFacts, reason: Reason? = nil) {
        self.facts = facts
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "ReleaseOrder",
        Self.init(facts:reason:),
        .part(\.facts, ReleaseFacts.shape),
        .optional("reason", \.reason, .reason)
    )
}

/// The body of `POST /v1/apps/{app}/releases/{platform}/{version}/amend`: the facts that become
/// others, and in `unset` the names of those that are taken away.
///
/// ```json
/// {"liveSince": "2026-11-21T08:00:00Z", "unset": ["build"]}
/// ```
package struct ReleaseAmendmentForm: Form, Shaped {
    package let facts: ReleaseFacts
    package let unset: [ReleaseFactName]
    package let reason: Reason?

    package init(facts: ReleaseFacts, unset: [ReleaseFactName] = [], reason: Reason? = nil) {
        self.facts = facts
        self.unset = unset
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "ReleaseAmendment",
        Self.init(facts:unset:reason:),
        .part(\.facts, ReleaseFacts.shape),
        .usual("unset", \.written, .array(of: .names), []),
        .optional("reason", \.reason, .reason)
    )
    .checking { form, reader in
        for (index, name) in form.unset.enumerated() where form.facts.words(name) != nil {
            reader.refuse(
                JSONIssue(
                    pointer: reader.pointer.appending("unset").appending(index),
                    detail: "\(name.rawValue) has a value as well; leave out one of them."
                )
            )
        }
    }

    /// Each once, and in their order.
    private var written: [ReleaseFactName] { ReleaseFactName.allCases.filter(unset.contains) }

    /// What is done to the facts that are known.
    package var edits: [ReleaseEdit] {
        ReleaseFactName.allCases.filter { unset.contains($0) || facts.words($0) != nil }
            .map(facts.edit)
    }
}

extension ReleaseFacts {
    /// What others say otherwise, in the order in which facts are told.
    func differences(to other: ReleaseFacts) -> [Difference] {
        [Difference](from: told, to: other.told)
    }

    /// Every fact in words, `nil` where it is not known.
    private var told: [ToldPart] {
        ReleaseFactName.allCases.map { ($0.rawValue, $0.subject, words($0)) }
    }
}

extension ReleaseFactName {
    /// What it is called in a sentence.
    fileprivate var subject: String {
        switch self {
        case .name, .build, .store: rawValue
        case .os: "system"
        case .liveSince: "in the store since"
        }
    }

    /// What it is called where it is filled in.
    package var label: String {
        switch self {
        case .name: "Name of the version, where it is a code"
        case .build: "Build"
        case .os: "Needs at least (OS)"
        case .store: "Store"
        case .liveSince: "In the store since (UTC)"
        }
    }
}

extension Release {
    package var json: JSONObject { ReleaseAnswer(self).json }
}

extension ReleaseFacts {
    static let shape = Shape<Self>(
        nil,
        Self.init(name:build:system:store:liveSince:),
        .optional("name", \.name, .versionName),
        .optional("build", \.build, .label),
        // Which form it has to have depends on the platform, which stands elsewhere.
        .optional("os", \.system, .version),
        .optional("store", \.store, .label),
        .optional("liveSince", \.liveSince, .instant)
    )
}

/// A release that is known.
package struct ReleaseAnswer: Answer, Shaped {
    package let release: Release

    package init(_ release: Release) { self.release = release }

    package static let shape = Shape<Self>(
        "Release",
        { Self(Release(platform: $0, version: $1, facts: $2)) },
        .required("platform", \.release.platform, .names),
        .required("version", \.release.version, .version),
        .part(\.release.facts, ReleaseFacts.shape.told)
    )
    .checking { answer, reader in
        let kind = answer.release.platform.versionKind
        reader.check(answer.release.version, is: kind, at: reader.pointer.appending("version"))
    }
    .withDryRun
}

/// The releases of an app that are known, or were.
package struct ReleaseList: Answer, Shaped {
    package let app: AppSlug
    /// The position whose state was read.
    package let position: Position
    package let releases: [Release]

    package init(app: AppSlug, position: Position, releases: [Release]) {
        self.app = app
        self.position = position
        self.releases = releases
    }

    private var answers: [ReleaseAnswer] { releases.map(ReleaseAnswer.init) }

    package static let shape = Shape<Self>(
        "ReleaseList",
        { Self(app: $0, position: $1, releases: $2.map(\.release)) },
        .required("app", \.app, .slug),
        .required("position", \.position, .position),
        .required(
            "releases",
            \.answers,
            .objects(ReleaseAnswer.shape)
        )
    )
}
