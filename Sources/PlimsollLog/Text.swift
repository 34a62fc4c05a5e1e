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

/// Whole numbers as the formats of transparency logs write them: no sign, no leading zero.
enum Decimal {
    static func parse(_ text: some Collection<UInt8>) -> Int? {
        guard let first = text.first, first != UInt8(ascii: "0") || text.count == 1 else {
            return nil
        }
        return digits(text)
    }

    /// Takes leading zeros as well, which paths of tiles have.
    static func digits(_ text: some Collection<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for letter in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(Int(letter - UInt8(ascii: "0")))
            guard !isTooLarge, !isOver else { return nil }
            number = sum
        }
        return number
    }
}

/// A text that is compared byte by byte, as signatures and addresses compare it.
///
/// Swift takes two spellings of one accented letter for equal; to a hash they are strangers.
struct ExactText: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Takes a text apart line by line; a line ends with a newline, always.
struct LineReader {
    private(set) var rest: ArraySlice<UInt8>

    static let newline = UInt8(ascii: "\n")

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// The next line without its newline; `nil` where none ends any more.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: Self.newline) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// What follows a word and one space on the next line, if that is how it begins.
    mutating func next(after word: String) -> ArraySlice<UInt8>? {
        var ahead = self
        let beginning = Array("\(word) ".utf8)
        guard let line = ahead.next(), line.starts(with: beginning) else { return nil }
        self = ahead
        return line.dropFirst(beginning.count)
    }

    /// Every line up to a blank one, which is taken too; `nil` if none comes or there are too many.
    mutating func linesUntilBlank(maximum: Int) -> [ArraySlice<UInt8>]? {
        var lines: [ArraySlice<UInt8>] = []
        while let line = next() {
            if line.isEmpty { return lines }
            guard lines.count < maximum else { return nil }
            lines.append(line)
        }
        return nil
    }
}
