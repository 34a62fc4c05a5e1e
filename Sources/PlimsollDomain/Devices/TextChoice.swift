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
