import Testing

@testable import PlimsollClient

@Suite struct LanguageLookupTests {
    @Test(
        arguments: [
            (["de"], ["en", "de"], "de"),
            (["DE-ch"], ["en", "de-CH", "de"], "de-CH"),
            (["de-CH"], ["en", "de"], "de"),
            (["de_CH"], ["en", "de"], "de"),
            (["zh-Hant-TW"], ["zh-Hans", "zh-Hant"], "zh-Hant"),
            (["zh-Hant-TW"], ["zh-CN", "zh-TW"], "zh-TW"),
            (["zh-Hant-HK"], ["zh-CN", "zh-TW"], "zh-TW"),
            (["zh-Hans-HK"], ["zh-CN", "zh-HK"], "zh-CN"),
            (["zh-Hant-HK"], ["zh-HK", "zh-TW"], "zh-HK"),
            (["zh-Hans-SG"], ["zh-CN", "zh-TW"], "zh-CN"),
            (["zh"], ["zh-Hans", "zh-Hant"], "zh-Hans"),
            (["sr-Latn-ME"], ["sr-Cyrl", "sr-Latn-RS"], "sr-Latn-RS"),
            (["pt-BR"], ["pt-AO", "pt-BR-x-old"], "pt-BR-x-old"),
            (["zh-Hant-x-private"], ["zh-Hant-x", "zh-Hant"], "zh-Hant"),
            (["de-CH", "fr"], ["de-DE", "fr"], "de-DE"),
            (["gd", "cy"], ["en", "cy"], "cy"),
            (["en-AU"], ["en-GB", "en-US"], "en-GB"),
            (["en"], ["en-GB", "en-US"], "en-GB"),
            (["fr"], ["de", "en-GB"], "en-GB"),
            (["fr"], ["de", "cy"], "cy"),
            ([], ["de", "en"], "en"),
            (["", "-", "*"], ["de", "en"], "en"),
        ] as [([String], [String], String)]
    )
    func `the best language is found`(
        _ languages: [String],
        _ tags: [String],
        _ best: String
    ) {
        #expect(LanguageLookup(languages, fallback: "en").best(among: tags) == best)
        #expect(LanguageLookup(languages, fallback: "en").best(among: tags.reversed()) == best)
    }

    @Test func `where there is no text there is no language`() {
        #expect(LanguageLookup(["en"], fallback: "en").best(among: []) == nil)
    }

    @Test func `a language is no prefix of another one`() {
        #expect(LanguageLookup(["e"], fallback: "cy").best(among: ["en", "cy"]) == "cy")
        #expect(LanguageLookup(["de"], fallback: "cy").best(among: ["del", "cy"]) == "cy")
    }
}
