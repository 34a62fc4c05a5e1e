package import PlimsollDomain

extension AppSettings {
    /// What others say otherwise, in the order in which settings are told.
    package func differences(to other: AppSettings) -> [Difference] {
        zip(told, other.told).compactMap { mine, theirs in
            mine.words == theirs.words
                ? nil
                : Difference(
                    member: mine.member,
                    subject: mine.name,
                    before: mine.words,
                    after: theirs.words
                )
        }
    }

    /// Every setting in words.
    package var told: [(member: String, name: String, words: String)] {
        [
            ("name", "name", name.text),
            ("platforms", "platforms", platforms.map(\.rawValue).joined(separator: ", ")),
            ("languages", "languages", languages.map(\.text).joined(separator: ", ")),
            ("fallbackLanguage", "fallback language", fallbackLanguage.text),
            ("profile", "profile", profile.rawValue),
            ("princeOfVersions", "clients of Prince of Versions", princeClients.rawValue),
        ]
    }
}
