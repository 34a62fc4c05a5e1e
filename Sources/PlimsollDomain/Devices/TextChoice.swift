/// How the shipped apps choose among the languages of a text.
struct TextChoice {
    let platform: Platform
    let language: LanguageTag

    /// The exact tag, else a tag of the same language; Android goes on to `en-GB` and `en`.
    ///
    /// Where a phone would show nothing, the text is empty. Among several tags of one language
    /// phones choose arbitrarily; here it is the first in the order of the tags.
    func text(from texts: [LanguageTag: Text]) -> String {
        let tags = texts.keys.sorted()
        let sameLanguage = tags.first { $0.language == language.language }
        let candidates = [texts[language] == nil ? nil : language, sameLanguage] + fallbacks
        return candidates.lazy.compactMap { $0 }.compactMap { texts[$0]?.text }.first ?? ""
    }

    private var fallbacks: [LanguageTag?] {
        platform == .android ? [LanguageTag("en-GB"), LanguageTag("en")] : []
    }
}
