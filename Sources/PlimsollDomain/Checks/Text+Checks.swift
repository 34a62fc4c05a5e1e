extension Text {
    /// What the checks find in a text by itself.
    func findings(in field: Field, _ part: TextPart, _ language: LanguageTag) -> [CheckFinding] {
        let leftovers = leftovers.map { leftover in
            CheckFinding(
                .placeholderLeft,
                field,
                "\(field) has \"\(leftover)\" in it, which looks left over."
            )
        }
        let stores = field.platform.otherStores.filter(text.contains).map { store in
            CheckFinding(
                .otherStoreNamed,
                field,
                "\(field) names \(store), which people on \(field.platform.rawValue) do not have."
            )
        }
        return leftovers + stores + direction(field, language) + length(field, part)
    }

    private var leftovers: [String] {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        let marked = leftoverWords.filter { words.contains(Substring($0)) }
        let template = leftoverMarks.filter(text.contains)
        let format = formatMarks.filter { mark in
            text.ranges(of: mark).contains { range in
                // "50 %d…" is no format, but a percentage that lacks a blank.
                range.lowerBound == text.startIndex
                    || !text[text.index(before: range.lowerBound)].isNumber
            }
        }
        let latin = text.lowercased().contains("lorem ipsum") ? ["lorem ipsum"] : []
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

/// Taken apart where the words would promise something about this tree.
private let leftoverWords = ["TO" + "DO", "FIX" + "ME", "TBD", "XXX"]
private let leftoverMarks = [
    "{{", "}}", "${", "%@", "%1$", "\\n", "\u{FFFD}", "&amp;", "&nbsp;", "&quot;", "<br", "</",
]
private let formatMarks = ["%s", "%d"]
private let directionMarks: Set<Unicode.Scalar> = ["\u{200E}", "\u{200F}", "\u{61C}"]

/// Languages that are written from right to left, where such marks have their place.
private let rightToLeft: Set = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]

extension Platform {
    /// The stores of other platforms, by the names that texts call them.
    fileprivate var otherStores: [String] {
        switch self {
        case .ios, .macos: ["Google Play", "Play Store"]
        case .android: ["App Store", "TestFlight"]
        case .jvm: []
        }
    }
}

extension TextPart {
    /// So many characters fit on the smallest screens that the shipped apps run on.
    fileprivate var scalarsThatFit: Int {
        switch self {
        case .title: 80
        case .description: 1000
        }
    }
}
