package import PlimsollDomain
package import PlimsollJSON

/// What a document for Prince of Versions does not say, or says differently than one might think.
package enum PrinceOfVersionsNote: Hashable, Sendable {
    case derived(OfferNote)
    /// The format has no minimum for the system.
    case systemOnlyInMetadata(Platform, ThresholdName)
    /// An offer requires more than it offers, which is legal and rarely meant.
    case requiredAboveLast(Platform, Int)
    /// The app's offers end with one that has requirements.
    case lastOfferAdded(Platform)
    /// Which one, and the versions that others require.
    case onlyOneLegacyOffer(Platform, Int, [OfferVersion])
    case buildLeftOut(Platform, OfferVersion)
    /// Android's clients before 4.0 compare names, and none is known for the version code.
    case legacyNameMissing(OfferVersion)
    /// Because of that nobody among them is held back.
    case legacyMinimumMissing(OfferVersion)
    /// The platform has offers of its own, so nothing is derived from its thresholds.
    case thresholdsNotTold(Platform)
    /// So many releases are known that the store does not have yet, or not under such a number.
    case releasesLeftOut(Platform, Int)
    /// Clients before 4.0 read metadata beside all platforms alone, where these cannot stand.
    case legacyMetadataMissing(Platform, [MetadataName])
    /// Apple's clients before 4.0 tell of a minimum a single time with `ONCE`.
    case legacyToldAlways(Platform)
    /// Their latest version is never below the minimum.
    case legacyLatestRaised(Platform, from: OfferVersion, to: OfferVersion)
    /// Their latest version is one that the oldest system held to the minimum is offered.
    case legacyLatestLowered(Platform, from: OfferVersion, to: OfferVersion)
    /// Clients before 4.0 are told what was taken over, and the offers would tell them otherwise.
    case legacyKept(Platform, String, String?)
    /// What is offered falls, and people may be told once more when it rises again.
    case lastVersionLowered(Platform, from: OfferVersion, to: OfferVersion)
    /// What is offered rises, and who was told of less is told once more.
    case lastVersionRaised(Platform, from: OfferVersion, to: OfferVersion)
    /// Metadata that are no texts, and reach some clients as such.
    case valuesAsTexts(Platform, [MetadataName])
}

extension PrinceOfVersionsNote {
    package var code: String {
        switch self {
        case .derived(.numberTooLong): "numberTooLong"
        case .derived(.noSuchRelease): "noSuchRelease"
        case .systemOnlyInMetadata: "systemOnlyInMetadata"
        case .requiredAboveLast: "requiredAboveLast"
        case .lastOfferAdded: "lastOfferAdded"
        case .onlyOneLegacyOffer: "onlyOneLegacyOffer"
        case .buildLeftOut: "buildLeftOut"
        case .legacyNameMissing: "legacyNameMissing"
        case .legacyMinimumMissing: "legacyMinimumMissing"
        case .thresholdsNotTold: "thresholdsNotTold"
        case .releasesLeftOut: "releasesLeftOut"
        case .legacyMetadataMissing: "legacyMetadataMissing"
        case .lastVersionLowered: "lastVersionLowered"
        case .lastVersionRaised: "lastVersionRaised"
        case .legacyToldAlways: "legacyToldAlways"
        case .legacyLatestRaised: "legacyLatestRaised"
        case .legacyLatestLowered: "legacyLatestLowered"
        case .legacyKept: "legacyKept"
        case .valuesAsTexts: "valuesAsTexts"
        }
    }

    package var platform: Platform {
        switch self {
        case .derived(.numberTooLong(let platform, _)),
            .derived(.noSuchRelease(let platform, _, _)), .systemOnlyInMetadata(let platform, _),
            .requiredAboveLast(let platform, _), .lastOfferAdded(let platform),
            .onlyOneLegacyOffer(let platform, _, _), .buildLeftOut(let platform, _),
            .thresholdsNotTold(let platform), .releasesLeftOut(let platform, _),
            .legacyMetadataMissing(let platform, _), .valuesAsTexts(let platform, _),
            .lastVersionLowered(let platform, _, _), .lastVersionRaised(let platform, _, _),
            .legacyToldAlways(let platform),
            .legacyLatestRaised(let platform, _, _), .legacyLatestLowered(let platform, _, _),
            .legacyKept(let platform, _, _):
            platform
        case .legacyNameMissing, .legacyMinimumMissing: .android
        }
    }

