/// What happens to an app and its documents, on the stream `app/{slug}`.
///
/// What is large and rare lies apart: each of millions of texts would be as large.
package enum AppEvent: Equatable, Sendable {
    case appRegistered(AppSettings)
    /// Says all settings from then on.
    case appSettingsChanged(AppSettings)
    case thresholdSet(Platform, ThresholdName, VersionValue)
    /// Leaves the texts of the threshold.
    case valueCleared(Platform, ThresholdName)
    /// Takes the texts of the threshold along.
    case thresholdCleared(Platform, ThresholdName)
    case textSet(Platform, ThresholdName, TextPart, LanguageTag, Text)
    case textRemoved(Platform, ThresholdName, TextPart, LanguageTag)
    /// Says all offers of the platform from then on.
    case offersReplaced(Platform, [Offer])
    /// `nil`: it is derived again.
    case legacyOfferReplaced(Platform, LegacyOffer?)
    /// Says where to; the field events that make the difference follow in the same append.
    case rolledBack(RollbackRecord)
    /// What there is is to be published anew: the last signature grows old, or a store gets a release
    /// whose time was known.
    case renewalOrdered
    /// `nil` returns to the default of all apps.
    case policyChanged(Policy?)
    indirect case freeze(FreezeEvent)
    /// Follows `rolledBack` in the same append where the policy wants it looked at again.
    case rollbackReviewOrdered(ReviewOrder)
    /// Names the position of `rollbackReviewOrdered`.
    case rollbackReviewed(Position, ReviewVerdict)
    case releaseRegistered(Release)
    /// Says all that is known of the release from then on.
    case releaseAmended(Release)
    case releaseWithdrawn(Platform, VersionValue)
    case versionSharesReplaced(Platform, VersionShares)
    /// Says all packages that are offered from then on.
    case packagesOffered([AppleVersionID])
    indirect case marketplace(MarketplaceEvent)
}

extension AppEvent: EventOfStream {
    var event: Event { .app(self) }

    var told: any ToldEvent {
        switch self {
        case .appRegistered(let settings): AppEvents.appRegistered(settings)
        case .appSettingsChanged(let settings): AppEvents.appSettingsChanged(settings)
        case .thresholdSet(let platform, let name, let value):
            AppEvents.thresholdSet(platform, name, value)
        case .valueCleared(let platform, let name): AppEvents.valueCleared(platform, name)
        case .thresholdCleared(let platform, let name): AppEvents.thresholdCleared(platform, name)
        case .textSet(let platform, let name, let part, let language, let text):
            AppEvents.textSet(platform, name, part, language, text)
        case .textRemoved(let platform, let name, let part, let language):
            AppEvents.textRemoved(platform, name, part, language)
        case .offersReplaced(let platform, let offers): AppEvents.offersReplaced(platform, offers)
        case .legacyOfferReplaced(let platform, let legacy):
            AppEvents.legacyOfferReplaced(Operation(platform, legacy: legacy))
        case .rolledBack(let record): AppEvents.rolledBack(record)
        case .renewalOrdered: AppEvents.renewalOrdered()
        case .policyChanged(let policy): AppEvents.policyChanged(policy)
        case .freeze(let event): event.told(.ofApp)
        case .rollbackReviewOrdered(let order): AppEvents.rollbackReviewOrdered(order)
        case .rollbackReviewed(let review, let verdict):
            AppEvents.rollbackReviewed(review, verdict)
        case .releaseRegistered(let release): AppEvents.releaseRegistered(release)
        case .releaseAmended(let release): AppEvents.releaseAmended(release)
        case .releaseWithdrawn(let platform, let version):
            AppEvents.releaseWithdrawn(platform, version)
        case .versionSharesReplaced(let platform, let shares):
            AppEvents.versionSharesReplaced(platform, shares)
        case .packagesOffered(let versions): AppEvents.packagesOffered(versions)
        case .marketplace(let event): event.told
        }
    }
}

/// The events of an app, each declared once.
enum AppEvents {
    // 2: `princeOfVersions`; 3: `shippedLanguages` and `clients`.
    static let appRegistered = Declared(
        .appRegistered,
        shape: 3,
        AppEvent.appRegistered,
        .settings(usual: .modern)
    ) { about, settings in "\(about.subject) registered as \(settings.name.text)" }

    // 2: `shippedLanguages` and `clients`.
    static let appSettingsChanged = Declared(
        .appSettingsChanged,
        shape: 2,
        AppEvent.appSettingsChanged,
        .settings(usual: nil)
    ) { about, _ in "Settings of \(about.subject) changed" + about.tail }
    .replacing { .settings($0) }

    static let thresholdSet = Declared(
        .thresholdSet,
        AppEvent.thresholdSet,
        .platform,
        .threshold,
        .value
    ) { about, platform, name, value in about.field ?? "\(platform.name) \(name.name) → \(value)" }

    static let valueCleared = Declared(
        .valueCleared,
        AppEvent.valueCleared,
        .platform,
        .threshold
    ) { about, platform, name in
        about.field ?? "\(platform.name) \(name.name) removed"
    }

