/// What a client says about content codings (RFC 9110, section 12.5.3), in thousandths.
struct AcceptedEncodings {
    private var gzip: Int?
    private var identity: Int?
    private var any: Int?

    /// Whether gzip is the answer the client likes at least as well as plain bytes.
    ///
    /// Plain bytes are always an answer, even for a client that excludes them: it gets a signed
    /// document rather than an error.
    var prefersGzip: Bool {
        let quality = gzip ?? any ?? 0
        return quality > 0 && quality >= identity ?? 0
    }

    /// Reads one field; a client may send several.
    mutating func read(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var index = value.lowerBound
        while index < value.upperBound {
            var coding = PackedName()
            while index < value.upperBound, ByteClass.token.contains(bytes[index]) {
                coding.append(bytes[index])
                index += 1
            }
            let parameters = index
            while index < value.upperBound, bytes[index] != .comma { index += 1 }
            note(coding, Self.quality(bytes, parameters..<index))
            index += 1
            while index < value.upperBound, bytes[index].isBlank { index += 1 }
        }
    }

    private mutating func note(_ coding: PackedName, _ quality: Int) {
        switch coding {
        case .gzip, .xGzip: gzip = quality
        case .identity: identity = quality
        case .any: any = quality
        default: break
        }
    }

    /// `;q=0.8`, blanks allowed around the semicolon; 0 for what cannot be read, since plain
    /// bytes never are the wrong answer.
    private static func quality(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var digits: [UInt8] = []
        var isParameter = false
        for index in range where !bytes[index].isBlank {
            if !isParameter {
                guard bytes[index] == .semicolon else { return 0 }
                isParameter = true
            } else {
                digits.append(bytes[index])
            }
        }
        return isParameter ? thousandths(digits) : 1000
    }

    /// `q=1`, `q=0`, `q=0.5`, up to three decimals.
    private static func thousandths(_ text: [UInt8]) -> Int {
        guard (3...7).contains(text.count), text[0] | 0x20 == 0x71, text[1] == .equals,
            text[2] == 0x30 || text[2] == 0x31, text.count == 3 || text[3] == 0x2E,
            text.dropFirst(4).allSatisfy(\.isDigit)
        else { return 0 }
        var value = Int(text[2] - 0x30) * 1000
        var weight = 100
        for digit in text.dropFirst(4) {
            value += Int(digit - 0x30) * weight
            weight /= 10
        }
        return value > 1000 ? 0 : value
    }
}
