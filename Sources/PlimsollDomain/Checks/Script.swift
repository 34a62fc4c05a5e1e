/// What letters belong to, as far as it takes to see that a text is in other letters than its
/// language.
enum Script: String, CaseIterable {
    case latin = "Latin"
    case greek = "Greek"
    case cyrillic = "Cyrillic"
    case armenian = "Armenian"
    case hebrew = "Hebrew"
    case arabic = "Arabic"
    case devanagari = "Devanagari"
    case bengali = "Bengali"
    case gurmukhi = "Gurmukhi"
    case gujarati = "Gujarati"
    case tamil = "Tamil"
    case telugu = "Telugu"
    case kannada = "Kannada"
    case malayalam = "Malayalam"
    case sinhala = "Sinhala"
    case thai = "Thai"
    case georgian = "Georgian"
    case ethiopic = "Ethiopic"
    case khmer = "Khmer"
    case hangul = "Korean"
    case kana = "Japanese"
    case han = "Chinese"

    /// The script of a letter; `nil` for what is no letter, or of a script that is not told apart.
    init?(_ scalar: Unicode.Scalar) {
        guard scalar.properties.isAlphabetic else { return nil }
        guard let script = Script.allCases.first(where: { $0.contains(scalar.value) }) else {
            return nil
        }
        self = script
    }

    private func contains(_ value: UInt32) -> Bool { blocks.contains { $0.contains(value) } }

    /// The blocks of Unicode that its letters are in.
    private var blocks: [ClosedRange<UInt32>] {
        switch self {
        case .latin: [0x41...0x2AF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF]
        case .greek: [0x370...0x3FF, 0x1F00...0x1FFF]
        case .cyrillic: [0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F]
        case .armenian: [0x530...0x58F]
        case .hebrew: [0x590...0x5FF, 0xFB1D...0xFB4F]
        case .arabic: [0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF, 0xFB50...0xFEFC]
        case .devanagari: [0x900...0x97F]
        case .bengali: [0x980...0x9FF]
        case .gurmukhi: [0xA00...0xA7F]
        case .gujarati: [0xA80...0xAFF]
        case .tamil: [0xB80...0xBFF]
        case .telugu: [0xC00...0xC7F]
        case .kannada: [0xC80...0xCFF]
        case .malayalam: [0xD00...0xD7F]
        case .sinhala: [0xD80...0xDFF]
        case .thai: [0xE00...0xE7F]
        case .georgian: [0x10A0...0x10FF, 0x1C90...0x1CBF]
        case .ethiopic: [0x1200...0x139F]
        case .khmer: [0x1780...0x17FF]
        case .hangul: [0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF]
        case .kana: [0x3040...0x30FF]
        case .han: [0x2E80...0x2FDF, 0x3005...0x3007, 0x3400...0x9FFF, 0x20000...0x3FFFF]
        }
    }
}

extension LanguageTag {
    /// What it is written in; empty where that is not known.
    var scripts: Set<Script> {
        let subtags = text.split(separator: "-")
        guard let subtag = subtags.dropFirst().first(where: { $0.count == 4 }) else {
            return Self.usual[language] ?? []
        }
        return Self.named[String(subtag)] ?? []
    }

    /// The scripts of languages that many apps are in.
    private static let usual: [String: Set<Script>] = {
        let languages: [(Set<Script>, String)] = [
            (
                [.latin],
                "af ca cs cy da de en es et eu fi fo fr ga gd gl hr hu id is it lb lt lv ms mt nb nl"
                    + " nn no pl pt ro sk sl so sq sv sw tr vi zu"
            ),
            ([.latin, .cyrillic], "az bs sr uz"), ([.cyrillic], "be bg mk ru uk"),
            ([.greek], "el"), ([.armenian], "hy"), ([.hebrew], "he iw yi"),
            ([.arabic], "ar ckb fa ps ug ur"), ([.devanagari], "hi mr ne"),
            ([.bengali], "as bn"), ([.gurmukhi, .arabic], "pa"), ([.gujarati], "gu"),
            ([.tamil], "ta"), ([.telugu], "te"), ([.kannada], "kn"), ([.malayalam], "ml"),
            ([.sinhala], "si"), ([.thai], "th"), ([.georgian], "ka"), ([.ethiopic], "am ti"),
            ([.khmer], "km"), ([.hangul, .han], "ko"), ([.kana, .han], "ja"), ([.han], "yue zh"),
        ]
        return Dictionary(
            uniqueKeysWithValues: languages.flatMap { scripts, names in
                names.split(separator: " ").map { (String($0), scripts) }
            }
        )
    }()

    /// Scripts as a tag names them (ISO 15924).
    private static let named: [String: Set<Script>] = [
        "Latn": [.latin], "Cyrl": [.cyrillic], "Arab": [.arabic], "Deva": [.devanagari],
        "Beng": [.bengali], "Guru": [.gurmukhi], "Hans": [.han], "Hant": [.han],
        "Jpan": [.kana, .han], "Kore": [.hangul, .han],
    ]
}

