extension Text {
    /// What the checks find in a text by itself.
    func findings(in field: Field, _ part: TextPart, _ language: LanguageTag) -> [CheckFinding] {
        let leftovers = leftovers(in: language).map { leftover in
            CheckFinding(
                .placeholderLeft,
                field,
                "\(field) has \"\(leftover)\" in it, which looks left over."
            )
        }
        let stores = storesNamed(of: field.platform).map { store in
            CheckFinding(
                .otherStoreNamed,
                field,
                "\(field) names \(store), which people on \(field.platform.rawValue) do not have."
            )
        }
        return leftovers + stores + direction(field, language) + scriptFindings(in: field, language)
            + length(field, part)
    }

    /// Whether a reader would not see the difference: marks, blanks and capitals do not count.
    func saysTheSame(as other: Text) -> Bool {
        bare.isEmpty ? text == other.text : bare.elementsEqual(other.bare)
    }

    /// Looked at as far as two texts are alike, and no further.
    private var bare: some Collection<String> {
        text.unicodeScalars.lazy.filter {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        .map(\.properties.lowercaseMapping)
    }

    private func leftovers(in language: LanguageTag) -> [String] {
        let present = leftoverWords.filter(text.has)
        let words = present.isEmpty ? [] : text.split { !$0.isLetter && !$0.isNumber }
        let marked = present.filter { words.contains(Substring($0)) }
        let template = leftoverMarks.filter(text.has) + leftoverForms(in: language)
        let format = formatMarks.filter { mark in
            text.has(mark)
                && text.ranges(of: mark).contains { range in
                    // "50 %d…" is no format, but a percentage that lacks a blank.
                    range.lowerBound == text.startIndex
                        || !text[text.index(before: range.lowerBound)].isNumber
                }
        }
        let latin = text.lowercased().has("lorem ipsum") ? ["lorem ipsum"] : []
        return marked + template + format + latin
    }

    private func direction(_ field: Field, _ language: LanguageTag) -> [CheckFinding] {
        guard !rightToLeft.contains(language.language),
            text.unicodeScalars.contains(where: directionMarks.contains)
        else { return [] }
        return [
            CheckFinding(
                .directionMark,
                field,
                "\(field) has an invisible mark that turns the direction of writing."
            )
        ]
    }

    private func length(_ field: Field, _ part: TextPart) -> [CheckFinding] {
        let (count, most) = (text.unicodeScalars.count, part.scalarsThatFit)
        guard count > most else { return [] }
        return [
            CheckFinding(
                .textLong,
                field,
                "\(field) has \(count) characters; more than \(most) do not fit on a small screen."
            )
        ]
    }
}

extension String {
    /// Whether the words stand in it.
    ///
    /// Looked for by scalars: among characters the standard library also walks backwards, where
    /// every flag of a row of them is found by counting all before it. A text without the first of
    /// their bytes is told a hundred times faster.
    func has(_ words: String) -> Bool {
        guard let first = words.utf8.first, utf8.contains(first) else { return false }
        return unicodeScalars.contains(words.unicodeScalars)
    }
}

/// Taken apart where the words would promise something about this tree.
private let leftoverWords = ["TO" + "DO", "FIX" + "ME", "TBD", "XXX"]
private let leftoverMarks = [
    "{{", "}}", "${", "%@", "%1$", "\\n", "\u{FFFD}", "&amp;", "&nbsp;", "&quot;", "&lt;", "&gt;",
    "&apos;", "<br", "</", "???",
]
private let formatMarks = ["%s", "%d"]
private let directionMarks: Set<Unicode.Scalar> = ["\u{200E}", "\u{200F}", "\u{61C}"]

/// Languages that are written from right to left, where such marks have their place.
private let rightToLeft: Set = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]

extension TextPart {
    /// So many characters fit on the smallest screens that the shipped apps run on.
    fileprivate var scalarsThatFit: Int {
        switch self {
        case .title: 80
        case .description: 1000
        }
    }
}

