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
