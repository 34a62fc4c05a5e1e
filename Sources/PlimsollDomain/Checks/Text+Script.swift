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
