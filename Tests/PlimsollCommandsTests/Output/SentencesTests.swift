import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

struct SentencesTests {
    private func field(_ path: String) throws -> Field { try #require(Field(path: path)) }

    private func version(_ text: String) throws -> FieldValue {
        .version(.dotted(try #require(AppleVersion(text))))
    }

    private func text(_ words: String) throws -> FieldValue {
        .text(try Text(validating: words))
    }

    @Test func `a value that changes is said with both ends`() throws {
        let field = try field("ios.minimumApp.value")
        let (old, new) = (try version("3.1.0"), try version("3.2.0"))
        #expect(
            FieldChange(field: field, before: old, after: new).sentence
                == "iOS minimum app 3.1.0 → 3.2.0"
        )
        #expect(
            FieldChange(field: field, before: nil, after: new).sentence
                == "iOS minimum app unset → 3.2.0"
        )
        #expect(
            FieldChange(field: field, before: old, after: nil).sentence
                == "iOS minimum app 3.1.0 → unset"
        )
    }

    @Test func `a text that changes is shown word for word`() throws {
        let change = FieldChange(
            field: try field("android.recommendedApp.title.en-GB"),
            before: try text("Old\n\nwords"),
            after: try text("New")
        )
        #expect(
            change.lines == [
                "Android recommended app title (en-GB) rewritten", "  - Old", "  -", "  - words",
                "  + New",
            ]
        )
    }

    @Test func `values are read before texts, and thresholds in the order of documents`() throws {
        let paths = [
            "android.minimumApp.value", "ios.minimumOS.value", "ios.minimumOS.description.en",
            "ios.minimumApp.value", "ios.minimumApp.title.en", "ios.recommendedApp.value",
        ]
        let fields = try paths.map(field)
        #expect(fields.reversed().sorted(by: Field.precedesInReading) == fields)
    }

    @Test func `control characters do not reach a terminal`() {
        #expect(legible("a\u{1B}[2Jb\u{202E}c") == "a\\u{1b}[2Jb\\u{202e}c")
        #expect(legible("failed\tIs it there?") == "failed Is it there?")
        #expect(legible("Grüße, 世界 👋🏽") == "Grüße, 世界 👋🏽")
    }

    @Test func `an excerpt is one line of bounded length`() {
        #expect(excerpt("One.\n\nTwo.") == "One. ⏎ Two.")
        #expect(excerpt(String(repeating: "x", count: 200), 10) == "xxxxxxxxx…")
        #expect(excerpt("exactly", 7) == "exactly")
        #expect(excerpt("") == "")
    }

    @Test func `the columns of a table are as wide as their widest cell`() {
        let table = Table(["A", "LONG"], [["wide cell", "x"], ["世界", ""]])
        #expect(table.lines(.plain) == ["A          LONG", "wide cell  x", "世界"])
        #expect(Table(["A"], []).lines(.plain) == ["A"])
    }

    @Test func `colours are only where they may be`() {
        #expect(Style.plain.bad("no") == "no")
        #expect(Style(hasColours: true).bad("no").hasPrefix("\u{1B}[31m"))
    }
}
