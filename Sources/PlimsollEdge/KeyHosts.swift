package import PlimsollDomain
import PlimsollSystem

/// The addresses of a host that has documents of its own.
struct HostIndex: Sendable {
    private let name: [UInt8]
    let index: PathIndex

    init(_ name: String, _ index: PathIndex) {
        self.name = Array(name.utf8)
        self.index = index
    }

    /// Whether a request's host is this one; letter case, a last dot and port are no matter.
    func isNamed(by host: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard host.count >= name.count else { return false }
        for (place, byte) in name.enumerated()
        where Self.small(bytes[host.lowerBound + place]) != byte {
            return false
        }
        var end = host.lowerBound + name.count
        if end < host.upperBound, bytes[end] == .dot { end += 1 }
        return end == host.upperBound || bytes[end] == .colon
    }

    /// Whether a request's host is this one, or lies under it.
    func covers(_ host: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var end = host.lowerBound
        while end < host.upperBound, bytes[end] != .colon { end += 1 }
        if end > host.lowerBound, bytes[end - 1] == .dot { end -= 1 }
        let start = end - name.count
        guard start == host.lowerBound || start > host.lowerBound && bytes[start - 1] == .dot
        else { return false }
        for (place, byte) in name.enumerated() where Self.small(bytes[start + place]) != byte {
            return false
        }
        return true
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

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
