package import PlimsollDomain

/// What one of an app's settings is, and what it is elsewhere.
package struct SettingDifference: Equatable, Sendable {
    /// The member that says it: `languages`.
    package let member: String
    /// What people call it: `languages`.
    package let name: String
    package let before: String
    package let after: String

    /// `languages en → en, de`.
    package var sentence: String { "\(name) \(before) → \(after)" }
}

extension AppSettings {
    /// What others say otherwise, in the order in which settings are told.
    package func differences(to other: AppSettings) -> [SettingDifference] {
        zip(told, other.told).compactMap { mine, theirs in
            mine.words == theirs.words
                ? nil
                : SettingDifference(
                    member: mine.member,
                    name: mine.name,
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

extension [SettingDifference] {
    package var sentence: String { map(\.sentence).joined(separator: "; ") }
}
