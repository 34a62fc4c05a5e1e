import PlimsollSystem

/// The path of a request target, wherever the target has one (RFC 9112, section 3.2).
enum RequestTarget {
    /// Nothing is decoded and nothing tidied up: `//`, `..` and `%2e` name no document of ours,
    /// so there is nothing they could be a second name for.
    static func path(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>,
        method: RequestHead.Method
    ) throws(RequestRefusal) -> Range<Int> {
        try checkEscapes(bytes, target)
        if bytes[target.lowerBound] == .slash { return target }
        switch method {
        case .get, .head: return try absolutePath(bytes, target)
        // `OPTIONS *` and `CONNECT host:443` are well-formed; 405 is for somebody else to say.
        case .other: return target
        case .post: return (try? absolutePath(bytes, target)) ?? target
        }
    }

    /// The host that an absolute target names, which was well-formed.
    static func host(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>,
        before path: Range<Int>
    ) -> Range<Int>? {
        guard path.lowerBound > target.lowerBound else { return nil }
        var index = target.lowerBound
        while bytes[index] != .colon { index += 1 }
        return index + 3..<path.lowerBound
    }

    private static func checkEscapes(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>
    ) throws(RequestRefusal) {
        for index in target where bytes[index] == .percent {
            guard
                index + 2 < target.upperBound, bytes[index + 1].isHexDigit,
                bytes[index + 2].isHexDigit
            else { throw .malformed }
        }
    }

    /// `http://host/path`: servers must accept the form although only proxies are sent it.
    private static func absolutePath(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>
    ) throws(RequestRefusal) -> Range<Int> {
        var index = target.lowerBound
        var scheme = PackedName()
        while index < target.upperBound, bytes[index] != .colon {
            scheme.append(bytes[index])
            index += 1
        }
        guard
            scheme == PackedName("http") || scheme == PackedName("https"),
            index + 3 < target.upperBound, bytes[index + 1] == .slash, bytes[index + 2] == .slash
        else { throw .malformed }
        index += 3
        let authority = index
        while index < target.upperBound, bytes[index] != .slash {
            guard ByteClass.host.contains(bytes[index]) else { throw .malformed }
            index += 1
        }
        guard index > authority else { throw .malformed }
        return index..<target.upperBound
    }
}

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

/// `If-None-Match` (RFC 9110, section 13.1.2), held against the tags of one document.
enum EntityTagCondition {
    /// Whether the value names the document: by `*`, or by a list with one of its tags in it.
    ///
    /// Tags compare weakly, as the RFC says for this field, and the tag of either encoding will
    /// do: the content is the same. A value that cannot be read matches nothing, so the client
    /// gets the whole document.
    static func matches(_ bytes: Span<UInt8>, _ value: Range<Int>, tag: EntityTag) -> Bool {
        if value.count == 1, bytes[value.lowerBound] == .asterisk { return true }
        var index = value.lowerBound
        while index < value.upperBound {
            if bytes[index].isBlank || bytes[index] == .comma {
                index += 1
                continue
            }
            if index + 1 < value.upperBound, bytes[index] == 0x57, bytes[index + 1] == .slash {
                index += 2
            }
            guard let opaque = quoted(bytes, index..<value.upperBound) else { return false }
            index = opaque.upperBound + 1
            while index < value.upperBound, bytes[index].isBlank { index += 1 }
            guard index == value.upperBound || bytes[index] == .comma else { return false }
            if tag.isNamed(bytes, opaque) { return true }
        }
        return false
    }

    /// What stands between the quotes that the range begins with.
    private static func quoted(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        guard !range.isEmpty, bytes[range.lowerBound] == .quote else { return nil }
        var index = range.lowerBound + 1
        while index < range.upperBound {
            if bytes[index] == .quote { return range.lowerBound + 1..<index }
            guard bytes[index] > 0x20 else { return nil }
            index += 1
        }
        return nil
    }
}

extension Span<UInt8> {
    /// What comes in a path behind a prefix; `nil` where it begins otherwise or is longer.
    func text(of path: Range<Int>, behind prefix: [UInt8], upTo pathMaximum: Int) -> String? {
        guard (prefix.count...pathMaximum).contains(path.count) else { return nil }
        for (place, byte) in prefix.enumerated() where self[path.lowerBound + place] != byte {
            return nil
        }
        let rest = Array(copying: extracting(path.dropFirst(prefix.count)))
        return String(decoding: rest, as: UTF8.self)
    }
}