    static let thresholdCleared = Declared(
        .thresholdCleared,
        AppEvent.thresholdCleared,
        .platform,
        .threshold
    ) { about, platform, name in
        let texts = about.fields.filter { $0.field.part != .value }.count
        let value = about.fields.first { $0.field.part == .value }?.before
        let was = value.map { " \($0) → unset" } ?? " cleared"
        let along =
            switch texts {
            case 0: ""
            case 1: ", with its text"
            default: ", with its \(texts) texts"
            }
        return "\(platform.name) \(name.name)" + was + along
    }

    static let textSet = Declared(
        .textSet,
        AppEvent.textSet,
        .platform,
        .threshold,
        .part,
        .language,
        .text
    ) { about, platform, name, part, language, _ in
        about.field ?? "\(Field(platform, name, .text(part, language)).name) written"
    }

    static let textRemoved = Declared(
        .textRemoved,
        AppEvent.textRemoved,
        .platform,
        .threshold,
        .part,
        .language
    ) { _, platform, name, part, language in
        "\(Field(platform, name, .text(part, language)).name) removed"
    }

    // 2: values of every type.
    static let offersReplaced = Declared(
        .offersReplaced,
        shape: 2,
        AppEvent.offersReplaced,
        .platform,
        .offers
    ) { about, platform, offers in
        about.field ?? "\(Field.offers(of: platform).name) → \(offers.count)"
    }

    static let legacyOfferReplaced = Declared(
        .legacyOfferReplaced,
        { AppEvent.legacyOfferReplaced($0.platform, $0.legacy) },
        .legacyOffer
    ) { about, operation in
        let name = Field.legacy(of: operation.platform).name
        return about.field ?? "\(name) → \(operation.legacy?.sentence ?? "derived")"
    }

    // 2: `fields`, and the request `lastGood`; 3: the request `revert`; 4: `frozenSince`.
    static let rolledBack = Declared(.rolledBack, shape: 4, AppEvent.rolledBack, .rollback) {
        about,
        record in
        record.sentence(about.subject)
    }
    .publishing { stream, _ in stream.ownApp }

    static let renewalOrdered = Declared(.renewalOrdered, { AppEvent.renewalOrdered }) {
        "The signatures of \($0.subject) are to be renewed"
    }
    .publishing { stream, _ in stream.ownApp }

    static let policyChanged = Declared(
        .policyChanged,
        shape: Policy.shape,
        AppEvent.policyChanged,
        Members("policy", .orNull(.object(.policy)))
    ) { about, policy in
        "\(about.subject) \(policy == nil ? "follows the default policy" : "has a policy of its own")"
            + about.tail
    }
    .replacing { .policy($0) }

    static let rollbackReviewOrdered = Declared(
        .rollbackReviewOrdered,
        AppEvent.rollbackReviewOrdered,
        .reviewOrder
    ) { "The rollback of \($0.subject) is to be reviewed until \($1.due)" }

    static let rollbackReviewed = Declared(
        .rollbackReviewed,
        AppEvent.rollbackReviewed,
        .review,
        .verdict
    ) { "Rollback review \($1) of \($0.subject) \($2.outcome.rawValue)" }

    static let releaseRegistered = Declared(
        .releaseRegistered,
        shape: Release.shape,
        AppEvent.releaseRegistered,
        .release
    ) { "\($0.subject) \($1.sentence) registered" }
    .publishing { stream, _ in stream.ownApp }

    static let releaseAmended = Declared(
        .releaseAmended,
        shape: Release.shape,
        AppEvent.releaseAmended,
        .release
    ) { about, release in
        about.tail.isEmpty
            ? "\(about.subject) \(release.sentence) amended"
            : "\(about.subject) \(release.platform.name) \(release.version) amended" + about.tail
    }
    .publishing { stream, _ in stream.ownApp }
    .replacing { .release($0.platform, $0.version, $0.facts) }

    static let releaseWithdrawn = Declared(
        .releaseWithdrawn,
        AppEvent.releaseWithdrawn,
        .platform,
        .version
    ) { "\($0.subject) \($1.name) \($2) withdrawn" + $0.tail }
    .publishing { stream, _ in stream.ownApp }
    .replacing { .release($0.0, $0.1, ReleaseFacts()) }

    static let packagesOffered = Declared(
        .packagesOffered,
        AppEvent.packagesOffered,
        .packages
    ) { about, versions in about.field ?? "\(Field.packages.name) → \(versions.count)" }

    static let versionSharesReplaced = Declared(
        .versionSharesReplaced,
        AppEvent.versionSharesReplaced,
        .platform,
        .shares
    ) { about, platform, shares in
        (shares.rows.isEmpty
            ? "\(about.subject) \(platform.name) has no count of devices any more"
            : "\(about.subject) \(platform.name) has a count of \(shares.devices) devices")
            + (about.before.map { ", \($0) before" } ?? "")
    }
    .replacing { .shares($0.0, $0.1) }
}

extension StreamName {
    var ownApp: AppSlug? {
        if case .app(let app) = self { app } else { nil }
    }
}

extension RollbackRecord {
    fileprivate func sentence(_ app: String) -> String {
        let names = platforms.map(\.name).joined(separator: ", ")
        if case .revert(let id) = request {
            return "Change \(id) of \(app) taken back on \(names)"
        }
        return "\(subject(app)) rolled back to the state after event \(target) on \(names)"
    }

    /// What of the app went back.
    private func subject(_ app: String) -> String {
        guard let fields else { return app }
        return fields.count == 1 ? "A field of \(app)" : "\(fields.count) fields of \(app)"
    }
}
