import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Which of the languages of a text somebody reads.
@Suite struct ShownTextTests {
    private func document(_ platform: Platform, _ languages: [String]) throws -> Document {
        var texts: [LanguageTag: Text] = [:]
        for language in languages { texts[tag(language)] = try text("In \(language).") }
        var document = Document(platform: platform)
        let value = platform == .android ? code(300) : dotted("4")
        document[.minimumApp] = Threshold(value: value, descriptions: texts)
        return document
    }

    private func shown(
        _ platform: Platform,
        _ texts: [String],
        to languages: [String],
        by client: String? = nil,
        shipped: [String]? = nil
    ) throws -> ShownText? {
        let device = Device(
            platform: platform,
            os: platform == .android ? code(30) : dotted("15"),
            app: platform == .android ? code(1) : dotted("1"),
            store: nil,
            language: tag(languages[0]),
            others: languages.dropFirst().map(tag)
        )
        return try document(platform, texts).decision(
            on: try #require(device),
            by: try client.map {
                try #require(ClientGeneration(simulated: $0, on: platform))
            },
            shipped: shipped?.map(tag)
        ).shownDescription
    }

    @Test(arguments: [
        (["de"], "de"), (["de-AT"], "de"), (["fr", "de"], "de"), (["DE-de"], "de"),
        (["cym"], "cy"), (["eng-GB"], "en-GB"), (["iw"], "he"), (["he-IL"], "he"),
    ])
    func `an iPhone shows the first of its languages that is there`(
        languages: [String],
        shown language: String
    ) throws {
        let texts = ["cy", "de", "en-GB", "he"]
        #expect(try shown(.ios, texts, to: languages) == .one("In \(language)."))
    }

    @Test(arguments: [
        (["zh-Hant-TW"], ["zh", "zh-TW"], "zh-TW"), (["zh-Hant-TW"], ["en", "zh"], "zh"),
        (["sr-Latn-ME"], ["sr", "sr-Latn-RS"], "sr-Latn-RS"), (["nb-NO"], ["en", "no"], "no"),
        (["iw"], ["en", "he"], "he"), (["no", "nb"], ["nb", "no"], "no"),
        (["de-CH-1996"], ["de-1996", "de-CH"], "de-CH"), (["cym"], ["cy", "en"], "en"),
    ])
    func `an app that links our client shows the same script, by whichever code`(
        languages: [String],
        of texts: [String],
        shown language: String
    ) throws {
        for platform in [Platform.ios, .android] {
            let shown = try shown(platform, texts, to: languages, by: "plimsoll")
            #expect(shown == .one("In \(language)."))
        }
    }

    @Test func `an iPhone shows any text where none of its languages is there`() throws {
        let texts = ["cy", "de", "en-GB"].map { (tag($0), "In \($0).") }
        let all = Dictionary(uniqueKeysWithValues: texts)
        #expect(try shown(.ios, ["cy", "de", "en-GB"], to: ["fr", "it"]) == .oneOf(all))
        #expect(try shown(.ios, ["de"], to: ["fr"]) == .one("In de."))
        #expect(try shown(.ios, [], to: ["fr"]) == .one(""))
    }

    @Test func `of several tags of one language an iPhone shows any`() throws {
        let both = [tag("en"): "In en.", tag("en-US"): "In en-US."]
        #expect(try shown(.ios, ["cy", "en", "en-US"], to: ["en-AU"]) == .oneOf(both))
        #expect(try shown(.ios, ["cy", "en", "en-US"], to: ["en-US"]) == .one("In en-US."))
    }

    @Test func `texts that say the same are certain`() throws {
        var document = Document(platform: .ios)
        let same = try text("Update.")
        document[.minimumApp] = Threshold(
            value: dotted("4"),
            descriptions: [tag("en"): same, tag("en-US"): same]
        )
        let device = Device(
            platform: .ios,
            os: dotted("15"),
            app: dotted("1"),
            store: nil,
            language: tag("fr")
        )
        #expect(document.decision(on: try #require(device)).description == "Update.")
    }

    @Test func `an Android phone shows its language only where the app ships with it`() throws {
        let texts = ["de", "en", "en-GB", "fr"]
        #expect(try shown(.android, texts, to: ["de-AT"]) == .one("In de."))
        #expect(
            try shown(.android, texts, to: ["de-AT"], shipped: ["en", "fr"]) == .one("In en-GB.")
        )
        #expect(try shown(.android, texts, to: ["it", "fr"]) == .one("In en-GB."))
        #expect(try shown(.android, ["de", "en"], to: ["it"]) == .one("In en."))
        #expect(
            try shown(.android, ["de", "en"], to: ["it"], by: "nhs-android-3.1") == .one("")
        )
    }

    @Test(arguments: [(Platform.ios, "nhs-ios-3.0"), (.android, "nhs-android-3.0")])
    func `the first apps show British English and nothing else`(
        platform: Platform,
        client: String
    ) throws {
        let texts = ["de", "en", "en-GB"]
        #expect(try shown(platform, texts, to: ["de"], by: client) == .one("In en-GB."))
        #expect(try shown(platform, ["de", "en"], to: ["de"], by: client) == .one(""))
    }
}
