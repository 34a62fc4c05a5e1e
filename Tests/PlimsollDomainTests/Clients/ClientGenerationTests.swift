import Foundation
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What apps in people's hands read, and what they refuse.
@Suite struct ClientGenerationTests {
    private func generation(_ name: String) throws -> ClientGeneration {
        try #require(ClientGeneration(name))
    }

    private func threshold(_ value: VersionValue?, _ languages: String...) throws -> Threshold {
        var texts: [LanguageTag: Text] = [:]
        for language in languages { texts[tag(language)] = try text("In \(language).") }
        return Threshold(value: value, titles: texts, descriptions: texts)
    }

    /// Each generation that refuses it, with what it misses.
    private func refusals(_ document: Document, _ profile: DocumentProfile) -> [String] {
        document.published(profile).unread(by: ClientGeneration.all).map {
            "\($0.generation.name): \($0.reasons)"
        }
    }

    @Test func `every row of the table has a name of its own and names its source`() {
        let names = ClientGeneration.all.map(\.name)
        #expect(Set(names).count == names.count)
        for generation in ClientGeneration.all {
            #expect(generation.name.hasPrefix("nhs-\(generation.platform.rawValue)-"))
            #expect(generation.source.contains("ag-public"))
            #expect(generation.members.allSatisfy(generation.platform.thresholds.contains))
            #expect(ClientGeneration(generation.name) == generation)
        }
        #expect(ClientGeneration("nhs-ios-1.0") == nil)
    }

