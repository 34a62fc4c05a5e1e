import Testing

@Suite struct SamplesTests {
    private let languages: Set = ["en-GB", "en", "cy", "de", "ar"]

    private func sample(_ platform: String) throws -> Samples.Document {
        let path = "Examples/harbour/availability-\(platform).json"
        return try Samples.document(in: #require(Repository.current.file(path)))
    }

    @Test(arguments: ["ios", "android"])
    func `a sample says everything in every language, once`(platform: String) throws {
        let document = try sample(platform)
        #expect(Samples.missingTexts(document, languages: languages) == [])
        #expect(Samples.repeatedTexts(document) == [])
    }

    @Test func `a sample has the members that shipped phones demand`() throws {
        let ios = try sample("ios")
        let android = try sample("android")
        #expect(
            ios.mapValues(\.value) == [
                "minimumOSVersion": .dotted("15.0"), "recommendedOSVersion": .dotted("16.4"),
                "minimumAppVersion": .dotted("3.0.0"), "recommendedAppVersion": .dotted("3.8.0"),
            ]
        )
        #expect(
            android.mapValues(\.value) == [
                "minimumSDKVersion": .integer(26), "minimumAppVersion": .integer(300),
                "recommendedAppVersion": .integer(380),
            ]
        )
    }

    @Test func `nobody is sent to the other platform's store`() throws {
        #expect(try Samples.texts(sample("ios"), naming: ["Android", "Google", "أندرويد"]) == [])
        #expect(try Samples.texts(sample("android"), naming: ["iOS", "Apple", "App Store"]) == [])
    }

    @Test func `a text that is missing, repeated or misplaced is found`() throws {
        let threshold = #"{"value": 1, "title": {"en": "a"}, "description": {"en": "App Store"}}"#
        let text = #"{"one": \#(threshold), "two": \#(threshold)}"#
        let document = try Samples.document(in: TextFile("a.json", text))
        #expect(Samples.missingTexts(document, languages: ["en"]) == [])
        #expect(Samples.missingTexts(document, languages: ["en", "de"]) == ["one", "two"])
        #expect(Samples.repeatedTexts(document) == ["en: App Store", "en: a"])
        #expect(Samples.texts(document, naming: ["App Store"]).count == 2)
    }
}
