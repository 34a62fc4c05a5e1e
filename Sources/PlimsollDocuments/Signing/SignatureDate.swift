package import PlimsollDomain

/// The text that stands before a document when it is signed: `Mon, 03 Aug 2020 22:59:35 UTC`.
///
/// To phones it is a salt: they accept any text that was signed with the document. Ours is the
/// one they have always seen, with `UTC` where HTTP would write `GMT`.
package struct SignatureDate: Hashable, Sendable {
    package let text: String

    private static let lengthMaximum = 64

    /// The second that the instant lies in.
    package init(_ instant: Instant) {
        text = "\(CivilTime(instant).mailText) UTC"
    }

    /// Takes any text that can stand in a header: printable ASCII, no blanks at its ends.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard
            (1...Self.lengthMaximum).contains(bytes.count),
            bytes.allSatisfy({ (0x20...0x7E).contains($0) }),
            bytes.first != 0x20, bytes.last != 0x20
        else { return nil }
        self.text = text
    }
}

extension SignatureDate: CustomStringConvertible {
    package var description: String { text }
}
