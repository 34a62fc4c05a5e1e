import PlimsollDocuments
import PlimsollDomain
import Testing

@Suite struct SignatureDateTests {
    @Test(
        arguments: [
            (1_596_495_575_000, "Mon, 03 Aug 2020 22:59:35 UTC"),
            (1_596_495_575_999, "Mon, 03 Aug 2020 22:59:35 UTC"),
            (0, "Thu, 01 Jan 1970 00:00:00 UTC"), (-1, "Wed, 31 Dec 1969 23:59:59 UTC"),
            (1_709_164_800_000, "Thu, 29 Feb 2024 00:00:00 UTC"),
            (1_709_251_199_000, "Thu, 29 Feb 2024 23:59:59 UTC"),
            (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 UTC"),
            (4_107_542_400_000, "Mon, 01 Mar 2100 00:00:00 UTC"),
            (1_798_761_599_000, "Thu, 31 Dec 2026 23:59:59 UTC"),
        ] as [(Int64, String)]
    )
    func `an instant is written as phones have always seen it`(instant: Int64, text: String) {
        #expect(SignatureDate(Instant(millisecondsSince1970: instant)).text == text)
    }

    @Test(arguments: ["Mon, 03 Aug 2020 22:59:35 GMT", "x", "1999"])
    func `any text for a header will do, as it does for phones`(text: String) {
        #expect(SignatureDate(text)?.text == text)
    }

    @Test(arguments: [
        "", " x", "x ", "a\nb", "a\rb", "a\tb", "é", "\u{7F}", String(repeating: "x", count: 65),
    ])
    func `what cannot stand in a header is refused`(text: String) {
        #expect(SignatureDate(text) == nil)
    }
}
