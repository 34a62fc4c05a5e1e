/// A document as phones find it: which members stand in it, and what is in each.
package struct PublishedDocument: Equatable, Sendable {
    package let platform: Platform
    /// What is not there is left out.
    package let thresholds: [ThresholdName: PublishedThreshold]

    package init(platform: Platform, thresholds: [ThresholdName: PublishedThreshold]) {
        self.platform = platform
        self.thresholds = thresholds
    }
}

/// One member of a published document.
package struct PublishedThreshold: Equatable, Sendable {
    /// `nil` where the member has none, which no phone reads.
    package let value: PublishedValue?
    /// `nil` where the member has none; no texts are something else.
    package let titles: [LanguageTag: String]?
    package let descriptions: [LanguageTag: String]?

    package init(
        value: PublishedValue?,
        titles: [LanguageTag: String]?,
        descriptions: [LanguageTag: String]?
    ) {
        self.value = value
        self.titles = titles
        self.descriptions = descriptions
    }

    package func texts(_ part: TextPart) -> [LanguageTag: String]? {
        switch part {
        case .title: titles
        case .description: descriptions
        }
    }
}

/// The value of a published member.
package enum PublishedValue: Equatable, Sendable {
    /// What is written where nothing is set: every version lies above it.
    case nothing
    case version(VersionValue)
}

/// Which program publishes: what an earlier one published is still known for its work.
package enum PublishedForm: Sendable {
    case current
    /// Without the languages that the first Android apps demand, and in the `minimal` profile with
    /// members that have texts and no value.
    case former
}

extension Document {
    /// What is published of it.
    package func published(
        _ profile: DocumentProfile,
        as form: PublishedForm = .current
    ) -> PublishedDocument {
        let members = profile.members(on: platform).compactMap { name in
            published(name, profile, form).map { (name, $0) }
        }
        return PublishedDocument(
            platform: platform,
            thresholds: Dictionary(members) { first, _ in first }
        )
    }

    /// The document without the thresholds that the profile tells nobody.
    package func told(in profile: DocumentProfile) -> Document {
        var told = self
        for name in platform.thresholds where !profile.members(on: platform).contains(name) {
            told[name] = Threshold()
        }
        return told
    }

    private func published(
        _ name: ThresholdName,
        _ profile: DocumentProfile,
        _ form: PublishedForm
    ) -> PublishedThreshold? {
        let threshold = self[name]
        let (titles, descriptions) = (threshold.written(.title), threshold.written(.description))
        switch profile {
        case .minimal:
            guard threshold.value != nil || form == .former && !threshold.isEmpty else {
                return nil
            }
            return PublishedThreshold(
                value: threshold.value.map(PublishedValue.version),
                titles: titles.isEmpty ? nil : titles,
                descriptions: descriptions.isEmpty ? nil : descriptions
            )
        case .complete, .versionThree:
            let demanded = form == .former ? [] : languagesDemanded(of: name, threshold)
            return PublishedThreshold(
                value: threshold.value.map(PublishedValue.version) ?? .nothing,
                titles: profile == .versionThree && titles.isEmpty ? nil : titles,
                descriptions: descriptions.adding(demanded)
            )
        }
    }

    /// The languages that a client reads nothing without, where nobody is to read anything.
    private func languagesDemanded(
        of name: ThresholdName,
        _ threshold: Threshold
    ) -> [LanguageTag] {
        guard threshold.value == nil else { return [] }
        return ClientGeneration.all.filter { $0.platform == platform && $0.members.contains(name) }
            .flatMap(\.languagesDemanded)
    }
}

extension DocumentProfile {
    /// The members that it has, as far as there is something to say.
    package func members(on platform: Platform) -> [ThresholdName] {
        switch self {
        case .complete, .minimal: platform.thresholds
        case .versionThree: platform.thresholds.filter(\.isMinimum)
        }
    }
}

extension Threshold {
    fileprivate func written(_ part: TextPart) -> [LanguageTag: String] {
        texts(part).mapValues(\.text)
    }
}

extension [LanguageTag: String] {
    fileprivate func adding(_ languages: [LanguageTag]) -> [LanguageTag: String] {
        languages.reduce(into: self) { texts, language in
            if texts[language] == nil { texts[language] = "" }
        }
    }
}
