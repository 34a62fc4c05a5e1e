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
    /// The languages that the app itself is made in; `nil` where nobody said.
    package let shippedLanguages: [LanguageTag]?
    /// The generations of clients that are in people's hands; `nil` means all there are.
    package let clients: [ClientGeneration]?

    package init(
        name: Title,
        platforms: [Platform],
        languages: [LanguageTag],
        fallbackLanguage: LanguageTag,
        profile: DocumentProfile = .complete,
        princeClients: PrinceClients = .modern,
        shippedLanguages: [LanguageTag]? = nil,
        clients: [ClientGeneration]? = nil
    ) {
        self.name = name
        self.platforms = platforms
        self.languages = languages
        self.fallbackLanguage = fallbackLanguage
        self.profile = profile
        self.princeClients = princeClients
        self.shippedLanguages = shippedLanguages
        self.clients = clients
    }
}

extension AppSettings {
    /// The generations of clients that are to read the documents: of those in people's hands all that
    /// the profile has every member for.
    package var readers: [ClientGeneration] {
        (clients ?? ClientGeneration.all).filter { generation in
            let members = profile.members(on: generation.platform)
            return generation.members.allSatisfy(members.contains)
        }
    }
}

/// Which members a published document has.
package enum DocumentProfile: String, CaseIterable, Sendable {
    /// All that shipped phones demand; what is unset has the value 0 and no texts.
    case complete
    /// Only what is set.
    case minimal
    /// Both minima and nothing else, as the first apps demand it; what is unset has the value 0.
    case versionThree = "v3.0"
}
