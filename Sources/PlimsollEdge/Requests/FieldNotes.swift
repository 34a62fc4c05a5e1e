/// What the fields of one head have said so far, for the rules that need more than one of them.
struct FieldNotes {
    var count = 0
    var isOldVersion = false
    private var hostCount = 0
    private var contentLength: UInt64?
    private(set) var isChunked = false
    private var asksToClose = false
    private var expectsUnknown = false

    mutating func note(
        _ field: KnownField,
        _ bytes: Span<UInt8>,
        _ value: Range<Int>,
        in head: inout RequestHead
    ) throws(ParseInterruption) {
        switch field {
        case .acceptEncoding: head.encodings.read(bytes, value)
        case .authorization: head.authorizations.append(value)
        case .connection: noteConnection(bytes, value)
        case .contentLength: try noteContentLength(bytes, value)
        case .expect: noteExpectation(bytes, value, in: &head)
        case .host:
            try noteHost(bytes, value)
            head.host = value
        case .ifNoneMatch: head.conditions.append(value)
        case .ifRange: head.rangeConditions.append(value)
        case .range: head.ranges.append(value)
        case .transferEncoding: try noteTransferEncoding(bytes, value)
        }
    }

    /// The rules about fields that are there or not, or there together.
    func conclude(in head: inout RequestHead) throws(RequestRefusal) {
        guard hostCount == 1 || isOldVersion && hostCount == 0 else { throw .malformed }
        if isChunked {
            // The pair is how smuggled requests are made; HTTP/1.0 knows no codings.
            guard contentLength == nil, !isOldVersion else { throw .malformed }
        }
        if expectsUnknown, !isOldVersion { throw .expectationUnknown }
        head.bodyLength = contentLength ?? 0
        head.isChunked = isChunked
        head.isPersistent = !isOldVersion && !asksToClose
        if isOldVersion { head.expectsInvitation = false }
    }

    private mutating func noteHost(
        _ bytes: Span<UInt8>,
        _ value: Range<Int>
    ) throws(ParseInterruption) {
        hostCount += 1
        // RFC 9110, section 4.2.1: an `http` address without a host is not one.
        guard hostCount == 1, !value.isEmpty else { throw .refused(.malformed) }
        for index in value where !ByteClass.host.contains(bytes[index]) {
            throw .refused(.malformed)
        }
    }

    /// Even the same length twice is refused: who repeats it has something to hide.
    private mutating func noteContentLength(
        _ bytes: Span<UInt8>,
        _ value: Range<Int>
    ) throws(ParseInterruption) {
        guard contentLength == nil, (1...18).contains(value.count) else {
            throw .refused(.malformed)
        }
        var length: UInt64 = 0
        for index in value {
            guard bytes[index].isDigit else { throw .refused(.malformed) }
            length = length * 10 + UInt64(bytes[index] - 0x30)
        }
        contentLength = length
    }

    private mutating func noteTransferEncoding(
        _ bytes: Span<UInt8>,
        _ value: Range<Int>
    ) throws(ParseInterruption) {
        guard !isChunked, isToken(bytes, value), PackedName(bytes, value) == .chunked else {
            throw .refused(.malformed)
        }
        isChunked = true
    }

    private mutating func noteConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var option = PackedName()
        for index in value {
            switch bytes[index] {
            case .comma:
                asksToClose = asksToClose || option == .close
                option = PackedName()
            case let byte where !byte.isBlank:
                option.append(byte)
            default:
                break
            }
        }
        asksToClose = asksToClose || option == .close
    }

    private mutating func noteExpectation(
        _ bytes: Span<UInt8>,
        _ value: Range<Int>,
        in head: inout RequestHead
    ) {
        guard isToken(bytes, value), PackedName(bytes, value) == .hundredContinue else {
            expectsUnknown = true
            return
        }
        head.expectsInvitation = true
    }

    /// Only of tokens is it true that equal packed names are equal names.
    private func isToken(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        for index in value where !ByteClass.token.contains(bytes[index]) { return false }
        return true
    }
}

/// A set of ASCII characters, asked once for every byte of a request.
///
/// Two words instead of a table: nothing to initialise, nothing to load. The tests spell each
/// set out and hold the words against it.
struct ByteClass {
    private let low: UInt64
    private let high: UInt64

