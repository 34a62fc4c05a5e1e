import PlimsollDocuments
import PlimsollDomain
import Testing

/// What is said of a document beside another one.
@Suite struct PrinceNoteTests {
    private func export(last: String, on platform: Platform) -> PrinceExport {
        var document = Document(platform: platform)
        document.offers = [
            Offer(last: OfferVersion(written: last, on: platform))
        ]
        var other = Document(platform: .jvm)
        other.offers = [Offer(required: OfferVersion(written: "1.0.0", on: .jvm))]
        return PrinceExport(PrinceExport.Source([document, other]))
    }

    @Test func `what tells nobody anything else has no notes`() {
        let export = export(last: "3.0.0", on: .ios)
        #expect(export.notes(replacing: export) == [])
    }

    @Test(arguments: [(Platform.ios, "3.4.0", "3.3.0"), (.android, "340", "330")])
    func `a last version that falls is named, and one that rises is not`(
        platform: Platform,
        high: String,
        low: String
    ) {
        let (above, below) = (export(last: high, on: platform), export(last: low, on: platform))
        let notes = below.notes(replacing: above)
        #expect(notes.map(\.code) == ["lastVersionLowered"])
        #expect(notes.first?.platform == platform)
        #expect(notes.first?.sentence.contains("from \(high) to \(low)") == true)
        #expect(above.notes(replacing: below) == [])
    }
}
