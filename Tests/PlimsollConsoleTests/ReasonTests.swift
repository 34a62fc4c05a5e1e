import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// Why devices show what they show, and what their clients are told, in the other languages.
@Suite struct ReasonTests {
    private let others = Language.all.dropFirst()

    // Method: a device below each line, and on none, with every look into the store.
    @Test(arguments: [Platform.ios, .macos, .android])
    func `every language says why a device shows what it shows`(platform: Platform) throws {
        let (low, high) = (version(1, platform), version(9, platform))
        for name in [nil] + platform.thresholds.map({ Optional($0) }) {
            var document = Document(platform: platform)
            if let name { document[name].value = version(5, platform) }
            for store in [nil, version(3, platform), version(7, platform)] {
                for (os, app) in [(low, low), (low, high), (high, low), (high, high)] {
                    let device = try #require(
                        Device(
                            platform: platform,
                            os: os,
                            app: app,
                            store: store,
                            language: tag("en")
                        )
                    )
                    for last in [nil, document] { try expectTold(document, device, last) }
                }
            }
        }
    }

    /// As every generation of clients has it, under each profile.
    private func expectTold(_ document: Document, _ device: Device, _ last: Document?) throws {
        for client in ClientGeneration.all where client.platform == device.platform {
            for profile in DocumentProfile.allCases {
                let settings = try settings([device.platform], profile: profile)
                let outcome = document.outcome(on: device, by: client, settings, keeping: last)
                expectTold(.reason, outcome.because)
            }
        }
    }

    private func version(_ number: Int64, _ platform: Platform) -> VersionValue {
        platform == .android ? code(number) : dotted("\(number).0")
    }

    @Test func `every language says which offer decides`() throws {
        let region = try #require(RequirementName("region"))
        let custom = [region: OfferValue(try text("eu"))]
        let system = try offered("15.0.0")
        let requirements = [
            OfferRequirements(), OfferRequirements(system: system),
            OfferRequirements(custom: custom), OfferRequirements(system: system, custom: custom),
        ]
        for requirement in requirements {
            for (required, last) in [("5.0.0", nil), (nil, "5.0.0"), ("1.0.0", "1.0.0")] {
                let offer = Offer(
                    required: try required.map(offered),
                    last: try last.map(offered),
                    requirements: requirement
                )
                var document = Document(platform: .ios)
                document.apply(Operation(.ios, offers: .set([offer, offer, Offer(last: system)])))
                let published = PublishedOffers(document, releases: [])
                let derived = PublishedOffers(Document(platform: .ios), releases: [])
                for isMet in [true, false] {
                    var device = OfferedDevice(app: dotted("3.0"), system: dotted("17.0"))
                    if isMet { device.requirements = custom }
                    expectTold(.reason, published.outcome(on: device).because)
                    expectTold(.reason, derived.outcome(on: device).because)
                }
            }
        }
    }

    private func offered(_ text: String) throws -> OfferVersion {
        try #require(OfferVersion(written: text, on: .ios))
    }

    // Method: the names of the cases are read where they are declared.
    @Test func `every language tells every note of what clients are told`() throws {
        let notes = try Platform.allCases.flatMap(notes)
        for note in notes { expectTold(.note, note.sentence) }
        let path = "PlimsollDocuments/PrinceOfVersions/Export/PrinceOfVersionsNote.swift"
        let declared = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
        let cases = declared.prefix { $0 != "}" }.matches(of: /\n    case ([a-zA-Z]+)/)
        let names = Set(cases.map { String($0.output.1) })
        #expect(names == Set(notes.map { String("\($0)".prefix { $0 != "(" }) }))
        #expect(names.count > 15)
    }

    private func notes(_ platform: Platform) throws -> [PrinceOfVersionsNote] {
        let (low, high) = (try offered("3.1.0"), try offered("3.2.0"))
        let metadata = try ["url", "note"].map { try #require(MetadataName($0)) }
        let kept = [
            "minimum 3.0.0 from 15.0.0 on, latest 4.0.0, told once", "latest 4.0.0, told always",
            "minimum 3.0.0, latest 4.0.0 from 15.0.0 on, told once",
        ]
        return [
            .derived(.numberTooLong(platform, .minimumApp)),
            .derived(.noSuchRelease(platform, .recommendedApp, newest: high)),
            .systemOnlyInMetadata(platform, .minimumOS), .requiredAboveLast(platform, 3),
            .lastOfferAdded(platform), .onlyOneLegacyOffer(platform, 3, []),
            .onlyOneLegacyOffer(platform, 3, [low, high]), .buildLeftOut(platform, high),
            .legacyNameMissing(high), .legacyMinimumMissing(high), .thresholdsNotTold(platform),
            .releasesLeftOut(platform, 17), .legacyMetadataMissing(platform, metadata),
            .legacyToldAlways(platform), .legacyLatestRaised(platform, from: low, to: high),
            .legacyLatestLowered(platform, from: high, to: low),
            .lastVersionLowered(platform, from: high, to: low),
            .lastVersionRaised(platform, from: low, to: high), .valuesAsTexts(platform, metadata),
        ]
            + kept.flatMap { words in
                [.legacyKept(platform, words, nil), .legacyKept(platform, words, kept[1])]
            }
    }

    @Test(arguments: [
        [0xFF], Array("".utf8), Array("app,os\n".utf8), Array("app,devices\n3.0\n".utf8),
        Array("app,devices\n3.0,many\n".utf8), Array("app,devices\nthree,4\n".utf8),
    ])
    func `every language says what is wrong with a table`(bytes: [UInt8]) throws {
        for platform in [Platform.ios, .android] {
            let error = #expect(throws: SharesTableFault.self) {
                _ = try VersionShares(csv: bytes, platform)
            }
            expectTold(.refusal, try #require(error).sentence)
        }
    }

    // Method: clocks that are set forward, and back, and none at all.
    @Test(arguments: [
        ("2027-03-28T02:30", "Europe/Berlin"), ("2027-10-31T02:30", "Europe/Berlin"),
        ("2027-06-01T09:00", nil),
    ])
    func `every language says why a written time is no instant`(text: String, zone: String?) throws
    {
        let clock = zone.flatMap(TimeZoneName.init).flatMap { ZoneClock($0) }
        let time = try #require(WrittenTime(text))
        let fault = #expect(throws: WrittenTimeFault.self) { _ = try time.instant(in: clock) }
        expectTold(.refusal, try #require(fault).sentence)
    }

    /// In other words than English, and with all that is no word.
    private func expectTold(_ kind: Translations.Kind, _ sentence: String) {
        for language in others {
            let told = language.translations(kind, sentence)
            #expect(told != nil && told != sentence, "\(language.tag) has no words: \(sentence)")
            #expect(told?.contains(TranslationsTests.englishWord) != true, "\(told ?? "")")
            for fact in sentence.matches(of: /[0-9][0-9.]*[0-9]|[0-9]/) {
                #expect(told?.contains(fact.output) == true, "\(language.tag): \(sentence)")
            }
        }
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
}
