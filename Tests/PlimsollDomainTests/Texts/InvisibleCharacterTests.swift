import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct InvisibleCharacterTests {
    @Test(arguments: [
        "Up\u{200B}date", "Update\u{2060}", "\u{FEFF}Update", "Up\u{AD}date", "Update\u{200D}",
        "Up\u{200C}date", "A\u{3164}B", "a\u{115F}b", "a\u{E0061}", "a\u{FE0F}", "a\u{2800}b",
        "👍\u{200D}", "ab\u{34F}", "x\u{180B}y", "🏴\u{E007F}", "🏴\u{E0067}\u{E0062}",
        "\u{FFF9}a", "สวัสดี\u{200B}a",
    ])
    func `what nobody sees and nothing needs is found in a text`(_ text: String) throws {
        let fault = try #require(TextFault.invisible(in: text))
        #expect(fault.sentence.contains("invisible character U+"))
        #expect(TextFault.invisible(inName: text) != nil)
    }

    @Test(arguments: [
        "Update now.", "می\u{200C}خواهم", "क्\u{200D}ष", "👨\u{200D}👩\u{200D}👧", "❤\u{FE0F}\u{200D}🔥",
        "1\u{FE0F}\u{20E3}", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "葛\u{E0100}", "ខ្ញុំ\u{200B}ស្រឡាញ់", "ᠮᠣᠩᠭᠣᠯ\u{180E}ᠠ", "עברית\u{200F}", "مرحبا\u{61C}", "日本語",
        "naïve",
        "Zeile\nzwei",
    ])
    func `what a script or an emoji needs is not`(_ text: String) {
        #expect(TextFault.invisible(in: text) == nil)
    }

    private func saying(_ words: String) throws -> ProposeChange {
        try propose(
            [
                Operation(.ios, .recommendedApp, .setValue(dotted("3.2.0"))),
                Operation(.ios, .recommendedApp, .setText(.title, tag("en"), text("Update"))),
                Operation(.ios, .recommendedApp, .setText(.description, tag("en"), text(words))),
            ],
            base: .start
        )
    }

    @Test func `a text with such a character is refused by name, and old logs keep theirs`() throws
    {
        let words = "Up\u{200B}date"
        let given = try Given.harbourApp()
        let fault = TextFault.invisible(0x200B)
        let refusal = Objection.invisibleCharacter(fault, at: "/operations/2/text")
        try given.when(saying(words), refusedBy: refusal)
        #expect(refusal.pointer == "/operations/2/text")
        #expect(throws: Never.self) {
            _ = try saying(words).decide(in: given.logState.deciding(by: .original), at: testNow)
        }
    }

    @Test func `what is live already may stand elsewhere too`() throws {
        let old = try text("Up\u{200B}date")
        let given = try Given.harbourApp().when(
            .system,
            (.app(harbour), .app(.textSet(.android, .minimumApp, .description, tag("en"), old)))
        )
        _ = try given.when(saying(old.text))
    }
}
