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
