import HTTPTypes
import PlimsollJSON

/// What hostile or careless callers put where something else belongs.
enum RawValues {
    /// Bytes as they stand in a body.
    struct Raw {
        let name: String
        let bytes: [UInt8]
        let status: HTTPResponse.Status
        /// Whether it begins with a whole value.
        var endsEarly: Bool { name == "0x10" }

        init(_ name: String, _ bytes: some Sequence<UInt8>, _ status: HTTPResponse.Status) {
            (self.name, self.bytes, self.status) = (name, Array(bytes), status)
        }

        fileprivate init(_ text: String, _ status: HTTPResponse.Status) {
            self.init(text, text.utf8, status)
        }
    }

    /// Of every type, and of every grammar another one; each is tried where it does not fit.
    static let values: [JSONValue] = [
        .null, true, 0, -1, 17, 2_147_483_648, .integer(.min), "", "1.2.3.4", "-1", "2147483648",
        "en_GB", "i-klingon-", "x", "Harbour", "../harbour", "e\u{301}", "\u{FF21}",
        "2026-02-30T00:00:00Z", "2026-11-21 08:00", .string(String(repeating: "a", count: 5000)),
        [], [[]], [.null], ["x"], [17], [:], ["x": 1],
    ]

    static let strings: [Raw] = [
        Raw(#""\ud800""#, .badRequest), Raw(#""\udc00\ud800""#, .badRequest),
        Raw(#""\ud83d\u0041""#, .badRequest), Raw(#""a\u0000b""#, .badRequest),
        Raw(#""\x""#, .badRequest), Raw(#""a\u0007b""#, .unprocessableContent),
        Raw(#""a\u009Fb""#, .unprocessableContent), Raw(#""a\u202Eb""#, .unprocessableContent),
        Raw(#""a\u2066b""#, .unprocessableContent), Raw(#"" \n\t ""#, .unprocessableContent),
        Raw("a raw control character", quoted([0x07]), .badRequest),
        Raw("a raw NUL", quoted([0x00]), .badRequest),
        Raw("a byte that UTF-8 never has", quoted([0xFF]), .badRequest),
        Raw("an overlong form", quoted([0xC0, 0xAF]), .badRequest),
        Raw("half a pair in UTF-8", quoted([0xED, 0xA0, 0x80]), .badRequest),
        Raw("a character cut off", quoted([0xC3]), .badRequest),
        Raw(
            "a hundred thousand characters",
            quoted(Array(repeating: 0x61, count: 100_000)),
            .unprocessableContent
        ),
    ]

    static let numbers: [Raw] = [
        Raw("1.5", .badRequest), Raw("1e3", .badRequest), Raw("-0", .badRequest),
        Raw("01", .badRequest), Raw("+1", .badRequest), Raw("0x10", .badRequest),
        Raw("NaN", .badRequest), Raw("9223372036854775808", .badRequest),
        Raw("1" + String(repeating: "0", count: 10_000), .badRequest),
    ]

    static let any: [Raw] = [
        Raw("undefined", .badRequest), Raw("'x'", .badRequest),
        Raw("ten thousand arrays", nested("[", "]"), .badRequest),
        Raw("ten thousand objects", nested("{\"a\":", "}"), .badRequest),
        Raw("ten thousand that never end", Array(repeating: 0x5B, count: 10_000), .badRequest),
    ]

    /// Instead of a whole body.
    static let documents: [Raw] = [
        Raw("{", .badRequest), Raw("{]", .badRequest), Raw("not JSON", .badRequest),
        Raw(#"{"a": 1,}"#, .badRequest), Raw(#"{"a" 1}"#, .badRequest),
        Raw(#"{"\ud800": 1}"#, .badRequest), Raw(" ", .badRequest),
    ]

    private static func nested(_ opening: String, _ closing: String) -> [UInt8] {
        let depth = 10_000
        return Array(repeating: Array(opening.utf8), count: depth).flatMap { $0 }
            + Array("1".utf8) + Array(repeating: Array(closing.utf8), count: depth).flatMap { $0 }
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
    }
}
