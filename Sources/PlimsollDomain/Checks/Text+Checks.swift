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