    /// `tchar` of RFC 9110, section 5.6.2.
    static var token: ByteClass {
        ByteClass(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// What may stand in a request target: RFC 3986's characters but `#`.
    static var target: ByteClass {
        ByteClass(low: 0xAFFF_FFF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFF)
    }

    /// What may stand in `uri-host [ ":" port ]`.
    static var host: ByteClass {
        ByteClass(low: 0x2FFF_7FF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE)
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word = byte & 0x40 == 0 ? low : high
        return byte < 0x80 && (word >> UInt64(byte & 0x3F)) & 1 == 1
    }
}

extension UInt8 {
    /// What may stand inside a field value: visible characters, blanks, bytes above ASCII.
    ///
    /// Everything else, line breaks and NUL above all, splits or smuggles requests.
    @inline(__always)
    var isFieldContent: Bool { self >= 0x20 && self != 0x7F || self == .tab }

    @inline(__always)
    var isBlank: Bool { self == .space || self == .tab }

    @inline(__always)
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    @inline(__always)
    var isHexDigit: Bool { isDigit || (self | 0x20) >= 0x61 && (self | 0x20) <= 0x66 }

    /// Of a byte that ``isHexDigit``: letters have the low bits of 1 to 6.
    var hexDigitValue: UInt8 { isDigit ? self & 0x0F : self & 0x0F + 9 }

    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var percent: UInt8 { 0x25 }
    static var asterisk: UInt8 { 0x2A }
    static var comma: UInt8 { 0x2C }
    static var slash: UInt8 { 0x2F }
    static var colon: UInt8 { 0x3A }
    static var dot: UInt8 { 0x2E }
    static var semicolon: UInt8 { 0x3B }
    static var equals: UInt8 { 0x3D }
}

/// A name without its letter case, as one number: the last sixteen bytes, and how many there were.
///
/// Field names and tokens are compared as numbers, so the parser makes no strings. Setting the
/// bit that tells small letters from capitals is exact here: of the characters a token may have,
/// it makes only letters equal that are the same letter.
struct PackedName: Equatable {
    private(set) var tail: UInt128 = 0
    private(set) var count = 0

    init() {}

    init(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        for index in range { append(bytes[index]) }
    }

    init(tail: UInt128, count: Int) {
        self.tail = tail
        self.count = count
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        tail = tail << 8 | UInt128(byte | 0x20)
        count += 1
    }
}

/// The header fields that decide an answer; all others are checked for form and skipped.
enum KnownField {
    case acceptEncoding, authorization, connection, contentLength, expect, host, ifNoneMatch
    case ifRange, range, transferEncoding

    @inline(__always)
    init?(_ name: PackedName, firstByte: UInt8) {
        switch name.tail {
        case 0x686F_7374: self = .host
        case 0x72_616E_6765: self = .range
        case 0x6578_7065_6374: self = .expect
        case 0x6966_2D72_616E_6765: self = .ifRange
        case 0x636F_6E6E_6563_7469_6F6E: self = .connection
        case 0x69_662D_6E6F_6E65_2D6D_6174_6368: self = .ifNoneMatch
        case 0x636F_6E74_656E_742D_6C65_6E67_7468: self = .contentLength
        case 0x61_6363_6570_742D_656E_636F_6469_6E67: self = .acceptEncoding
        case 0x61_7574_686F_7269_7A61_7469_6F6E: self = .authorization
        // Seventeen letters: the first no longer fits.
        case 0x7261_6E73_6665_722D_656E_636F_6469_6E67
        where name.count == 17 && firstByte | 0x20 == 0x74:
            self = .transferEncoding
        default: return nil
        }
    }
}

extension PackedName {
    static var close: PackedName { PackedName(tail: 0x63_6C6F_7365, count: 5) }
    static var chunked: PackedName { PackedName(tail: 0x63_6875_6E6B_6564, count: 7) }
    static var gzip: PackedName { PackedName(tail: 0x677A_6970, count: 4) }
    static var xGzip: PackedName { PackedName(tail: 0x782D_677A_6970, count: 6) }
    static var identity: PackedName { PackedName(tail: 0x6964_656E_7469_7479, count: 8) }
    static var any: PackedName { PackedName(tail: 0x2A, count: 1) }
    static var hundredContinue: PackedName {
        PackedName(tail: 0x3130_302D_636F_6E74_696E_7565, count: 12)
    }
}
