/// Finds the best language among those that there are, as RFC 4647, 3.4 looks it up.
///
/// A range is shortened from its end until there is a text under it: `zh-Hant-TW`, `zh-Hant`,
/// `zh`. Beyond the RFC, any tag of the same language counts before the next range does, those of
/// the same script and then of the same region first: whoever reads German from Switzerland reads
/// that of Germany, and who reads `zh-Hant-TW` is sooner served by `zh-TW` than by `zh-CN`. Whoever
/// reads nothing there is, sees the fallback, or failing that the first text in the order of the
/// tags: a text in a foreign language can be translated, an empty screen cannot.
struct LanguageLookup {
    private let ranges: [[Substring]]

    init(_ languages: [String], fallback: String) {
        ranges = (languages + [fallback]).map { Self.folded($0).split(separator: "-") }
    }

    func best(among tags: some Sequence<String>) -> String? {
        let sorted = tags.sorted()
        let folded = sorted.map(Self.folded)
        for range in ranges {
            if let index = Self.find(range, in: folded) { return sorted[index] }
        }
        return sorted.first
    }

    private static func find(_ range: [Substring], in tags: [String]) -> Int? {
        var rest = range[...]
        while !rest.isEmpty {
            let tag = rest.joined(separator: "-")
            if let index = tags.firstIndex(of: tag) { return index }
            rest.removeLast()
            // A single letter only says what follows it.
            if rest.last?.utf8.count == 1 { rest.removeLast() }
        }
        guard let language = range.first else { return nil }
        func subtags(_ index: Int) -> [Substring] { tags[index].split(separator: "-") }
        let kin = tags.indices.filter { subtags($0).first == language }
        let legible = kin.filter { script(of: subtags($0)) == script(of: range) }
        let choice = legible.isEmpty ? kin : legible
        let near = choice.first { region(of: subtags($0)) == region(of: range) }
        return near ?? choice.first
    }

    private static func region(of tag: [Substring]) -> Substring? {
        tag.dropFirst().first { $0.utf8.count == 2 }
    }

    /// The script that is named; Chinese tags name it by their region.
    private static func script(of tag: [Substring]) -> Substring? {
        if let named = tag.dropFirst().first(where: { $0.utf8.count == 4 }) { return named }
        guard tag.first == "zh" else { return nil }
        let traditional: [Substring?] = ["tw", "hk", "mo"]
        return traditional.contains(region(of: tag)) ? "hant" : "hans"
    }

    /// The letter case of a tag means nothing, and some systems write `_` for its hyphens.
    private static func folded(_ tag: String) -> String {
        String(tag.map { $0 == "_" ? "-" : $0 }).lowercased()
    }
}