extension Text {
    /// What looks left over by its form: `{name}`, `&#39;`, "to do" with a colon, and letters that
    /// were read in the wrong encoding.
    func leftoverForms(in language: LanguageTag) -> [String] {
        let forms = [text.placeholder, text.characterReference, text.misread].compactMap(\.self)
        return forms + (text.note(in: language).map { [$0] } ?? [])
    }
}

/// How many characters stand between the marks of a form, at most.
private let formLengthMaximum = 40

/// Languages in which the word is one of the commonest: "all".
private let wordInSpanish: Set = ["ast", "es", "gl", "pt"]

extension String {
    /// A name in braces, as templates have it.
    fileprivate var placeholder: String? {
        enclosed(between: "{", and: "}") { content in
            content.allSatisfy { mark in
                mark.isASCII && (mark.isLetter || mark.isNumber || mark == "_" || mark == ".")
            }
        }
    }

    /// A character as HTML has it, by its number.
    fileprivate var characterReference: String? {
        enclosed(between: "&#", and: ";") { content in
            content.allSatisfy { $0.isHexDigit || $0 == "x" }
        }
    }

    /// A note to oneself, in small letters as well.
    fileprivate func note(in language: LanguageTag) -> String? {
        guard !wordInSpanish.contains(language.language) else { return nil }
        let note = "to" + "do:"
        guard has(":") else { return nil }
        let isNoted = lowercased().split(whereSeparator: \.isWhitespace).contains {
            $0.hasPrefix(note)
        }
        return isNoted ? note : nil
    }

    /// Looks only as far as such a form may reach: a text may be nothing but openings.
    private func enclosed(
        between opening: String,
        and closing: Character,
        where isForm: (Substring) -> Bool
    ) -> String? {
        guard has(opening) else { return nil }
        for range in ranges(of: opening) {
            let near = self[range.upperBound...].prefix(formLengthMaximum + 1)
            guard let end = near.firstIndex(of: closing), end > near.startIndex,
                isForm(near[..<end])
            else { continue }
            return String(self[range.lowerBound...end])
        }
        return nil
    }

    /// Two characters that are one in UTF-8, taken for Windows-1252: "Ã©" for "é".
    fileprivate var misread: String? {
        let scalars = Array(unicodeScalars)
        for (index, (first, second)) in zip(scalars, scalars.dropFirst()).enumerated() {
            let follows = index > 0 && scalars[index - 1].properties.isUppercase
            guard first.beginsMisread(followedBy: second, amidCapitals: follows) else { continue }
            return String(String.UnicodeScalarView([first, second]))
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Quotation marks, and a blank behind a word in capitals, stand there by right.
    fileprivate func beginsMisread(followedBy next: Unicode.Scalar, amidCapitals: Bool) -> Bool {
        switch self {
        case "\u{C2}", "\u{C3}":
            !amidCapitals
                && ((0x80...0xBF).contains(next.value) && next != "\u{AB}" && next != "\u{BB}"
                    || misreadContinuations.contains(next))
        case "\u{D0}", "\u{D1}", "\u{D8}", "\u{D9}", "\u{E0}":
            (0xA1...0xBF).contains(next.value) && next != "\u{AB}" && next != "\u{BB}"
                && !(0xB2...0xB9).contains(next.value) && next != "\u{AA}" && next != "\u{BA}"
        case "\u{E2}": next == "\u{20AC}"
        default: false
        }
    }
}

/// What Windows-1252 has where UTF-8 goes on with a letter, as far as no quotation mark, dash or
/// ellipsis is meant.
private let misreadContinuations: Set<Unicode.Scalar> = [
    "\u{178}", "\u{152}", "\u{153}", "\u{160}", "\u{161}", "\u{17D}", "\u{17E}", "\u{192}",
    "\u{2020}", "\u{2021}", "\u{2030}", "\u{20AC}",
]
