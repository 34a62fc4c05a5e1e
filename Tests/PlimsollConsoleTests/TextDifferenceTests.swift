import Testing

@testable import PlimsollConsole

/// What is different between two texts.
@Suite struct TextDifferenceTests {
    private func difference(_ before: String, _ after: String) -> TextDifference {
        var steps = Int.max
        return TextDifference(from: before, to: after, within: &steps)
    }

    private func told(_ before: String, _ after: String) -> String {
        difference(before, after).parts.map { part in
            switch part.kind {
            case .same: part.text
            case .removed: "[-\(part.text)-]"
            case .added: "{+\(part.text)+}"
            }
        }.joined()
    }

    @Test(arguments: [
        ("", "", ""), ("a", "a", "a"), ("", "new", "{+new+}"), ("old", "", "[-old-]"),
        ("Get 3.1 now", "Get 3.2 now", "Get 3.[-1-]{+2+} now"),
        ("one two", "one and two", "one {+and +}two"),
        ("שלום עולם", "שלום לך עולם", "שלום {+לך +}עולם"), ("x", "y", "[-x-]{+y+}"),
    ])
    func `words that are the same stay`(before: String, after: String, told: String) {
        #expect(self.told(before, after) == told)
    }

    // Goal: each side is exactly what stood there, whatever the texts are.
    @Test func `the sides add up to the texts`() {
        let words = ["a", "b", " ", "ab", "é", "e\u{301}", "👩‍👩‍👧", "\n", "3", ".", "ש"]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                    words.randomElement(using: &generator) ?? ""
                }.joined()
            }
            let difference = difference(texts[0], texts[1])
            #expect(difference.side(without: .added).map(\.text).joined() == texts[0])
            #expect(difference.side(without: .removed).map(\.text).joined() == texts[1])
        }
    }

    @Test func `texts too long to compare are shown whole`() {
        let (before, after) = (
            String(repeating: "a ", count: 2000), String(repeating: "b ", count: 2000)
        )
        #expect(difference(before, after).parts.map(\.text) == [before, after])
    }

    @Test func `a page has a number of steps for all of its texts`() {
        var steps = 5
        let first = TextDifference(from: "a b c", to: "a x c", within: &steps)
        #expect(first.parts.count == 4 && steps == 4)
        let second = TextDifference(from: "a b c", to: "x y z", within: &steps)
        #expect(second.parts.map(\.text) == ["a b c", "x y z"] && steps == 4)
    }
}
