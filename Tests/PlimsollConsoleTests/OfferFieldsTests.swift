import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What pages show of offers to whoever decides on them.
@Suite struct OfferFieldsTests {
    private static let field = Field.offers(of: .ios)
    private let names = Names([alice: "Alice", bob: "Bob"])

    private func offers(handingOn value: String) throws -> FieldValue {
        let name = try #require(MetadataName("required.title.en"))
        return .offers([Offer(metadata: [name: OfferValue(try text(value))])])
    }

    /// The page of a change that makes one value of another.
    private func page(_ before: FieldValue, _ after: FieldValue) async throws -> String {
        let change = ChangeAnswer(
            summary: ChangeSummary(
                id: change(7),
                app: harbour,
                title: try Title(validating: "Say it better"),
                author: alice,
                state: .proposed,
                base: Position(1),
                proposedAt: testNow,
                position: Position(2)
            ),
            reason: nil,
            operations: [],
            effect: [FieldChange(field: Self.field, before: before, after: after)],
            digest: nil,
            outcome: ChangeOutcome()
        )
        let names = names
        return try await shown { visit in
            var page = Page("change", "7")
            page.fields = visit.contents(of: change, [:], names)
            return page
        }
    }

    @Test func `where metadata alone changes, the page shows what was and what will be`()
        async throws
    {
        let html = try await page(offers(handingOn: "Old"), offers(handingOn: "New"))
        #expect(html.contains("required.title.en = <del>Old</del>"))
        #expect(html.contains("required.title.en = <ins>New</ins>"))
        let english = Language.all[0]
        let rewritten = english("edit.rewritten", ["field": Self.field.longName(english)])
        #expect(html.contains(rewritten) && !html.contains("1 → 1"))
    }

    @Test func `what is handed on is no markup`() async throws {
        let html = try await page(offers(handingOn: "Old"), offers(handingOn: "<script>x</script>"))
        #expect(!html.contains("<script>x"))
        #expect(html.contains("&lt;"))
    }

    @Test(arguments: ["\n", "\u{2028}"])
    func `no line of a value passes for another name`(lineBreak: String) throws {
        let value = try offers(handingOn: "x\(lineBreak)  other = y")
        #expect(
            value.shown == """
                for everybody: told once, with 1 of metadata
                  required.title.en = x
                      other = y
                """
        )
    }

    @Test func `a conflict shows what is handed on at the base and live`() async throws {
        let conflict = FieldConflict(
            field: Self.field,
            base: try offers(handingOn: "Old"),
            live: try offers(handingOn: "New"),
            write: FieldWrite(position: Position(9), actor: bob, recordedAt: testNow)
        )
        let names = names
        let html = try await shown { visit in
            let choice = visit.choice(of: conflict, names)
            return Page("propose", "Propose", ["hasConflicts": true, "conflicts": [choice]])
        }
        #expect(html.contains("required.title.en = Old</b>"))
        #expect(html.contains("required.title.en = New</b>"))
    }
}
