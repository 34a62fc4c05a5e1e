import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

@Suite struct LanguageLookupTests {
    typealias Row = (languages: [String], tags: [String], best: String)

    private static let rows: [Row] = [
        (["de"], ["en", "de"], "de"),
        (["DE-ch"], ["en", "de-CH", "de"], "de-CH"),
        (["de-CH"], ["en", "de"], "de"),
        (["zh-Hant-TW"], ["zh-Hans", "zh-Hant"], "zh-Hant"),
        (["zh-Hant-TW"], ["zh-CN", "zh-TW"], "zh-TW"),
        (["zh-Hant-HK"], ["zh-CN", "zh-TW"], "zh-TW"),
        (["zh-Hans-HK"], ["zh-CN", "zh-HK"], "zh-CN"),
        (["zh-Hant-HK"], ["zh-HK", "zh-TW"], "zh-HK"),
        (["zh-Hans-SG"], ["zh-CN", "zh-TW"], "zh-CN"),
        (["zh"], ["zh-Hans", "zh-Hant"], "zh-Hans"),
        (["sr-Latn-ME"], ["sr-Cyrl", "sr-Latn-RS"], "sr-Latn-RS"),
        (["sr-Latn-ME"], ["sr", "sr-Latn-RS"], "sr-Latn-RS"),
        (["sr-Latn-ME", "en"], ["en", "sr"], "sr"),
        (["sr-RS"], ["sr", "sr-Latn-RS"], "sr"),
        (["zh-Hant-TW"], ["zh", "zh-TW"], "zh-TW"),
        (["zh-TW"], ["zh", "zh-Hant"], "zh-Hant"),
        (["zh-Hant-HK"], ["zh", "zh-Hant", "zh-TW"], "zh-Hant"),
        (["zh-Hans-HK"], ["zh", "zh-HK"], "zh"),
        (["zh-Hant-TW", "en"], ["en", "zh"], "zh"),
        (["de-CH-1996"], ["de-1996", "de-CH"], "de-CH"),
        (["en-GB-x-loud"], ["en-GB", "en-US-x-loud"], "en-GB"),
        (["nb-NO"], ["en", "no"], "no"),
        (["no-NO"], ["en", "nb"], "nb"),
        (["nb", "no"], ["nb", "no"], "nb"),
        (["no", "nb"], ["nb", "no"], "no"),
        (["no-NO"], ["nb-NO", "no"], "nb-NO"),
        (["nn-NO", "en"], ["en", "no"], "en"),
        (["he-IL"], ["en", "iw"], "iw"),
        (["iw-IL"], ["en", "he"], "he"),
        (["id-ID"], ["en", "in"], "in"),
        (["yi"], ["en", "ji"], "ji"),
        (["fil-PH"], ["en", "tl"], "tl"),
        (["ro-MD"], ["en", "mo"], "mo"),
        (["mo"], ["en", "ro-RO", "ro-MD"], "ro-MD"),
        (["pt-BR"], ["pt-AO", "pt-BR-x-old"], "pt-BR-x-old"),
        (["de-CH", "fr"], ["de-DE", "fr"], "de-DE"),
        (["gd", "cy"], ["en", "cy"], "cy"),
        (["en-AU"], ["en-GB", "en-US"], "en-GB"),
        (["en"], ["en-GB", "en-US"], "en-GB"),
        (["fr"], ["de", "en-GB"], "en-GB"),
        (["fr"], ["de", "cy"], "cy"),
    ]

    /// What is no tag, or no language at all.
    private static let oddRows: [Row] = [
        (["de_CH"], ["en", "de"], "de"),
        (["zh-Hant-x-private"], ["zh-Hant-x", "zh-Hant"], "zh-Hant"),
        ([], ["de", "en"], "en"),
        (["", "-", "*"], ["de", "en"], "en"),
    ]

    @Test(arguments: rows + oddRows)
    func `the best language is found`(
        _ languages: [String],
        _ tags: [String],
        _ best: String
    ) {
        #expect(LanguageLookup(languages, fallback: "en").best(among: tags) == best)
        #expect(LanguageLookup(languages, fallback: "en").best(among: tags.reversed()) == best)
    }

    @Test(arguments: rows)
    func `the service simulates the same language`(
        _ languages: [String],
        _ tags: [String],
        _ best: String
    ) throws {
        var document = PlimsollDomain.Document(platform: .ios)
        document[.minimumApp] = PlimsollDomain.Threshold(
            value: dotted("4"),
            descriptions: Dictionary(
                uniqueKeysWithValues: try tags.map { (tag($0), try text("In \($0).")) }
            )
        )
        let device = PlimsollDomain.Device(
            platform: .ios,
            os: dotted("15"),
            app: dotted("1"),
            store: nil,
            language: tag(languages[0]),
            others: languages.dropFirst().map(tag)
        )
        let outcome = document.decision(on: try #require(device), by: .own(on: .ios))
        #expect(outcome.shownDescription == .one("In \(best)."))
    }

    @Test func `where there is no text there is no language`() {
        #expect(LanguageLookup(["en"], fallback: "en").best(among: []) == nil)
    }

    @Test func `a language is no prefix of another one`() {
        #expect(LanguageLookup(["e"], fallback: "cy").best(among: ["en", "cy"]) == "cy")
        #expect(LanguageLookup(["de"], fallback: "cy").best(among: ["del", "cy"]) == "cy")
    }
}
