/// What a key that signs notes is called; a log's key is called as its origin.
///
/// Two names are equal only if all their bytes are.
package struct KeyName: Hashable, Sendable {
    private let exact: ExactText

    /// Takes a name; it is not empty and has no spaces, no plus sign and no control characters.
    package init?(_ text: String) {
        guard !text.isEmpty, text.unicodeScalars.allSatisfy(Self.isAllowed) else { return nil }
        exact = ExactText(text)
    }

    package var text: String { exact.text }

    var bytes: [UInt8] { exact.bytes }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar != "+" && !scalar.properties.isWhitespace
    }
}

extension KeyName: CustomStringConvertible {
    package var description: String { text }
}
