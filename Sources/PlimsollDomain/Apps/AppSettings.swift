/// What is said of an app when it is registered, and may be said anew.
package struct AppSettings: Equatable, Sendable {
    package let name: Title
    package let platforms: [Platform]
    /// The languages that every text has to be written in.
    package let languages: [LanguageTag]
    /// The one that phones fall back to; one of ``languages``.
    package let fallbackLanguage: LanguageTag
    package let profile: DocumentProfile
    package let princeClients: PrinceClients

    package init(
        name: Title,
        platforms: [Platform],
        languages: [LanguageTag],
        fallbackLanguage: LanguageTag,
        profile: DocumentProfile = .complete,
        princeClients: PrinceClients = .modern
    ) {
        self.name = name
        self.platforms = platforms
        self.languages = languages
        self.fallbackLanguage = fallbackLanguage
        self.profile = profile
        self.princeClients = princeClients
    }
}

/// Which members a published document has.
package enum DocumentProfile: String, CaseIterable, Sendable {
    /// All that shipped phones demand; what is unset has the value 0 and no texts.
    case complete
    /// Only what is set.
    case minimal
}
