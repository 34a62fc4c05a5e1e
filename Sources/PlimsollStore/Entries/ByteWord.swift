/// Eight bytes looked at together, the first as the least significant.
///
/// In a sum or difference of words a byte may borrow from the ones behind it, so of the marks that
/// these functions make only the first can be relied on. That one is asked for.
struct ByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    private let bytes: UInt64

    init(_ bytes: UInt64) {
        self.bytes = bytes
    }

    /// How many bytes stand before the first that is not visible ASCII, or is a quote or a
    /// backslash; 8 if there is none.
    var countBeforeNameEnd: Int {
        first(marks(below: 0x21) | marks(of: 0x22) | marks(of: 0x5C) | marks(of: 0x7F) | nonASCII)
    }

    /// How many bytes stand before the first quote, backslash or control; 8 if there is none.
    var countBeforeStringEnd: Int {
        first(marks(below: 0x20) | marks(of: 0x22) | marks(of: 0x5C))
    }

    /// The number that eight lower-case hexadecimal digits write, or `nil`.
    var hexadecimal: UInt64? {
        let letters = bytes >> 6 & Self.ones
        let values = (bytes & (Self.ones &* 0x0F)) &+ letters &* 9
        let areLetters = (values &+ Self.ones &* 0x76) & Self.highs
        let written = values &+ Self.ones &* 0x30 &+ (areLetters >> 7) &* 0x27
        guard written == bytes, values & (Self.ones &* 0xF0) == 0 else { return nil }
        var number = values.byteSwapped
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
    }

    private var nonASCII: UInt64 { bytes & Self.highs }

    private func marks(below limit: UInt64) -> UInt64 {
        (bytes &- Self.ones &* limit) & ~bytes & Self.highs
    }

    private func marks(of byte: UInt64) -> UInt64 {
        let differences = bytes ^ (Self.ones &* byte)
        return (differences &- Self.ones) & ~differences & Self.highs
    }

    private func first(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}
