/// An address of the Internet, of version 4 or 6.
package struct IPAddress: Codable, Hashable, Sendable {
    /// Four or sixteen, the one that comes first on the wire first.
    package let bytes: [UInt8]

    /// Reads `192.0.2.1` and `2001:db8::1`; a part of an old address is a decimal number without
    /// leading zeros, because others read those as octal.
    package init?(_ text: String) {
        guard let bytes = text.contains(":") ? sixteenBytes(of: text) : fourBytes(of: text[...])
        else { return nil }
        self.bytes = bytes
    }

    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }
}

/// All addresses that begin with the same bits: `10.0.0.0/8`.
package struct IPNetwork: Hashable, Sendable {
    private let base: IPAddress
    private let bits: Int

    package static let grammar =
        "a network such as 10.1.0.0/16 or fd00:1::/32, with no bit set after"
        + " the ones that count"

    /// Reads an address and a number of bits; an address alone is a network of one.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, let base = IPAddress(first), parts.count <= 2 else {
            return nil
        }
        var bits = base.bytes.count * 8
        if parts.count == 2 {
            guard let number = Int(parts[1]), String(number) == parts[1],
                (0...bits).contains(number)
            else { return nil }
            bits = number
        }
        self.base = base
        self.bits = bits
        guard base.bytes.isZero(afterBits: bits) else { return nil }
    }

    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        return zip(address.bytes, base.bytes).map(^).isZero(upToBits: bits)
    }
}

extension [UInt8] {
    fileprivate func isZero(upToBits bits: Int) -> Bool {
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard prefix(whole).allSatisfy({ $0 == 0 }) else { return false }
        return rest == 0 || self[whole] >> (8 - rest) == 0
    }

    fileprivate func isZero(afterBits bits: Int) -> Bool {
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        let others = rest == 0 ? whole : whole + 1
        guard dropFirst(others).allSatisfy({ $0 == 0 }) else { return false }
        return rest == 0 || self[whole] & (0xFF >> rest) == 0
    }
}

private func fourBytes(of text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part -> UInt8? in
        guard let byte = UInt8(part), String(byte) == part else { return nil }
        return byte
    }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
}

/// RFC 4291, 2.2: eight groups, of which zeros may be left out once, and an old address in the
/// place of the last two.
private func sixteenBytes(of text: String) -> [UInt8]? {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard let first = halves.first, halves.count <= 2,
        let head = bytes(ofGroups: first, canEndInQuad: halves.count == 1)
    else { return nil }
    guard halves.count == 2 else { return head.count == 16 ? head : nil }
    guard let tail = bytes(ofGroups: halves[1], canEndInQuad: true), head.count + tail.count <= 14
    else { return nil }
    return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
}

private func bytes(ofGroups text: Substring, canEndInQuad: Bool) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, group) in groups.enumerated() {
        if canEndInQuad, index == groups.count - 1, let quad = fourBytes(of: group) {
            bytes += quad
            continue
        }
        guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy(isAnyHexDigit),
            let number = UInt16(group, radix: 16)
        else { return nil }
        bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    return bytes
}

extension IPAddress {
    /// As it is written: decimal numbers, or eight groups of hexadecimal digits.
    package var text: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { index in
            String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
        }.joined(separator: ":")
    }
}

extension IPAddress {
    /// What the address is for, unless it is one of those that anybody on the Internet can have.
    ///
    /// By the registries of special addresses (IANA, RFC 6890). Of version 6 only what was given out
    /// as global counts, so ways of writing an old address as a new one are reserved as well.
    package var reservation: String? {
        for (network, purpose) in reservations where network.contains(self) { return purpose }
        return bytes.count == 16 && !globalUnicast.contains(self) ? "a reserved address" : nil
    }
}

private let globalUnicast = network("2000::/3")

private let reservations: [(IPNetwork, String)] = [
    (network("0.0.0.0/8"), "an address of this machine"),
    (network("10.0.0.0/8"), "a private address"),
    (network("100.64.0.0/10"), "a private address of a provider (RFC 6598)"),
    (network("127.0.0.0/8"), "an address of this machine"),
    (network("169.254.0.0/16"), "a link-local address"),
    (network("172.16.0.0/12"), "a private address"),
    (network("192.0.0.0/24"), "a reserved address"),
    (network("192.0.2.0/24"), "an address for documentation"),
    (network("192.88.99.0/24"), "a reserved address"),
    (network("192.168.0.0/16"), "a private address"),
    (network("198.18.0.0/15"), "an address for measurements"),
    (network("198.51.100.0/24"), "an address for documentation"),
    (network("203.0.113.0/24"), "an address for documentation"),
    (network("224.0.0.0/4"), "a multicast address"),
    (network("240.0.0.0/4"), "a reserved address"),
    (network("::/128"), "an address of this machine"),
    (network("::1/128"), "an address of this machine"),
    (network("::ffff:0:0/96"), "an address of version 4 written as one of version 6"),
    (network("64:ff9b::/96"), "an address of version 4 written as one of version 6"),
    (network("2001::/23"), "a reserved address"),
    (network("2001:db8::/32"), "an address for documentation"),
    (network("2002::/16"), "an address of version 4 written as one of version 6"),
    (network("3fff::/20"), "an address for documentation"),
    (network("fc00::/7"), "a private address"),
    (network("fe80::/10"), "a link-local address"),
    (network("ff00::/8"), "a multicast address"),
]

private func network(_ text: String) -> IPNetwork {
    guard let network = IPNetwork(text) else {
        preconditionFailure("the networks of the table are written as networks")
    }
    return network
}