    /// Whether it is of what stands beside all platforms.
    var isOfSharedMetadata: Bool {
        if case .legacyMetadataMissing = self { true } else { false }
    }

    package var sentence: String {
        switch self {
        case .derived(.numberTooLong(_, let name)):
            "\(name.rawValue) has a number of ten digits, which clients read differently; it is"
                + " left out."
        case .derived(.noSuchRelease(_, let name, let newest)):
            "\(name.rawValue) is above \(newest), the newest release that is known; devices on the"
                + " newest system are held to it all the same."
        case .systemOnlyInMetadata(_, let name):
            "The format cannot demand a system; \(name.rawValue) is handed on in the metadata, and"
                + " the app has to look at it."
        case .requiredAboveLast(_, let place):
            "Offer \(place) requires a later version than it offers as the last."
        case .lastOfferAdded:
            "The last offer has requirements; one that offers nothing was added behind it, since"
                + " clients report an error where nothing is met."
        case .onlyOneLegacyOffer(_, let place, let untold):
            "Clients before 4.0 know one offer; they are told of offer \(place) alone"
                + (untold.isEmpty
                    ? "."
                    : ", and not that others require \(untold.map(\.description).joined(separator: ", ")).")
        case .buildLeftOut(_, let version):
            "Clients before 4.0 are told of \(version.withoutBuild); the build of \(version) is"
                + " left out."
        case .legacyNameMissing(let version):
            "Android's clients before 4.0 compare names of versions, and none in three numbers is"
                + " known for \(version); it is left out for them."
        case .legacyMinimumMissing(let version):
            "The minimum \(version) holds back no client before 4.0 on Android, whatever is installed"
                + " there: register or amend the release \(version) with its name, and since when the"
                + " store has it."
        case .thresholdsNotTold:
            "The platform has offers of its own; its thresholds and their texts are not told."
        case .releasesLeftOut(_, let count):
            "Of \(count) of the releases that are known nothing is derived, because the store does"
                + " not have them yet, a freeze holds them back, or clients cannot read their numbers."
        case .legacyMetadataMissing(_, let names):
            "Clients before 4.0 are not handed on \(names.listed), which is not the same in every offer"
                + " of every platform, or a list or object that iOS and macOS cannot read."
        case .legacyToldAlways:
            "Clients before 4.0 are told ALWAYS where the offer says ONCE, because with ONCE they tell"
                + " of a minimum a single time and let the app go on afterwards."
        case .legacyLatestRaised(_, let before, let after):
            "Clients before 4.0 are told that the latest version is \(after) instead of \(before),"
                + " because they pass over a minimum above the latest version."
        case .legacyLatestLowered(_, let before, let after):
            "Clients before 4.0 are told that the latest version is \(after) instead of \(before),"
                + " because they pass over a minimum where their system cannot have the latest version."
        case .legacyKept(let platform, let kept, let derived):
            "Clients before 4.0 are told what was taken over (\(kept)); from the offers they would be"
                + " told \(derived ?? "of nothing"). To have it so, clear \(Field.legacy(of: platform))."
        case .lastVersionLowered(let platform, let before, let after):
            "The last version falls from \(before) to \(after); when it rises again, "
                + (platform.losesNestedValues
                    ? "native clients tell nobody again of a version that they told of once."
                    : "people are told again of a version that they were told of before.")
        case .lastVersionRaised(let platform, let before, let after):
            "The last version rises from \(before) to \(after); people below it are told, "
                + (platform.losesNestedValues
                    ? "by native clients unless they were told of \(after) before, by those in Kotlin"
                        + " also if they were."
                    : "also if they were told of \(after) before it fell.")
        case .valuesAsTexts(let platform, let names):
            platform.losesNestedValues
                ? "\(names.listed) is no text; clients in Kotlin are handed on its text."
                : "\(names.listed) is no text; clients are handed on its text, and Android's before"
                    + " 4.0 nothing."
        }
    }

    package var json: JSONObject {
        [
            "code": .string(code), "detail": .string(sentence),
            "platform": .string(platform.rawValue),
        ]
    }
}

extension [MetadataName] {
    fileprivate var listed: String { map { "“\($0.text)”" }.joined(separator: ", ") }
}
