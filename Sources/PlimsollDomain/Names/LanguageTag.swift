/// A well-formed BCP 47 language tag such as `en-GB`, in its recommended letter case.
///
/// Two tags that differ only in case are one tag, because phones fold the case and a document
/// must not hold both. Whether the subtags are registered is not checked (RFC 5646, 2.2.9).
package struct LanguageTag: Codable, Comparable, TextName {
    package let text: String

    package static let grammar = "a BCP 47 language tag such as en, en-GB or zh-Hant"

    package init?(_ text: String) {
        guard text.utf8.count <= 35 else { return nil }
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard isWellFormed(subtags.map { Array($0.utf8) }) else { return nil }
        self.text = recommendedCase(subtags)
    }

    /// The first subtag: `en` of `en-GB`.
    package var language: String {
        String(text.prefix { $0 != "-" })
    }
}

/// Follows the `langtag` production of RFC 5646, 2.1, from left to right.
private func isWellFormed(_ subtags: [[UInt8]]) -> Bool {
    var rest = subtags[...]
    guard let language = rest.popFirst(), language.allSatisfy(isLetter) else { return false }
    guard (2...8).contains(language.count) else { return false }
    if language.count <= 3 {
        for _ in 0..<3 where rest.first.map({ $0.count == 3 && $0.allSatisfy(isLetter) }) == true {
            rest.removeFirst()
        }
    }
    if let script = rest.first, script.count == 4, script.allSatisfy(isLetter) {
        rest.removeFirst()
    }
    if let region = rest.first, isRegion(region) { rest.removeFirst() }
    var variants: Set<[UInt8]> = []
    while let variant = rest.first, isVariant(variant) {
        guard variants.insert(variant.map { $0 | 0x20 }).inserted else { return false }
        rest.removeFirst()
    }
    return areExtensions(rest)
}

private func isRegion(_ subtag: [UInt8]) -> Bool {
    subtag.count == 2 && subtag.allSatisfy(isLetter)
        || subtag.count == 3 && subtag.allSatisfy(isDigit)
}

private func isVariant(_ subtag: [UInt8]) -> Bool {
    guard subtag.allSatisfy({ isLetter($0) || isDigit($0) }) else { return false }
    return (5...8).contains(subtag.count)
        || subtag.count == 4 && subtag.first.map(isDigit) == true
}

/// Singletons with what they introduce, each once; `x` takes all that follows.
private func areExtensions(_ subtags: ArraySlice<[UInt8]>) -> Bool {
    var rest = subtags
    var singletons: Set<UInt8> = []
    while let singleton = rest.popFirst() {
        guard
            singleton.count == 1, let byte = singleton.first, isLetter(byte) || isDigit(byte),
            singletons.insert(byte | 0x20).inserted
        else { return false }
        let isPrivate = byte | 0x20 == 0x78
        let shortest = isPrivate ? 1 : 2
        var count = 0
        while let subtag = rest.first, (shortest...8).contains(subtag.count) {
            guard subtag.allSatisfy({ isLetter($0) || isDigit($0) }) else { return false }
            rest.removeFirst()
            count += 1
        }
        guard count > 0 else { return false }
        if isPrivate { return rest.isEmpty }
    }
    return true
}

/// RFC 5646, 2.1.1: two letters in upper case, four in title case, unless they begin the tag or
/// stand behind a singleton; all the rest in lower case.
private func recommendedCase(_ subtags: [Substring]) -> String {
    var isBehindSingleton = false
    let written = subtags.enumerated().map { index, subtag in
        if subtag.utf8.count == 1 { isBehindSingleton = true }
        if index == 0 || isBehindSingleton { return subtag.lowercased() }
        return switch subtag.utf8.count {
        case 2: subtag.uppercased()
        case 4: subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased()
        default: subtag.lowercased()
        }
    }
    return written.joined(separator: "-")
}

// What a byte of a name may be, in ASCII and nothing else.

func isLowercaseLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
func isLetter(_ byte: UInt8) -> Bool { isLowercaseLetter(byte | 0x20) }
func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte) }

/// A hexadecimal digit, in small letters or capitals.
func isAnyHexDigit(_ byte: UInt8) -> Bool {
    isHexDigit(byte) || (0x41...0x46).contains(byte)
}
