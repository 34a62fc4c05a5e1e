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

    private static func small(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
