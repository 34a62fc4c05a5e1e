import PlimsollDomain
import Testing

@Suite struct TextTests {
    @Test func `a text is kept in Normalization Form C`() throws {
        let text = try Text(validating: "e\u{301}tape")
        #expect(Array(text.text.utf8) == Array("\u{e9}tape".utf8))
    }

    @Test func `line feeds, right-to-left scripts and 4000 characters are fine`() throws {
        _ = try Text(validating: "One.\n\nTwo.")
        _ = try Text(validating: "يلزم تحديث التطبيق")
        let good = [
            "ÿ", "Grüße aus Zürich: ça va ?", "\u{a0}x", "\u{2ff}", "Łódź\n", "\u{1F6A2}\u{fe0f}",
        ]
        for good in good {
            #expect(try Text(validating: good).text == good)
        }
        _ = try Text(validating: String(repeating: "ü", count: 4000))
        _ = try Text(validating: String(repeating: "\u{1F6A2}", count: 4000))
    }

    @Test(arguments: [
        ("", TextFault.empty), (" \n ", .empty), ("\u{a0}", .empty),
        ("\u{200b}", .empty), ("\u{feff}\u{ad}", .empty), ("\u{3164} \u{2800}", .empty),
        ("\u{e0041}\u{fe0f}", .empty),
        ("a\u{7}b", .controlCharacter(7)), ("a\r\nb", .controlCharacter(13)),
        ("a\tb", .controlCharacter(9)), ("\u{85}", .controlCharacter(0x85)),
        ("a\u{0}", .controlCharacter(0)), ("a\u{9f}", .controlCharacter(0x9F)),
        ("a\u{80}", .controlCharacter(0x80)), ("\u{7f}a", .controlCharacter(0x7F)),
        ("\u{202E}abc", .bidirectionalControl(0x202E)),
        ("a\u{2066}b\u{2069}", .bidirectionalControl(0x2066)),
    ])
    func `a bad text is refused by name`(_ text: String, _ fault: TextFault) {
        #expect(throws: fault) { try Text(validating: text) }
    }

    @Test(arguments: [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] as [UInt32])
    func `what is no character is refused`(_ value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(throws: TextFault.noncharacter(value)) {
            try Text(validating: "a\(Character(scalar))")
        }
    }

    @Test func `a long text is refused even where it is one character`() {
        let zalgo = "e" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(throws: TextFault.self) { try Text(validating: zalgo) }
        #expect(throws: TextFault.tooLong(scalars: 4001, maximum: 4000)) {
            try Text(validating: String(repeating: "a", count: 4001))
        }
    }

    @Test func `a title is one line`() throws {
        for line in ["\n", "\u{2028}", "\u{2029}"] {
            #expect(throws: TextFault.lineBreak) { try Title(validating: "one\(line)two") }
        }
        _ = try Title(validating: "Raise the iOS minimum")
    }
}
