/// What is said of an app when it is registered, and may be said anew.
package struct AppSettings: Codable, Equatable, Sendable {
    package var name: Title
    package var platforms: [Platform]
    /// The languages that every text has to be written in.
    package var languages: [LanguageTag]
    /// The one that phones fall back to; one of ``languages``.
    package var fallbackLanguage: LanguageTag
    package var profile: DocumentProfile
    package var princeClients: PrinceOfVersionsClients
    /// The languages that the app itself is made in; `nil` where nobody said.
    package var shippedLanguages: [LanguageTag]?
    /// The generations of clients that are in people's hands; `nil` means all there are.
    package var clients: [ClientGeneration]?

    package init(
        name: Title,
        platforms: [Platform],
        languages: [LanguageTag],
        fallbackLanguage: LanguageTag,
        profile: DocumentProfile = .complete,
        princeClients: PrinceOfVersionsClients = .modern,
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
    /// The generations of clients that are to read the documents: those that are named, or all that
    /// the profile has every member for.
    package var readers: [ClientGeneration] {
        clients
            ?? ClientGeneration.all.filter { generation in
                let members = profile.members(on: generation.platform)
                return generation.members.allSatisfy(members.contains)
            }
    }

    /// The generations that are to read the documents once these settings follow others: where none is
    /// named, those that read them so far as well.
    package func readers(after earlier: AppSettings) -> [ClientGeneration] {
        guard clients == nil else { return readers }
        return ClientGeneration.all.filter {
            readers.contains($0) || earlier.readers.contains($0)
        }
    }
}

/// Which members a published document has.
package enum DocumentProfile: String, Codable, CaseIterable, Sendable {
    /// All that shipped phones demand; what is unset has the value 0 and no texts.
    case complete
    /// Only what is set.
    case minimal
    /// Both minima and nothing else, as the first apps demand it; what is unset has the value 0.
    case versionThree = "v3.0"
}

extension AppSettings {
    package static let platformsMaximum = Platform.allCases.count
    package static let languagesMaximum = 100

    /// What is wrong with them, whatever the app is like.
    var objections: [Objection] {
        var objections = listObjections(platforms, "/platforms", most: Self.platformsMaximum)
        objections += listObjections(languages, "/languages", most: Self.languagesMaximum)
        objections += languages.twins.map { twins in
            let index = languages.lastIndex { [twins.first, twins.second].contains($0) } ?? 0
            return .languageRepeated(twins, at: Pointer("/languages").appending(index))
        }
        if !languages.contains(fallbackLanguage) {
            objections.append(.fallbackNotRequired(fallbackLanguage))
        }
        if let shippedLanguages {
            let most = Self.languagesMaximum
            objections += listObjections(shippedLanguages, "/shippedLanguages", most: most)
        }
        // An app may have none of them.
        if let clients, !clients.isEmpty {
            let most = ClientGeneration.all.count
            objections += listObjections(clients.map(\.name), "/clients", most: most)
        }
        return objections
    }
}

private func listObjections<Entry: Hashable>(
    _ list: [Entry],
    _ pointer: Pointer,
    most maximum: Int
) -> [Objection] {
    if list.isEmpty { return [.listEmpty(at: pointer)] }
    if list.count > maximum { return [.listTooLong(maximum: maximum, at: pointer)] }
    var seen: Set<Entry> = []
    return list.enumerated().compactMap { index, entry in
        seen.insert(entry).inserted
            ? nil : .repeated("\(entry)", at: pointer.appending(index))
    }
}

/// What of an app's published bytes is another under other settings.
///
/// A name, the languages that are required and the one to fall back to stand in no document.
package struct SettingsEffect: Equatable, Sendable {
    /// The platforms whose document is written otherwise, or is new.
    package let documents: Set<Platform>
    /// Whether Prince of Versions is told otherwise.
    package let isTold: Bool

    package init(from before: AppSettings, to after: AppSettings) {
        let added = Set(after.platforms).subtracting(before.platforms)
        documents = before.profile == after.profile ? added : Set(after.platforms)
        isTold = !added.isEmpty || before.princeClients != after.princeClients
    }

    package var isEmpty: Bool { documents.isEmpty && !isTold }
}
