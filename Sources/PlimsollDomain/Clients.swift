/// Shipped apps that read an availability document alike.
///
/// What is documented, checked and simulated about them is read from this table.
package struct ClientGeneration: Codable, Equatable, Sendable {
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
    package enum VersionOrder: String, Codable, Sendable {
        /// Number by number.
        case numbers
        /// As one number made of all digits: `3.10.0` is 3100, and newer than `4.0.0`.
        case joinedDigits
    }

    /// Which of the languages of a text it shows.
    package enum TextRule: Codable, Equatable, Sendable {
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

extension Document {
    /// What apps of a generation show once this is published under these settings.
    ///
    /// Who refuses it goes by the last document that could be read; `nil` where there never was one,
    /// and then the app runs.
    package func outcome(
        on device: Device,
        by generation: ClientGeneration,
        _ settings: AppSettings,
        keeping last: Document?
    ) -> DeviceOutcome {
        guard let unread = published(settings.profile).unread(by: [generation]).first else {
            return told(in: settings.profile)
                .decision(on: device, by: generation, shipped: settings.shippedLanguages)
        }
        let refusal = "\(generation.sentenceName) refuses the document, because \(unread.reasons)"
        guard let last else {
            return DeviceOutcome(
                verdict: .available,
                shownTitle: nil,
                shownDescription: nil,
                because: "\(refusal), and never could read one before",
                keepsLastDocument: true
            )
        }
        let kept = last.decision(on: device, by: generation, shipped: settings.shippedLanguages)
        return DeviceOutcome(
            verdict: kept.verdict,
            shownTitle: kept.shownTitle,
            shownDescription: kept.shownDescription,
            because: "\(refusal), and keeps its last document, by which \(kept.because)",
            keepsLastDocument: true
        )
    }
}

/// Why a generation of clients refuses a whole document, and goes on with the last it could read.
package struct ReadingFault: Hashable, Sendable {
    package let platform: Platform
    package let threshold: ThresholdName
    package let kind: Kind

    /// What it misses.
    package enum Kind: Hashable, Sendable {
        case member
        case value
        case texts(TextPart)
        case language(TextPart, LanguageTag)
    }

    /// The first field that would have to be written.
    package var field: Field {
        switch kind {
        case .member, .value, .texts: Field(platform, threshold, .value)
        case .language(let part, let language): Field(platform, threshold, .text(part, language))
        }
    }

    /// Such as `minimumOSVersion is missing`.
    package var sentence: String {
        let member = threshold.member(on: platform)
        return switch kind {
        case .member: "\(member) is missing"
        case .value: "\(member) has no value"
        case .texts(let part): "\(member) has no \(part.rawValue)"
        case .language(let part, let language): "\(member).\(part.rawValue) has no \(language)"
        }
    }
}

/// A generation that refuses a document, and all that it misses there.
package struct UnreadDocument: Equatable, Sendable {
    package let generation: ClientGeneration
    /// Never empty.
    package let faults: [ReadingFault]

    /// Such as `minimumOSVersion is missing and minimumAppVersion has no description`.
    package var reasons: String { faults.map(\.sentence).joined(separator: " and ") }

    package var sentence: String {
        "\(generation.sentenceName) refuses the document, because \(reasons): such apps keep the last"
            + " one that they could read."
    }
}

extension ClientGeneration {
    /// What keeps it from reading a document of its platform; nothing where it reads it.
    package func faults(in document: PublishedDocument) -> [ReadingFault] {
        precondition(document.platform == platform, "a client reads its own platform's document")
        return isOwn
            ? []
            : members.flatMap { name in
                kinds(of: document.thresholds[name], name).map {
                    ReadingFault(platform: platform, threshold: name, kind: $0)
                }
            }
    }

    private func kinds(
        of member: PublishedThreshold?,
        _ name: ThresholdName
    ) -> [ReadingFault.Kind] {
        guard let member else { return [.member] }
        let value: [ReadingFault.Kind] = member.value == nil ? [.value] : []
        return value
            + name.partsShown.flatMap { part -> [ReadingFault.Kind] in
                guard let texts = member.texts(part) else { return [.texts(part)] }
                return languagesDemanded.filter { texts[$0] == nil }.map { .language(part, $0) }
            }
    }
}

extension PublishedDocument {
    /// Those of some generations that refuse it.
    package func unread(by generations: [ClientGeneration]) -> [UnreadDocument] {
        generations.filter { $0.platform == platform }.compactMap { generation in
            let faults = generation.faults(in: self)
            return faults.isEmpty ? nil : UnreadDocument(generation: generation, faults: faults)
        }
    }
}
