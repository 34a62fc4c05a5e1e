import Foundation

/// What is wrong with a text that a person wrote.
package enum TextFault: Error, Equatable, Sendable {
    case empty
    case tooLong(scalars: Int, maximum: Int)
    case controlCharacter(UInt32)
    case bidirectionalControl(UInt32)
    case noncharacter(UInt32)
    case lineBreak
    case invisible(UInt32)

    /// A sentence that says what was found and what is needed.
    package var sentence: String {
        switch self {
        case .empty:
            "The text is empty; it needs at least one character that can be seen."
        case .tooLong(let scalars, let maximum):
            "The text has \(scalars) characters; at most \(maximum) are allowed."
        case .controlCharacter(let scalar):
            "The text has the control character \(codePoint(scalar)); only line feeds are allowed."
        case .bidirectionalControl(let scalar):
            "The text has the bidirectional control \(codePoint(scalar)), which can make it read"
                + " differently from what was approved; leave it out."
        case .noncharacter(let scalar):
            "The text has \(codePoint(scalar)), which is no character."
        case .lineBreak:
            "The text has a line break; it needs to be one line."
        case .invisible(let scalar):
            "The text has the invisible character \(codePoint(scalar)), which nobody who reads it can see;"
                + " leave it out."
        }
    }

    private func codePoint(_ scalar: UInt32) -> String {
        let digits = String(scalar, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension TextFault: CustomStringConvertible {
    package var description: String { sentence }
}

/// A title or a description in one language, as it will be shown on a phone.
///
/// It is in Normalization Form C, not empty, at most 4 000 characters (Unicode scalars), and has
/// neither control characters other than the line feed nor controls that turn its direction.
package struct Text: Codable, Hashable, Sendable {
    package let text: String

    package static let scalarsMaximum = 4000

    package init(validating text: String) throws(TextFault) {
        self.text = try validated(text, scalarsMaximum: Text.scalarsMaximum, lines: .many)
    }

    var weight: Int { Self.weight(of: text) }

    /// An upper bound of its bytes in canonical JSON: a line feed, a quotation mark and a
    /// backslash are escaped to two bytes, and nothing else that a text may hold is.
    static func weight(of text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 == 0x0A || $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}

/// One line that says what a change does.
package struct Title: Codable, Hashable, Sendable {
    package let text: String

    package static let scalarsMaximum = 200

    package init(validating text: String) throws(TextFault) {
        self.text = try validated(text, scalarsMaximum: Title.scalarsMaximum, lines: .one)
    }

    init(unchecked text: String) { self.text = text }
}

/// What a build or a store is called.
package struct Label: Codable, Hashable, Sendable {
    package let text: String

    package static let scalarsMaximum = 64

    package init(validating text: String) throws(TextFault) {
        self.text = try validated(text, scalarsMaximum: Label.scalarsMaximum, lines: .one)
    }
}

/// Why somebody did something, in their own words.
package struct Reason: Codable, Hashable, Sendable {
    package let text: String

    package static let scalarsMaximum = 4000

    package init(validating text: String) throws(TextFault) {
        self.text = try validated(text, scalarsMaximum: Reason.scalarsMaximum, lines: .many)
    }
}

private enum Lines { case one, many }

/// Scalars are counted, not characters: one `Character` can be a megabyte.
private func validated(
    _ text: String,
    scalarsMaximum: Int,
    lines: Lines
) throws(TextFault) -> String {
    if isGood(text.utf8.span, scalarsMaximum: scalarsMaximum, lines: lines) { return text }
    guard text.utf8.count <= scalarsMaximum * 4 else {
        throw .tooLong(scalars: text.unicodeScalars.count, maximum: scalarsMaximum)
    }
    let normalized = composed(text)
    let count = normalized.unicodeScalars.count
    guard count <= scalarsMaximum else {
        throw .tooLong(scalars: count, maximum: scalarsMaximum)
    }
    for scalar in normalized.unicodeScalars {
        if scalar == "\n" {
            guard lines == .many else { throw .lineBreak }
        } else if lines == .one, scalar == "\u{2028}" || scalar == "\u{2029}" {
            throw .lineBreak
        } else if scalar.isNoncharacter {
            throw .noncharacter(scalar.value)
        } else if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
            // The general category Cc, which is these for ever (Unicode's stability policy).
            throw .controlCharacter(scalar.value)
        } else if scalar.isBidirectionalControl {
            throw .bidirectionalControl(scalar.value)
        }
    }
    guard normalized.unicodeScalars.contains(where: \.isVisible) else { throw .empty }
    return normalized
}

extension Unicode.Scalar {
    /// Whether it turns what follows around, so that a text reads as another than it is.
    package var isBidirectionalControl: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }

    /// Whether a phone draws anything for it; the pattern of Braille without a dot is none.
    fileprivate var isVisible: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
    }

    /// One of the 66 that Unicode will never make a character (The Unicode Standard, 23.7).
    fileprivate var isNoncharacter: Bool {
        value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
    }
}

/// Whether nothing is wrong with a text that has only scalars below U+0300, told from its bytes.
///
/// Nearly all are such, and most are read again and again. They are in Normalization Form C, since
/// combining begins there. Of all others nothing is said.
private func isGood(_ bytes: Span<UInt8>, scalarsMaximum: Int, lines: Lines) -> Bool {
    guard bytes.count <= scalarsMaximum else { return false }
    var hasLetter = false
    var previous: UInt8 = 0
    for index in bytes.indices {
        let byte = bytes[index]
        switch byte {
        case 0x21..<0x7F: hasLetter = true
        case 0x20: break
        case 0x0A: guard lines == .many else { return false }
        // The second byte of U+0080…U+009F, which are controls, stands behind 0xC2.
        case 0x80..<0xA0: guard previous != 0xC2 else { return false }
        case 0xA0..<0xCC: break
        default: return false
        }
        previous = byte
    }
    return hasLetter
}

/// The text in Normalization Form C.
///
/// Below U+0300, where combining begins, everything is in it already (UAX #15, NFC_Quick_Check),
/// and most texts are read again and again.
private func composed(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return text }
    return text.precomposedStringWithCanonicalMapping
}
