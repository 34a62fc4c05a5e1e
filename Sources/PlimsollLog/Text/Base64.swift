/// Base64 of RFC 4648, 4: the standard alphabet with padding, and one spelling only.
///
/// Reading refuses what lenient readers accept, blanks, missing padding and stray bits, so that
/// two texts are never the same proof or signature.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= 8 * UInt32(3 - group.count)
            for letter in 0...group.count {
                text.append(alphabet[Int(bits >> (18 - 6 * UInt32(letter)) & 0x3F)])
            }
            text.append(contentsOf: repeatElement(padding, count: 3 - group.count))
        }
        return text
    }

    /// The bytes, or `nil` if the text is not exactly how they are encoded.
    static func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let letters = text.suffix(2).reversed().prefix { $0 == padding }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, width): (UInt32, UInt32) = (0, 0)
        for letter in text.dropLast(letters) {
            guard let value = values[Int(letter)] else { return nil }
            bits = bits << 6 | UInt32(value)
            width += 6
            guard width >= 8 else { continue }
            width -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> width))
            bits &= 1 << width - 1
        }
        return bits == 0 ? bytes : nil
    }
}
