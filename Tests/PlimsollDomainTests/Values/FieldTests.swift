import PlimsollDomain
import Testing

@Suite struct FieldTests {
    private static let languages = ["en", "en-GB", "en-US", "cy", "de", "zh-Hant", "zh"]

    private static var parts: [FieldPart] {
        [.value]
            + TextPart.allCases.flatMap { part in
                languages.compactMap(LanguageTag.init).map { .text(part, $0) }
            }
    }

    private static var fields: [Field] {
        Platform.allCases.flatMap { platform in
            ThresholdName.allCases.flatMap { name in
                parts.map { Field(platform, name, $0) }
            } + [.offers(of: platform)]
        }
    }

    @Test func `are in the order of their paths`() {
        let shuffled = Self.fields.shuffled()
        #expect(shuffled.sorted().map(\.path) == shuffled.map(\.path).sorted())
    }

    @Test func `no field comes before itself`() {
        #expect(!Self.fields.contains { $0 < $0 })
    }

    @Test(arguments: [
        "", "ios", "ios.", "ios.offers.", "ios.offers.0", "ios.Offers", "tvos.offers", "offers",
        "ios.minimumApp", "ios.minimumApp.offers",
    ])
    func `are not read from other paths`(path: String) {
        #expect(Field(path: path) == nil)
    }

    @Test func `are read from the paths they give`() {
        for field in Self.fields {
            #expect(Field(path: field.path) == field)
        }
    }
}
