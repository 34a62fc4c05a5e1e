extension LanguageTag {
    /// The language as Apple's systems name it, whichever way the tag writes it: `he` of `iw`, `en-GB`
    /// of `eng-Latn-UK`.
    ///
    /// What stands behind language, script and region is kept as it is. An extended language is one
    /// of its own: `zh-yue` is `yue`.
    package var canonical: String { canonicalForm(of: text) }

    /// Every language that a phone may take the tag for: older systems do not tell an extended
    /// language from the one before it.
    fileprivate var readings: [String] {
        let parts = TagParts(text)
        guard !parts.extended.isEmpty else { return [canonical] }
        let bare = ([parts.language] + parts.behindLanguage).joined(separator: "-")
        return [canonical, canonicalForm(of: bare)]
    }
}

/// Two tags that phones take for one language.
///
/// iPhones keep texts under the languages that they understand, and an app that finds a second text
/// under one of them ends at once.
package struct LanguageTwins: Hashable, Sendable {
    package let first: LanguageTag
    package let second: LanguageTag

    package init(_ first: LanguageTag, _ second: LanguageTag) {
        (self.first, self.second) = (first, second)
    }
}

extension LanguageTwins: CustomStringConvertible {
    package var description: String { "\(first) and \(second)" }
}

extension Sequence<LanguageTag> {
    /// Those of them that phones take for one that stands before them in the order of the tags.
    package var twins: [LanguageTwins] {
        var seen: [String: LanguageTag] = [:]
        return Set(self).sorted().compactMap { tag in
            let readings = tag.readings
            let twin = readings.lazy.compactMap { seen[$0] }.first
            for reading in readings where seen[reading] == nil { seen[reading] = tag }
            return twin.map { LanguageTwins($0, tag) }
        }
    }
}

extension Document {
    /// Every language that it has a text in.
    package var languages: Set<LanguageTag> {
        platform.thresholds.reduce(into: []) { languages, name in
            languages.formUnion(self[name].titles.keys)
            languages.formUnion(self[name].descriptions.keys)
        }
    }

    /// Languages of its texts that phones take for one.
    package var languageTwins: [LanguageTwins] { languages.twins }
}

/// The parts of a well-formed tag in its recommended letter case.
private struct TagParts {
    let language: Substring
    let extended: ArraySlice<Substring>
    let script: Substring?
    let region: Substring?
    let rest: ArraySlice<Substring>

    init(_ text: String) {
        var parts = text.split(separator: "-")[...]
        language = parts.popFirst() ?? ""
        extended = parts.prefix { $0.count == 3 && $0.utf8.allSatisfy(isLetter) }.prefix(3)
        parts.removeFirst(extended.count)
        script = parts.first.flatMap { $0.count == 4 && $0.utf8.allSatisfy(isLetter) ? $0 : nil }
        if script != nil { parts.removeFirst() }
        region = parts.first.flatMap { part in
            part.count == 2 || part.count == 3 && part.utf8.allSatisfy(isDigit) ? part : nil
        }
        if region != nil { parts.removeFirst() }
        rest = parts
    }

    /// All but the language and what extends it.
    var behindLanguage: [Substring] { [script, region].compactMap(\.self) + rest }
}

private func canonicalForm(of tag: String) -> String {
    if let whole = tagAliases[tag] { return whole }
    let parts = TagParts(tag)
    let language = parts.extended.last ?? parts.language
    let named = TagParts(String(languageAliases[language] ?? language))
    let region = parts.region.map { currentRegion($0, of: named.language) } ?? named.region
    let script = (parts.script ?? named.script).flatMap { script in
        defaultScripts.contains("\(named.language)-\(script)") ? nil : script
    }
    return ([named.language, script, region].compactMap(\.self) + parts.rest)
        .joined(separator: "-")
}

/// `CS` was Czechoslovakia before it was Serbia and Montenegro.
private func currentRegion(_ region: Substring, of language: Substring) -> Substring {
    switch (language, region) {
    case ("cs", "CS"): "CZ"
    case ("sk", "CS"): "SK"
    default: regionAliases[region] ?? region
    }
}