extension Text {
    /// What the check of scripts finds: a text that is for another language, or that was not
    /// translated to its end.
    func scriptFindings(in field: Field, _ language: LanguageTag) -> [CheckFinding] {
        let own = language.scripts
        guard !own.isEmpty else { return [] }
        let letters = Letters(text)
        if let other = letters.foreign(to: own) {
            return [
                CheckFinding(
                    .wrongScript,
                    field,
                    "\(field) is in \(other.rawValue) letters, which \(language) is not written in."
                )
            ]
        }
        guard !own.contains(.latin) else { return [] }
        let left = letters.untranslated(isAlone: letters.counts.keys.allSatisfy { $0 == .latin })
        guard left.count > Self.latinWordsAllowed else { return [] }
        let words = left.prefix(2).map { "\"\($0)\"" }.joined(separator: " and ")
        return [
            CheckFinding(
                .wrongScript,
                field,
                "\(field) has \(words) in Latin letters, which \(language) is not written in."
            )
        ]
    }

    /// People write "app" and the like in any language.
    private static let latinWordsAllowed = 1
}

/// The letters of a text, and its words in Latin letters.
private struct Letters {
    let counts: [Script: Int]
    private let latin: [LatinWord]

    init(_ text: String) {
        counts = text.unicodeScalars.lazy.compactMap(Script.init)
            .reduce(into: [:]) { $0[$1, default: 0] += 1 }
        latin = LatinWord.words(of: text)
    }

    /// A script other than Latin that more than a third of the letters are in, and none should be.
    func foreign(to own: Set<Script>) -> Script? {
        let all = counts.values.reduce(0, +)
        let others = counts.filter { !own.contains($0.key) && $0.key != .latin }
        guard others.values.reduce(0, +) * 3 > all else { return nil }
        return others.max { $0.value < $1.value }?.key
    }

    /// Words of a sentence rather than names: those in small letters, and where nothing else
    /// stands beside them, those that merely begin with a capital.
    func untranslated(isAlone: Bool) -> [String] {
        latin.filter { word in
            word.isInSmallLetters || isAlone && word.isCapitalised
        }.map(\.text)
    }
}

/// A word in Latin letters that is no part of an address or a file name.
private struct LatinWord {
    let text: String

    var isInSmallLetters: Bool { text.count > 1 && text.allSatisfy(\.isLowercase) }
    var isCapitalised: Bool {
        text.count > 1 && text.first?.isUppercase == true
            && text.dropFirst().allSatisfy(\.isLowercase)
    }

    static func words(of text: String) -> [LatinWord] {
        // An address, and what is written together with figures or marks, is a name.
        let parts = text.split { $0.isWhitespace || $0.isLetter && !$0.isLatin }
        return parts.compactMap { part in
            let core = part.trimmed { !$0.isLetter && !$0.isNumber }
            guard !core.isEmpty, core.allSatisfy(\.isLatin) else { return nil }
            return LatinWord(text: String(core))
        }
    }
}

extension Character {
    fileprivate var isLatin: Bool { unicodeScalars.first.flatMap(Script.init) == .latin }
}

extension Substring {
    /// Never walks backwards, where every flag of a row of them is found by counting all before it.
    fileprivate func trimmed(_ isLeftOut: (Character) -> Bool) -> Substring {
        let rest = drop(while: isLeftOut)
        var end = rest.startIndex
        for index in rest.indices where !isLeftOut(rest[index]) { end = rest.index(after: index) }
        return rest[..<end]
    }
}

extension Text {
    /// The store of another platform that the text names, as it is written there; one is enough.
    func storesNamed(of platform: Platform) -> [String] {
        let words = text.wordRanges
        for start in words.indices {
            for store in platform.otherStores {
                guard let range = text.range(of: store, in: words[start...]) else { continue }
                let before = start > 0 ? text[words[start - 1]].lowercased() : ""
                let isAny = text[range].allSatisfy { !$0.isUppercase } && articles.contains(before)
                if !isAny { return [String(text[range])] }
            }
        }
        return []
    }
}

private let hyphens: Set<Character> = ["-", "\u{2010}", "\u{2011}"]

/// "Your app store" is whichever a person has.
private let articles: Set = ["a", "an", "any", "each", "every", "your"]

extension String {
    fileprivate var wordRanges: [Range<Index>] {
        split { !$0.isLetter && !$0.isNumber }.map { $0.startIndex..<$0.endIndex }
    }

    /// Where the words begin with a name, however it is joined and capitalised.
    fileprivate func range(
        of name: [String],
        in words: ArraySlice<Range<Index>>
    ) -> Range<Index>? {
        guard let first = words.first else { return nil }
        if self[first].lowercased() == name.joined() { return first }
        guard words.count >= name.count else { return nil }
        let found = words.prefix(name.count)
        guard zip(found, name).allSatisfy({ self[$0].lowercased() == $1 }),
            zip(found, found.dropFirst()).allSatisfy({ isJoint($0.upperBound..<$1.lowerBound) }),
            let last = found.last
        else { return nil }
        return first.lowerBound..<last.upperBound
    }

    /// One blank, or a hyphen: a full stop ends what belongs together.
    private func isJoint(_ range: Range<Index>) -> Bool {
        let between = self[range]
        return between.count == 1 && between.allSatisfy { $0.isWhitespace || hyphens.contains($0) }
    }
}

extension Platform {
    /// The stores of other platforms, by the names that texts call them.
    fileprivate var otherStores: [[String]] {
        switch self {
        case .ios, .macos: [["google", "play"], ["play", "store"]]
        case .android: [["app", "store"], ["itunes"], ["testflight"]]
        case .jvm: []
        }
    }
}