    @Test func `the page of the wire format has the table as it is`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = tests.deletingLastPathComponent().appending(
            path: "docs/reference/wire-format.md"
        )
        let text = try String(contentsOf: page, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `nhs-") }
        let expected = ClientGeneration.all.map { generation in
            let members = generation.members.map { "`\($0.member(on: generation.platform))`" }
            let languages = generation.languagesDemanded.map { " with descriptions in `\($0)`" }
            return "| `\(generation.name)` | \(generation.versions) |"
                + " \(members.joined(separator: ", "))\(languages.joined()) | \(generation.source) |"
        }
        #expect(rows.map(String.init) == expected)
    }

    @Test(arguments: [Platform.ios, .android])
    func `nothing set is read by everybody in a complete document`(platform: Platform) {
        let document = Document(platform: platform)
        #expect(refusals(document, .complete) == [])
        let published = document.published(.complete).thresholds
        let demanded = platform == .android ? [tag("en-GB"): ""] : [:]
        for name in platform.thresholds {
            #expect(published[name]?.value == .nothing)
            #expect(published[name]?.titles == [:])
            #expect(published[name]?.descriptions == (name.isMinimum ? demanded : [:]))
        }
    }

    @Test func `texts that wait for a value leave the document readable`() throws {
        var document = Document(platform: .android)
        document[.minimumApp] = try threshold(nil, "de")
        #expect(refusals(document, .complete) == [])
        let texts = document.published(.complete).thresholds[.minimumApp]?.descriptions
        #expect(texts == [tag("de"): "In de.", tag("en-GB"): ""])
    }

    @Test func `the first Android apps refuse a minimum without British English`() throws {
        var document = Document(platform: .android)
        document[.minimumApp] = try threshold(code(300), "de", "en")
        #expect(
            refusals(document, .complete)
                == ["nhs-android-3.0: minimumAppVersion.description has no en-GB"]
        )
        document[.minimumApp] = try threshold(code(300), "de", "en-GB")
        #expect(refusals(document, .complete) == [])
    }

    @Test func `one minimum alone is refused by every iPhone in a minimal document`() throws {
        var document = Document(platform: .ios)
        document[.minimumApp] = try threshold(dotted("4.0"), "en-GB")
        #expect(
            refusals(document, .minimal) == [
                "nhs-ios-3.0: minimumOSVersion is missing",
                "nhs-ios-3.10: minimumOSVersion is missing and recommendedOSVersion is missing"
                    + " and recommendedAppVersion is missing",
            ]
        )
        #expect(refusals(document, .versionThree).map { $0.prefix(12) } == ["nhs-ios-3.10"])
        #expect(refusals(document, .complete) == [])
    }

    @Test func `the profile of the first apps has both minima and nothing else`() throws {
        var document = Document(platform: .ios)
        document[.recommendedApp] = try threshold(dotted("4.0"), "en-GB")
        let published = document.published(.versionThree).thresholds
        #expect(Set(published.keys) == [.minimumOS, .minimumApp])
        #expect(published[.minimumApp]?.value == .nothing)
        #expect(document.told(in: .versionThree).isEmpty)
        #expect(document.told(in: .complete) == document)
        let settings = try settings(profile: .versionThree)
        #expect(
            settings.readers.map(\.name) == ["nhs-ios-3.0", "nhs-android-3.0", "nhs-android-3.1"]
        )
    }

    @Test func `a member without a value is not published, and nobody reads one`() throws {
        var document = Document(platform: .ios)
        document[.minimumOS] = try threshold(nil, "en-GB")
        document[.minimumApp] = try threshold(dotted("4"), "en-GB")
        #expect(document.published(.minimal).thresholds[.minimumOS] == nil)
        let former = document.published(.minimal, as: .former)
        #expect(former.thresholds[.minimumOS] != nil)
        #expect(
            try generation("nhs-ios-3.0").faults(in: former).map(\.sentence)
                == ["minimumOSVersion has no value"]
        )
    }

    @Test func `a minimum without a description is read by nobody in a minimal document`() throws {
        var document = Document(platform: .ios)
        document[.minimumOS] = try threshold(dotted("13"))
        document[.minimumApp] = try threshold(dotted("4"), "en-GB")
        #expect(
            try generation("nhs-ios-3.0").faults(in: document.published(.minimal)).map(\.sentence)
                == ["minimumOSVersion has no description"]
        )
    }

    private func device(_ app: String, _ languages: String...) throws -> Device {
        try #require(
            Device(
                platform: .ios,
                os: dotted("14.0"),
                app: dotted(app),
                store: nil,
                language: tag(languages.first ?? "en-GB"),
                others: languages.dropFirst().map(tag)
            )
        )
    }

    @Test(arguments: [
        ("3.10.0", "4.0.0", false), ("3.9", "4.0", true), ("3.9.9", "4.0", true),
        ("3.10", "4", false), ("4.0.0", "3.10.0", true), ("0.9", "1", true),
        ("3.2", "3.2.0", false),
    ])
    func `iPhones before 3_10 compare the digits of versions as one number`(
        app: String,
        minimum: String,
        isHeldBack: Bool
    ) throws {
        var document = Document(platform: .ios)
        document[.minimumApp] = try threshold(dotted(minimum), "en-GB")
        let old = document.decision(on: try device(app), by: try generation("nhs-ios-3.0"))
        #expect(old.verdict.runs == !isHeldBack)
    }

    @Test func `recommendations are nothing to the first apps`() throws {
        var document = Document(platform: .ios)
        document[.recommendedOS] = try threshold(dotted("15"), "en-GB")
        let first = document.decision(on: try device("3"), by: try generation("nhs-ios-3.0"))
        #expect(first.verdict == .available)
        let newest = document.decision(on: try device("3"), by: try generation("nhs-ios-3.10"))
        #expect(newest.verdict == .osRecommended)
    }

    @Test func `who cannot read a document goes by the last that could be read`() throws {
        let settings = try settings(profile: .minimal)
        let generation = try generation("nhs-ios-3.0")
        var last = Document(platform: .ios)
        last[.minimumOS] = try threshold(dotted("13"), "en-GB")
        last[.minimumApp] = try threshold(dotted("3.2"), "en-GB")
        var next = last
        next[.minimumOS] = Threshold()
        next[.minimumApp].value = dotted("4.0")
        let old = try device("3.5")
        #expect(!next.decision(on: old).verdict.runs)
        let kept = next.outcome(on: old, by: generation, settings, keeping: last)
        #expect(kept.verdict == .available && kept.keepsLastDocument)
        #expect(kept.because.contains("minimumOSVersion is missing"))
        let held = next.outcome(on: try device("3.1"), by: generation, settings, keeping: last)
        #expect(held.verdict == .appTooOld && held.description == "In en-GB.")
        let new = next.outcome(on: try device("1"), by: generation, settings, keeping: nil)
        #expect(new.verdict == .available && new.keepsLastDocument)
        let read = last.outcome(on: try device("3.1"), by: generation, settings, keeping: nil)
        #expect(read.verdict == .appTooOld && !read.keepsLastDocument)
    }
}
