/// The name of a published file, which is the last segment of its address.
///
/// Lower-case letters, digits, `-`, `_` and `.`, 1 to 100 of them, not beginning with a dot; and
/// not the name of the manifest, so a file can be joined to a folder without a further look.
package struct FileName: Hashable, Comparable, Sendable {
    package let text: String

    package static let grammar =
        "1 to 100 lower-case letters, digits, hyphens, underscores or inner dots"

    package init?(_ text: String) {
        let bytes = text.utf8
        guard
            (1...100).contains(bytes.count), bytes.first != UInt8(ascii: "."),
            bytes.allSatisfy(Self.isAllowed), !text.hasPrefix(Manifest.fileName)
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    package static func < (left: FileName, right: FileName) -> Bool { left.text < right.text }
}

extension FileName: CustomStringConvertible {
    package var description: String { text }
}
