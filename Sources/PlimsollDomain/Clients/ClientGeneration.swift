/// Shipped apps that read an availability document alike.
///
/// What is documented, checked and simulated about them is read from this table.
package struct ClientGeneration: Equatable, Sendable {
    /// Such as `nhs-ios-3.0`: whose app, where, and the first version that reads like this.
    package let name: String
    package let platform: Platform
    /// The versions of the app that read like this, as its users know them.
    package let versions: String
    /// The members that it demands, each with a value and the texts that it shows.
    package let members: [ThresholdName]
    /// Languages that every description has to have a text in, if only an empty one.
    package let languagesDemanded: [LanguageTag]
    package let order: VersionOrder
    package let texts: TextRule
    /// Where it can be read that this is so.
    package let source: String

    /// How it finds out which of two versions is older.
    package enum VersionOrder: String, Sendable {
        /// Number by number.
        case numbers
        /// As one number made of all digits: `3.10.0` is 3100, and newer than `4.0.0`.
        case joinedDigits
    }

    /// Which of the languages of a text it shows.
    package enum TextRule: Equatable, Sendable {
        /// That of the first language of the phone that is there, else any that is there.
        case preferred
        /// The phone's if the app ships with it and it is there, else the first of these.
        case shipped(fallbacks: [LanguageTag])
        /// This one and no other.
        case only(LanguageTag)
        /// Looked up as RFC 4647 does, else the fallback, else any.
        case lookedUp(fallback: LanguageTag)
    }
}

extension ClientGeneration {
    /// Every generation that is known, the oldest of each platform first.
    package static let all: [ClientGeneration] = [
        ClientGeneration(
            name: "nhs-ios-3.0",
            platform: .ios,
            versions: "3.0 to 3.9",
            members: [.minimumOS, .minimumApp],
            languagesDemanded: [],
            order: .joinedDigits,
            texts: .only(britishEnglish),
            source: "nhsx/covid-19-app-ios-ag-public, August 2020:"
                + " AppAvailabilityEndpoint.swift, Version.swift"
        ),
        ClientGeneration(
            name: "nhs-ios-3.10",
            platform: .ios,
            versions: "3.10 and newer",
            members: [.minimumOS, .recommendedOS, .minimumApp, .recommendedApp],
            languagesDemanded: [],
            order: .numbers,
            texts: .preferred,
            source: "ukhsa-collaboration/covid-19-app-ios-ag-public, April 2023:"
                + " AppAvailabilityEndpoint.swift, LocaleString.swift"
        ),
        ClientGeneration(
            name: "nhs-android-3.0",
            platform: .android,
            versions: "3.0",
            members: [.minimumOS, .minimumApp],
            languagesDemanded: [britishEnglish],
            order: .numbers,
            texts: .only(britishEnglish),
            source: "nhsx/covid-19-app-android-ag-public, August 2020:"
                + " AppAvailabilityResponse.kt, TranslatedString.kt"
        ),
        ClientGeneration(
            name: "nhs-android-3.1",
            platform: .android,
            versions: "3.1 to 3.7",
            members: [.minimumOS, .minimumApp],
            languagesDemanded: [],
            order: .numbers,
            texts: .shipped(fallbacks: [britishEnglish]),
            source: "nhsx/covid-19-app-android-ag-public, September 2020:"
                + " AppAvailabilityResponse.kt, Translatable.kt"
        ),
        ClientGeneration(
            name: "nhs-android-3.8",
            platform: .android,
            versions: "3.8 and newer",
            members: [.minimumOS, .minimumApp, .recommendedApp],
            languagesDemanded: [],
            order: .numbers,
            texts: .shipped(fallbacks: [britishEnglish, english]),
            source: "ukhsa-collaboration/covid-19-app-android-ag-public, April 2023:"
                + " AppAvailabilityResponse.kt, Translatable.kt"
        ),
    ]

    package init?(_ name: String) {
        guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
        self = known
    }

    package static let grammar =
        "one of " + all.map(\.name).joined(separator: ", ")

    /// Its name, and what it is to people: `nhs-ios-3.0 (3.0 to 3.9)`.
    package var sentenceName: String { "\(name) (\(versions))" }

    private static let britishEnglish = known("en-GB")
    private static let english = known("en")

    private static func known(_ text: String) -> LanguageTag {
        guard let tag = LanguageTag(text) else { preconditionFailure("\(text) is a language tag") }
        return tag
    }
}

extension ClientGeneration {
    /// Our own client, which refuses no document for what is missing in it and shows every text.
    package var isOwn: Bool { name == Self.ownName }

    private static let ownName = "plimsoll"

    /// What apps show that link `PlimsollClient`, as far as they leave its fallback language alone.
    package static func own(on platform: Platform) -> ClientGeneration {
        ClientGeneration(
            name: ownName,
            platform: platform,
            versions: "apps that link PlimsollClient",
            members: platform.thresholds,
            languagesDemanded: [],
            order: .numbers,
            texts: .lookedUp(fallback: english),
            source: "Sources/PlimsollClient"
        )
    }

    /// One that is simulated on a device: a shipped app by its name, or `plimsoll`.
    package init?(simulated name: String, on platform: Platform?) {
        if name == Self.ownName, let platform {
            self = .own(on: platform)
        } else {
            self.init(name)
        }
    }

    package static let grammarOfSimulated = "\(ownName), or \(grammar)"
}

extension ClientGeneration.VersionOrder {
    /// Whether a phone on the version takes itself to lie below the other.
    func isOlder(_ version: VersionValue, than other: VersionValue) -> Bool {
        switch (self, version, other) {
        case (.joinedDigits, .dotted(let version), .dotted(let other)):
            version.joinedDigits < other.joinedDigits
        case (.joinedDigits, _, _), (.numbers, _, _): version.isOlder(than: other)
        }
    }
}

extension AppleVersion {
    /// The three numbers written one behind the other, and read as one.
    ///
    /// Three numbers of ten digits are more than any whole number holds; the app takes what it
    /// cannot hold for older than anything, and nobody has shipped such a version.
    fileprivate var joinedDigits: Int {
        let three = numbers + Array(repeating: 0, count: 3 - numbers.count)
        return Int(three.map(String.init).joined()) ?? 0
    }
}
