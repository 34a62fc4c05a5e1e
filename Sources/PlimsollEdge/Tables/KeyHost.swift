package import PlimsollDomain

/// A host name whose documents carry the signatures of one key.
///
/// It is for phones that know only that key and cannot ask at another path: where the host is
/// theirs, they never meet a signature that they cannot check.
package struct KeyHost: Equatable, Sendable {
    /// In small letters, without a port.
    package let name: String
    package let key: KeyID

    package static let grammar =
        "a host name and the id of a key such as"
        + " k2.config.example.com=3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"

    package init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard
            parts.count == 2, (1...253).contains(parts[0].utf8.count),
            parts[0].utf8.allSatisfy(Self.isAllowed), let key = KeyID(String(parts[1]))
        else { return nil }
        name = parts[0].lowercased()
        self.key = key
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
