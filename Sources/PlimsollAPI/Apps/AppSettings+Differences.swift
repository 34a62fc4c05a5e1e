package import PlimsollDomain

extension AppSettings {
    /// What others say otherwise, in the order in which settings are told.
    package func differences(to other: AppSettings) -> [Difference] {
        [Difference](from: told, to: other.told)
    }

    /// Every setting in words.
    package var told: [ToldPart] {
        [
            ("name", "name", name.text),
            ("platforms", "platforms", platforms.map(\.rawValue).joined(separator: ", ")),
            ("languages", "languages", words(languages)),
            ("fallbackLanguage", "fallback language", fallbackLanguage.text),
            ("profile", "profile", profile.rawValue),
            ("princeOfVersions", "clients of Prince of Versions", princeClients.rawValue),
            ("shippedLanguages", "languages the app ships with", shippedLanguages.map(words)),
            ("clients", "clients in use", clients.map { $0.map(\.name).joined(separator: ", ") }),
        ]
    }

    private func words(_ languages: [LanguageTag]) -> String {
        languages.map(\.text).joined(separator: ", ")
    }
}
