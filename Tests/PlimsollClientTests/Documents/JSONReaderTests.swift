import Foundation
import Testing

@testable import PlimsollClient

@Suite struct JSONReaderTests {
    private func read(_ value: String) throws -> JSONValue? {
        try JSONReader.object(in: Data("{\"a\":\(value)}".utf8))["a"]
    }

    @Test func `every kind of value is read`() throws {
        #expect(try read("\"text\"") == .string("text"))
        #expect(try read("-42") == .integer(-42))
        #expect(try read("3.14") == .number(3.14))
        #expect(try read("1e3") == .number(1000))
        #expect(try read("true") == .bool(true))
        #expect(try read("false") == .bool(false))
        #expect(try read("null") == .null)
        #expect(try read(" [ 1 , [ ] ] ") == .array([.integer(1), .array([])]))
        #expect(try read("{}") == .object(JSONObject(members: [])))
        #expect(try read("9223372036854775808") == .number(9_223_372_036_854_775_808))
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9x""#, "éx"),
        (#""\uD83D\uDEA2!""#, "🚢!"), ("\"عربي ü\"", "عربي ü"), (#""a\u0041b""#, "aAb"),
        ("\"\"", ""),
    ])
    func `texts are read with their escapes`(_ written: String, _ text: String) throws {
        #expect(try read(written) == .string(text))
    }

    @Test(arguments: [
        "", "1,", "01", "+1", "1.", ".5", "1e", "--1", "tru", "nul", "NaN", "'a'", "\"a", "\"\\x\"",
        "\"\\u12\"", "\"\\uD83D\"", "\"\\uD83Dx\"", "\"\\uD83D\\u0041\"", "\"\\uDEA2\"",
        "\"\u{1}\"",
        "\"\\n\u{2}\"", "[1", "[1,]", "[1 2]", "{\"b\"}", "{\"b\":1,}", "{b:1}",
        "{\"b\":1,\"b\":1}",
        "1}x", "1e999",
    ])
    func `anything else is refused`(_ written: String) {
        #expect(throws: JSONFault.self) { try read(written) }
    }

    // As many as the largest body has; to compare each with each would take minutes.
    @Test(.timeLimit(.minutes(1)))
    func `of very many names none stands twice`() throws {
        let names = (0..<400_000).map { "\"\($0)\":0" }
        let all = names.joined(separator: ",")
        #expect(try JSONReader.object(in: Data("{\(all)}".utf8))["399999"] == .integer(0))
        for twin in [names[0], names[31], names[32], names[399_999]] {
            #expect(throws: JSONFault.self) {
                try JSONReader.object(in: Data("{\(all),\(twin)}".utf8))
            }
        }
    }

    @Test func `other encodings, other tops and great depth are refused`() {
        for bytes in [
            [0xFF], [0x7B, 0x22, 0xC3, 0x22, 0x3A, 0x31, 0x7D], [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], [],
        ]
            as [[UInt8]]
        {
            #expect(throws: JSONFault.self) { try JSONReader.object(in: Data(bytes)) }
        }
        #expect(throws: JSONFault.self) { try JSONReader.object(in: Data("[]".utf8)) }
        let deep = String(repeating: "[", count: 10_000)
        #expect(throws: JSONFault.self) { try read(deep) }
    }
}

@Suite struct DateReadingTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-21T10:22:06.714Z", 1_795_256_526.714),
        ("2024-02-29T23:59:59.5Z", 1_709_251_199.5), ("2000-03-01T00:00:00Z", 951_868_800),
        ("1969-12-31T23:59:59Z", -1),
    ])
    func `a time in UTC is read`(_ text: String, _ seconds: Double) throws {
        let date = try #require(Date(rfc3339: text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_5)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T10:22:06", "2026-11-21T10:22:06+01:00",
        "2026-11-21 10:22:06Z", "2026-13-21T10:22:06Z", "2026-11-21T24:22:06Z",
        "2026-11-21T10:22:06.Z", "2026-11-21T10:22:06,7Z", "20x6-11-21T10:22:06Z",
        "2026-00-21T10:22:06Z", "2026-11-00T10:22:06Z", "2026-11-21T10:60:06Z",
        "2026-11-21T10:22:06.0000000000000000000000Z",
    ])
    func `anything else is no time`(_ text: String) {
        #expect(Date(rfc3339: text) == nil)
    }
}
