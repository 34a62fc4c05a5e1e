import PlimsollJSON

/// What the interface says in English, and how a page says it in another language.
///
/// Each sentence, or the type or name that stands for one, stands beside its own, with what changes
/// in braces: `{change}` is one word, `{title…}` whatever was written there and stays as it is, and
/// `{role.}` a phrase that is told in the language too. A sentence with a phrase that has no words in
/// the language is told as a whole as the interface says it, not in two languages.
struct Translations: Sendable {
    /// What sentences are about.
    enum Kind: String, CaseIterable {
        /// What a kind of problem is called, by its type.
        case problem
        /// What a fact of a release is called where it is filled in, by its name.
        case fact
        case event
        case refusal
        /// What a check found.
        case finding
        /// What clients of Prince of Versions are told otherwise than one might think.
        case note
        /// Why a device shows what it shows.
        case reason
        /// What a policy asks for, what it lacks, and what parts of things are called.
        case clause
        /// Parts of all of these.
        case phrase
    }

    private let translations: [Kind: [TranslatedSentence]]

    /// As `said` of a language has them, by their kinds.
    init(_ said: JSONObject) {
        let pairs = Kind.allCases.map { kind in
            let translations = said[kind.rawValue]?.object?.members.compactMap { member in
                member.value.string.map { TranslatedSentence(member.key, $0) }
            }
            return (kind, (translations ?? []).sorted { $0.weight > $1.weight })
        }
        translations = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// All English sentences of a kind, with how the language says them.
    func all(_ kind: Kind) -> [(english: String, own: String)] {
        (translations[kind] ?? []).map { ($0.english, $0.own) }
    }

    /// The same in the language; `nil` where it has no words for it.
    ///
    /// Of sentences that could be meant it is the one that says most by itself.
    func callAsFunction(_ kind: Kind, _ sentence: some StringProtocol) -> String? {
        var phrasesLeft = Self.phrasesMaximum
        return told([kind], Substring(sentence), &phrasesLeft)
    }

    /// So many phrases are looked for in one sentence: lists could be taken apart in many ways.
    private static let phrasesMaximum = 500

    /// What phrases may be: a refusal has what a check found in it, a warning of a policy its clauses.
    private static let phrases: [Kind] = [.finding, .reason, .clause, .phrase]

    private func told(_ kinds: [Kind], _ text: Substring, _ phrasesLeft: inout Int) -> String? {
        for sentence in kinds.lazy.flatMap({ translations[$0] ?? [] }) {
            guard let members = sentence.members(of: text) else { continue }
            let own = sentence.told(members) { phrase in
                phrasesLeft -= 1
                guard phrasesLeft >= 0 else { return nil }
                let isWord = !phrase.contains(where: \.isWhitespace)
                return told(Self.phrases, phrase, &phrasesLeft) ?? (isWord ? String(phrase) : nil)
            }
            if let own { return own }
        }
        return nil
    }
}

/// A sentence in two languages.
private struct TranslatedSentence: Sendable {
    let english: String
    let own: String
    private let pattern: [Piece]
    private let telling: [Piece]
    /// How much of it is said by itself.
    let weight: Int

    init(_ english: String, _ own: String) {
        (self.english, self.own) = (english, own)
        (pattern, telling) = (Piece.all(of: english), Piece.all(of: own))
        weight = pattern.reduce(0) { $0 + $1.weight }
    }

    /// What stands in the places of the members; `nil` where it is another sentence.
    func members(of text: Substring) -> [String: Substring]? {
        if case .words(let end)? = pattern.last, !text.hasSuffix(end) { return nil }
        return Self.members(pattern[...], text, [:])
    }

    private static func members(
        _ pattern: ArraySlice<Piece>,
        _ text: Substring,
        _ found: [String: Substring]
    ) -> [String: Substring]? {
        guard let first = pattern.first else { return text.isEmpty ? found : nil }
        let rest = pattern.dropFirst()
        switch first {
        case .words(let words):
            guard text.hasPrefix(words) else { return nil }
            return members(rest, text.dropFirst(words.count), found)
        case .member(let name, let extent):
            let reach = extent == .word ? text.prefix { !$0.isWhitespace } : text
            for end in reach.indices.dropFirst() + [reach.endIndex] where end > text.startIndex {
                let (value, left) = (text[..<end], text[end...])
                guard rest.first?.begins(left) ?? left.isEmpty,
                    found[name].map({ $0 == value }) ?? true
                else { continue }
                let more = found.merging([name: value]) { $1 }
                if let all = members(rest, left, more) { return all }
            }
            return nil
        }
    }

    /// With what the language has for each phrase; `nil` where it has nothing for one of them.
    func told(_ members: [String: Substring], _ phrase: (Substring) -> String?) -> String? {
        var told = ""
        for piece in telling {
            switch piece {
            case .words(let words): told += words
            case .member(let name, .phrase):
                guard let own = members[name].flatMap(phrase) else { return nil }
                told += own
            case .member(let name, _): told += members[name] ?? ""
            }
        }
        return told
    }
}

/// A part of a sentence.
private enum Piece: Sendable {
    enum Extent: Sendable {
        case word
        case text
        case phrase
    }

    case words(String)
    case member(String, Extent)

    var weight: Int {
        if case .words(let words) = self { words.count } else { 0 }
    }

    /// Whether a text may begin with it.
    func begins(_ text: Substring) -> Bool {
        if case .words(let words) = self { text.hasPrefix(words) } else { true }
    }

    static func all(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while let begin = rest.firstIndex(of: "{"), let end = rest.firstIndex(of: "}") {
            if begin > rest.startIndex { pieces.append(.words(String(rest[..<begin]))) }
            let name = rest[rest.index(after: begin)..<end]
            switch name.last {
            case "…": pieces.append(.member(String(name.dropLast()), .text))
            case ".": pieces.append(.member(String(name.dropLast()), .phrase))
            default: pieces.append(.member(String(name), .word))
            }
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? pieces : pieces + [.words(String(rest))]
    }
}
