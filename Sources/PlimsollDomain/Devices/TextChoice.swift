/// How the shipped apps choose among the languages of a text.
struct TextChoice {
    let rule: ClientGeneration.TextRule
    /// The languages of the phone, the one it is set to first.
    let languages: [LanguageTag]
    /// Those that the app ships with; `nil` where nobody said.
    let shipped: [LanguageTag]?

    func text(from texts: [LanguageTag: Text]) -> ShownText {
        switch rule {
        case .only(let language):
            let match = texts.keys.first { $0.canonical == language.canonical }
            return .one(match.flatMap { texts[$0]?.text } ?? "")
        case .shipped(let fallbacks): return .one(shippedText(from: texts, fallbacks))
        case .preferred: return preferredText(from: texts)
        case .lookedUp(let fallback):
            let tag =
                (languages + [fallback]).lazy.compactMap { lookup($0, among: texts.keys.sorted()) }
                .first ?? texts.keys.min()
            return .one(tag.flatMap { texts[$0]?.text } ?? "")
        }
    }

    /// The phone's language where the app ships with it: its tag, else the first of that language.
    private func shippedText(
        from texts: [LanguageTag: Text],
        _ fallbacks: [LanguageTag]
    ) -> String {
        let own = languages.prefix(1).filter(isShipped)
        let sisters = own.flatMap { language in
            texts.keys.sorted().filter { $0.language == language.language }
        }
        return (own + sisters + fallbacks).lazy.compactMap { texts[$0]?.text }.first ?? ""
    }

    private func isShipped(_ language: LanguageTag) -> Bool {
        shipped.map { $0.contains { $0.language == language.language } } ?? true
    }

    /// The first of the phone's languages that is there, else any: the app takes them out of a
    /// collection without order.
    private func preferredText(from texts: [LanguageTag: Text]) -> ShownText {
        for language in languages {
            let exact = texts.filter { $0.key.canonical == language.canonical }
            if !exact.isEmpty { return ShownText(exact) }
            let sisters = texts.filter {
                TextChoice.language(of: $0.key) == TextChoice.language(of: language)
            }
            if !sisters.isEmpty { return ShownText(sisters) }
        }
        return ShownText(texts)
    }

    /// As `LanguageLookup` of `PlimsollClient` does for one range: the tag itself, else among those of
    /// the same language, and of the same script if there are any, the tag shortened from its end, one
    /// of the same region, or any.
    private func lookup(_ range: LanguageTag, among tags: [LanguageTag]) -> LanguageTag? {
        let folded = tags.map { $0.text.lowercased().split(separator: "-") }
        let subtags = range.text.lowercased().split(separator: "-")
        if let index = folded.firstIndex(of: subtags) { return tags[index] }
        let kin = tags.indices.filter { Self.code(of: folded[$0]) == Self.code(of: subtags) }
        let legible = kin.filter { Self.script(of: folded[$0]) == Self.script(of: subtags) }
        let choice = legible.isEmpty ? kin : legible
        var rest = subtags.dropFirst()
        while true {
            if let index = choice.first(where: { folded[$0].dropFirst() == rest }) {
                return tags[index]
            }
            guard !rest.isEmpty else { break }
            rest.removeLast()
            // A single letter only says what follows it.
            if rest.last?.utf8.count == 1 { rest.removeLast() }
        }
        let near = choice.first { Self.region(of: folded[$0]) == Self.region(of: subtags) }
        return (near ?? choice.first).map { tags[$0] }
    }

    /// The code that a language goes by now, as far as our client knows: the others know more.
    private static func code(of tag: [Substring]) -> Substring? {
        tag.first.map { codes[$0] ?? $0 }
    }

    private static let codes: [Substring: Substring] = [
        "in": "id", "iw": "he", "ji": "yi", "mo": "ro", "no": "nb", "tl": "fil",
    ]

    private static func region(of tag: [Substring]) -> Substring? {
        tag.dropFirst().first { $0.utf8.count == 2 }
    }

    /// The script that is named; Chinese tags name it by their region.
    private static func script(of tag: [Substring]) -> Substring? {
        // What follows a single letter is none, nor is the year of an orthography.
        let names = tag.dropFirst().prefix { $0.utf8.count > 1 }
        let named = names.first { $0.utf8.count == 4 && $0.first?.isLetter == true }
        if let named { return named }
        guard tag.first == "zh" else { return nil }
        return ["tw", "hk", "mo"].contains(region(of: tag)) ? "hant" : "hans"
    }

    private static func language(of tag: LanguageTag) -> Substring {
        tag.canonical.prefix { $0 != "-" }
    }
}

/// The text that a phone shows, as far as that can be told.
package enum ShownText: Equatable, Sendable {
    /// Empty where it shows none.
    case one(String)
    /// One of these, and nobody can say which; at least two that say different things.
    case oneOf([LanguageTag: String])

    init(_ texts: [LanguageTag: Text]) {
        let said = texts.mapValues(\.text)
        self = Set(said.values).count > 1 ? .oneOf(said) : .one(said.values.first ?? "")
    }
}
