import Crypto

/// The SHA-256 of some bytes, written as 64 lower-case hexadecimal digits.
package struct ContentDigest: Hashable, Sendable {
    package let hex: String

    package init(of bytes: [UInt8]) {
        hex = SHA256.hash(data: bytes).map {
            ($0 < 16 ? "0" : "") + String($0, radix: 16)
        }.joined()
    }

    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isHexDigit) else { return nil }
        self.hex = hex
    }
}

extension ContentDigest: CustomStringConvertible {
    package var description: String { hex }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
}
