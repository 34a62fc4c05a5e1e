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
    case acceptEncoding, connection, contentLength, expect, host, ifNoneMatch, transferEncoding

    @inline(__always)
    init?(_ name: PackedName, firstByte: UInt8) {
        switch name.tail {
        case 0x686F_7374: self = .host
        case 0x6578_7065_6374: self = .expect
        case 0x636F_6E6E_6563_7469_6F6E: self = .connection
        case 0x69_662D_6E6F_6E65_2D6D_6174_6368: self = .ifNoneMatch
        case 0x636F_6E74_656E_742D_6C65_6E67_7468: self = .contentLength
        case 0x61_6363_6570_742D_656E_636F_6469_6E67: self = .acceptEncoding
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
