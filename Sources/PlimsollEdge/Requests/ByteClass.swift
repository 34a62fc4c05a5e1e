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
