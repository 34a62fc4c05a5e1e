/// Base64 with the alphabet for addresses and without padding (RFC 4648, 5).
extension [UInt8] {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    package var base64URL: String {
        var text: [UInt8] = []
        text.reserveCapacity(count * 4 / 3 + 3)
        text.appendBase64URL(self)
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` for a text that no bytes are written as.
    package init?(base64URL text: some StringProtocol) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var (rest, bits) = (UInt32(0), 0)
        for letter in text.utf8 {
            guard let value = Self.value(of: letter) else { return nil }
            (rest, bits) = (rest << 6 | value, bits + 6)
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(rest >> UInt32(bits)))
            rest &= 1 << UInt32(bits) - 1
        }
        guard bits < 6, rest == 0 else { return nil }
        self = bytes
    }

    package mutating func appendBase64URL(_ bytes: [UInt8]) {
        let alphabet = Self.alphabet
        append(addingCapacity: (bytes.count * 4 + 2) / 3) { text in
            var index = 0
            while index + 2 < bytes.count {
                let group =
                    Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                text.append(alphabet[group >> 18])
                text.append(alphabet[group >> 12 & 63])
                text.append(alphabet[group >> 6 & 63])
                text.append(alphabet[group & 63])
                index += 3
            }
            guard index < bytes.count else { return }
            let isPair = index + 1 < bytes.count
            let group = Int(bytes[index]) << 16 | (isPair ? Int(bytes[index + 1]) << 8 : 0)
            text.append(alphabet[group >> 18])
            text.append(alphabet[group >> 12 & 63])
            if isPair { text.append(alphabet[group >> 6 & 63]) }
        }
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case 0x41...0x5A: UInt32(letter) - 0x41
        case 0x61...0x7A: UInt32(letter) - 0x61 + 26
        case 0x30...0x39: UInt32(letter) - 0x30 + 52
        case 0x2D: 62
        case 0x5F: 63
        default: nil
        }
    }
}
