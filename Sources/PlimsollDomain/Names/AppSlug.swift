/// The name of an app in addresses and streams: `covid19`.
///
/// Lower-case letters, digits and inner hyphens, 1 to 63 of them, beginning with a letter;
/// `keys` and `log` are taken by the public addresses.
package struct AppSlug: Hashable, Comparable, Sendable {
    package let text: String

    package static let reserved: Set<String> = ["keys", "log"]
    package static let grammar =
        "1 to 63 lower-case letters, digits or inner hyphens, beginning with a letter"

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard
            (1...63).contains(bytes.count), !AppSlug.reserved.contains(text),
            let first = bytes.first, isLowercaseLetter(first), bytes.last != 0x2D,
            bytes.allSatisfy({ isLowercaseLetter($0) || isDigit($0) || $0 == 0x2D })
        else { return nil }
        self.text = text
    }

    package static func < (left: AppSlug, right: AppSlug) -> Bool { left.text < right.text }
}

extension AppSlug: CustomStringConvertible {
    package var description: String { text }
}
