import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

/// The exported document against what each generation of clients makes of it.
@Suite struct PrinceOfVersionsExportTests {
    private static let modern: [PrinceOfVersionsClient] = [
        .ios400, .ios401, .ios402, .ios403, .ios404, .ios405, .ios406, .ios407, .ios408, .macos408,
        .android404, .kotlinIOS, .kotlinAndroid, .jvm,
    ]

    // Goal: for every shape that an offer can have, every client since 4.0 does what the offers
    // say. Method: each shape by itself and each pair of requirements, with a last offer for
    // everybody, is exported, read by every client on devices below, at and above each version
    // and system, and compared with what a dozen lines make of the offers themselves.
    @Test(arguments: modern)
    func `every client does what the offers say`(client: PrinceOfVersionsClient) throws {
        let platform = client.platform
        let devices = try PrinceFleet(platform).devices
        for list in try Self.lists(on: platform) where list.faults(on: platform).isEmpty {
            let bytes = PrinceOfVersionsDocument(offers: [platform: list]).bytes
            for device in devices {
                let checked = device.check(client, bytes)
                let expected = device.expected(of: list)
                #expect(checked == expected, "\(String(decoding: bytes, as: UTF8.self)) \(device)")
            }
        }
    }

    private static func lists(on platform: Platform) throws -> [[Offer]] {
        let last = Offer.nothing(on: platform)
        let requirements = try requirements(on: platform)
        let alone = try shapes(on: platform, requirements).flatMap { [[$0, last], [$0]] }
        let third = try PrinceSamples.version(3, on: platform)
        let pairs = requirements.flatMap { first in
            requirements.map { second in
                [
                    Offer(required: third, requirements: first),
                    Offer(last: third, requirements: second), last,
                ]
            }
        }
        return alone.filter { $0.last?.requirements.isEmpty == true } + pairs
    }

    private static func requirements(on platform: Platform) throws -> [OfferRequirements] {
        let system = try PrinceSamples.system(15, on: platform)
        let custom = try PrinceSamples.custom(["tester": "yes"])
        return [
            OfferRequirements(), OfferRequirements(system: system),
            OfferRequirements(custom: custom), OfferRequirements(system: system, custom: custom),
        ]
    }

    /// Every combination of versions, notification and requirements.
    private static func shapes(
        on platform: Platform,
        _ requirements: [OfferRequirements]
    ) throws -> [Offer] {
        let numbers: [(Int?, Int?)] = [(3, nil), (nil, 3), (2, 3), (3, 2), (3, 3)]
        return try numbers.flatMap { required, last in
            let required = try required.map { try PrinceSamples.version($0, on: platform) }
            let last = try last.map { try PrinceSamples.version($0, on: platform) }
            return OfferNotification.allCases.flatMap { notification in
                requirements.map {
                    Offer(
                        required: required,
                        last: last,
                        notification: notification,
                        requirements: $0
                    )
                }
            }
        }
    }

    @Test func `a stranger's reader finds the same in the document, and nothing unusual`() throws {
        var document = Document(platform: .ios)
        document[.minimumApp].value = .dotted(try #require(AppleVersion("3.1")))
        document[.minimumApp].titles[try #require(LanguageTag("uk"))] =
            try Text(validating: "Оновіть \"зараз\"\n\u{1F600}")
        let export = PrinceOfVersionsExport(
            PrinceOfVersionsExport.Source([document, Document(platform: .android)]),
            stamp: try PrinceSamples.stamp()
        )
        let bytes = export.document.bytes
        let read = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        )
        #expect(Set(read.keys) == ["ios", "android", "plimsoll"])
        let offer = try #require((read["ios"] as? [[String: Any]])?.first)
        #expect(offer["required_version"] as? String == "3.1.0")
        let meta = try #require(offer["meta"] as? [String: String])
        #expect(meta == ["required.title.uk": "Оновіть \"зараз\"\n\u{1F600}"])
        #expect(try PrinceOfVersionsDocument(parsing: bytes) == export.document)
    }

    @Test func `an app without lines tells nobody anything`() throws {
        let documents = Platform.allCases.map { Document(platform: $0) }
        for clients in PrinceOfVersionsClients.allCases {
            var source = PrinceOfVersionsExport.Source(documents)
            source.clients = clients
            let bytes = PrinceOfVersionsExport(source).document.bytes
            for client in Self.modern {
                let outcome = Check.usual(client).verdict(
                    client,
                    String(decoding: bytes, as: UTF8.self)
                )
                #expect(outcome == "none", "\(client.rawValue)")
            }
        }
    }

    @Test func `derived offers hold back every generation`() throws {
        var ios = Document(platform: .ios)
        ios[.minimumApp].value = .dotted(try #require(AppleVersion("3.0")))
        var macos = Document(platform: .macos)
        macos[.minimumApp].value = .dotted(try #require(AppleVersion("3.0")))
        var android = Document(platform: .android)
        android[.minimumApp].value = .integer(try #require(AndroidVersion(300)))
        var source = PrinceOfVersionsExport.Source([ios, macos, android])
        source.clients = .all
        source.take(try PrinceSamples.names([300: "3.0.0"]), at: PrinceSamples.day)
        let export = PrinceOfVersionsExport(source)
        #expect(export.notes == [.legacyToldAlways(.ios), .legacyToldAlways(.macos)])
        let text = String(decoding: export.document.bytes, as: UTF8.self)
        for client in PrinceOfVersionsClient.allCases where client != .jvm {
            #expect(Check.usual(client).verdict(client, text) == "required", "\(client.rawValue)")
        }
        #expect(try PrinceOfVersionsDocument(parsing: export.document.bytes) == export.document)
    }

    // Goal: a block at night, which raises the minimum alone, is obeyed by every generation, and
    // at every look. Method: the latest version lies between what is installed and the minimum.
    @Test(arguments: ["1.0.0", "2.0.0", "2.9.0"])
    func `a minimum above what is recommended holds back every generation, every time`(
        recommended: String
    ) throws {
        let documents = try [Platform.ios, .macos, .android].map { platform in
            var document = Document(platform: platform)
            if platform == .android {
                document[.minimumApp].value = .integer(try #require(AndroidVersion(300)))
                document[.recommendedApp].value = .integer(try #require(AndroidVersion(200)))
            } else {
                document[.minimumApp].value = .dotted(try #require(AppleVersion("3.0")))
                document[.recommendedApp].value = .dotted(try #require(AppleVersion(recommended)))
            }
            return document
        }
        var source = PrinceOfVersionsExport.Source(documents)
        source.clients = .all
        source.take(try PrinceSamples.names([200: "2.0.0", 300: "3.0.0"]), at: PrinceSamples.day)
        let export = PrinceOfVersionsExport(source)
        let last = try PrinceSamples.version("\(recommended)", on: .ios)
        let first = try PrinceSamples.version("3.0.0", on: .ios)
        let apple = [Platform.ios, .macos].flatMap { platform in
            [
                .requiredAboveLast(platform, 0), .legacyToldAlways(platform),
                .legacyLatestRaised(platform, from: last, to: first),
            ] as [PrinceOfVersionsNote]
        }
        #expect(export.notes == apple + [.requiredAboveLast(.android, 0)])
        let text = String(decoding: export.document.bytes, as: UTF8.self)
        for client in PrinceOfVersionsClient.allCases where client != .jvm {
            var check = Check.usual(client)
            check.times = 3
            let words = check.outcomes(client, text).map(\.word)
            #expect(words == ["required", "required", "required"], "\(client.rawValue)")
        }
        #expect(export.document.legacy?[.macos] == export.document.legacy?[.ios])
        #expect(try PrinceOfVersionsDocument(parsing: export.document.bytes) == export.document)
    }

    @Test func `what the format cannot say is said beside it`() throws {
        var ios = Document(platform: .ios)
        ios[.minimumOS].value = .dotted(try #require(AppleVersion("15.0")))
        ios[.minimumApp].value = .dotted(try #require(AppleVersion("1.1000000000")))
        var source = PrinceOfVersionsExport.Source([ios])
        #expect(
            PrinceOfVersionsExport(source).notes
                == [
                    .derived(.numberTooLong(.ios, .minimumApp)),
                    .systemOnlyInMetadata(.ios, .minimumOS),
                ]
        )
        let required = try PrinceSamples.version("4.0.0-7", on: .ios)
        ios.offers = [
            Offer(
                required: required,
                last: try PrinceSamples.version(3, on: .ios),
                requirements: OfferRequirements(system: try PrinceSamples.system(15, on: .ios))
            )
        ]
        source = PrinceOfVersionsExport.Source([ios])
        source.clients = .all
        let export = PrinceOfVersionsExport(source)
        #expect(
            export.notes == [
                .thresholdsNotTold(.ios), .requiredAboveLast(.ios, 0), .lastOfferAdded(.ios),
                .onlyOneLegacyOffer(.ios, 0, []),
                .buildLeftOut(.ios, required), .legacyToldAlways(.ios),
                .legacyLatestRaised(
                    .ios,
                    from: try PrinceSamples.version(3, on: .ios),
                    to: required
                ),
            ]
        )
        #expect(export.document.offers[.ios]?.last == .nothing(on: .ios))
        #expect(export.document.legacy?[.ios]?.minimum?.text == "4.0.0")
    }

    // Each offer is the version that it requires and the system that it needs.
    @Test(
        arguments: [
            ([(3, 16)], 16), ([(3, 16), (3, 15)], 15), ([(3, 16), (4, 15), (3, 12)], 12),
            ([(3, 16), (3, 15), (1, 12)], 15), ([(3, 16), (nil, 15), (3, 12)], 16),
            ([(3, 16), (3, nil)], nil), ([(3, 16), (3, 15), (1, nil)], 15),
        ] as [([(Int?, Int?)], Int?)]
    )
    func `before 4·0 a minimum holds from the oldest system on that is held to it`(
        offers: [(required: Int?, system: Int?)],
        oldest: Int?
    ) throws {
        var ios = Document(platform: .ios)
        ios.offers = try offers.map { required, system in
            Offer(
                required: try required.map { try PrinceSamples.version($0, on: .ios) },
                last: try PrinceSamples.version(5, on: .ios),
                requirements: OfferRequirements(
                    system: try system.map { try PrinceSamples.system($0, on: .ios) }
                )
            )
        }
        var source = PrinceOfVersionsExport.Source([ios])
        source.clients = .all
        let legacy = try #require(PrinceOfVersionsExport(source).document.legacy?[.ios])
        let expected = try oldest.map { try PrinceSamples.system($0, on: .ios) }
        #expect(legacy.minimum?.system == expected)
        #expect(legacy.latest?.system == expected)
    }

    // Goal: what Android may be told beside all platforms takes nothing away from iOS. Method: iOS
    // offers nothing, and is not asked.
    @Test func `a nested value stands beside no platform whose clients lose all over it`() throws {
        let names = try ["flags", "url"].map { try #require(MetadataName($0)) }
        let nested = try OfferValue(validating: [1, 2])
        let plain = try OfferValue(validating: "https://harbour.example")
        var android = Document(platform: .android)
        android.offers = [
            Offer(
                last: try PrinceSamples.version(3, on: .android),
                metadata: [names[0]: nested, names[1]: plain]
            )
        ]
        for (other, isShared) in [(Platform.ios, false), (.jvm, true)] {
            var source = PrinceOfVersionsExport.Source([Document(platform: other), android])
            source.clients = .all
            let export = PrinceOfVersionsExport(source)
            let expected = isShared ? names : [names[1]]
            #expect(export.document.metadata.keys.sorted() == expected.sorted())
            let missing = export.notes.contains(.legacyMetadataMissing(.android, [names[0]]))
            #expect(missing == !isShared)
            #expect(try PrinceOfVersionsDocument(parsing: export.document.bytes) == export.document)
        }
    }

    // The device has iOS 15 and version 2.
    @Test(arguments: [[(5, 16), (4, 15)], [(5, 17), (4, 16), (3, 15)], [(2, 16), (3, 15)]])
    func `iOS before 4·0 is held to the minimum of an older system's offer`(
        offers: [(last: Int, system: Int)]
    ) throws {
        var ios = Document(platform: .ios)
        ios.offers = try offers.map { last, system in
            Offer(
                required: try PrinceSamples.version(3, on: .ios),
                last: try PrinceSamples.version(last, on: .ios),
                requirements: OfferRequirements(
                    system: try PrinceSamples.system(system, on: .ios)
                )
            )
        }
        var source = PrinceOfVersionsExport.Source([ios])
        source.clients = .all
        let export = PrinceOfVersionsExport(source)
        let text = String(decoding: export.document.bytes, as: UTF8.self)
        let outcomes = Check.usual(.ios300).outcomes(.ios300, text)
        #expect(outcomes.map { $0.answer?.isMinimumSatisfied } == [false])
        #expect(outcomes.map(\.word) == ["required"])
        let (first, oldest) = (try #require(offers.first).last, try #require(offers.last).last)
        let (from, to) = try (
            PrinceSamples.version(first, on: .ios), PrinceSamples.version(oldest, on: .ios)
        )
        let lowered = PrinceOfVersionsNote.legacyLatestLowered(.ios, from: from, to: to)
        #expect(export.notes.contains(lowered) == (first > oldest))
    }

    @Test func `where nothing is drawn, every generation tells of nothing and fails at nothing`()
        throws
    {
        var source = PrinceOfVersionsExport.Source(Platform.allCases.map { Document(platform: $0) })
        source.clients = .all
        let export = PrinceOfVersionsExport(source)
        #expect(export.notes == [])
        let text = String(decoding: export.document.bytes, as: UTF8.self)
        for client in PrinceOfVersionsClient.allCases {
            #expect(Check.usual(client).verdict(client, text) == "none", "\(client.rawValue)")
        }
        #expect(try PrinceOfVersionsDocument(parsing: export.document.bytes) == export.document)
    }

    @Test func `Android's clients before 4·0 get no version that has no name`() throws {
        var android = Document(platform: .android)
        android[.minimumApp].value = .integer(try #require(AndroidVersion(300)))
        var source = PrinceOfVersionsExport.Source([android])
        source.clients = .all
        let version = try PrinceSamples.version(3, on: .android)
        let export = PrinceOfVersionsExport(source)
        #expect(export.notes == [.legacyNameMissing(version), .legacyMinimumMissing(version)])
        #expect(export.document.legacy?[.android]?.minimum == nil)
        #expect(export.document.legacy?[.android]?.latest?.text == "0.0.0")
        source.releases[.android] = [KnownRelease(version: version)]
        #expect(PrinceOfVersionsExport(source).notes == export.notes)
        android[.recommendedApp].value = android[.minimumApp].value
        android[.minimumApp].value = nil
        source = PrinceOfVersionsExport.Source([android])
        source.clients = .all
        #expect(PrinceOfVersionsExport(source).notes == [.legacyNameMissing(version)])
    }

    @Test func `a minimum that clients before 4.0 are not told of is named`() throws {
        var ios = Document(platform: .ios)
        ios.offers = [
            Offer(
                required: try PrinceSamples.version("3.2.0", on: .ios),
                requirements: OfferRequirements(system: try PrinceSamples.system(17, on: .ios))
            ),
            Offer(required: try PrinceSamples.version("3.0.0", on: .ios)),
        ]
        var source = PrinceOfVersionsExport.Source([ios])
        source.clients = .all
        let note = PrinceOfVersionsExport(source).notes.first { $0.code == "onlyOneLegacyOffer" }
        #expect(note?.sentence.hasSuffix("and not that others require 3.0.0.") == true)
    }

    @Test func `every note names its platform and says it in a sentence`() throws {
        let version = try PrinceSamples.version("3.0.0-1", on: .ios)
        let notes: [PrinceOfVersionsNote] = [
            .derived(.numberTooLong(.ios, .minimumApp)),
            .derived(.noSuchRelease(.ios, .minimumApp, newest: version)),
            .systemOnlyInMetadata(.ios, .minimumOS), .requiredAboveLast(.ios, 0),
            .lastOfferAdded(.ios), .onlyOneLegacyOffer(.ios, 0, []), .buildLeftOut(.ios, version),
            .legacyNameMissing(try PrinceSamples.version(3, on: .android)),
            .legacyMinimumMissing(try PrinceSamples.version(3, on: .android)),
        ]
        #expect(Set(notes.map(\.code)).count == notes.count)
        for note in notes {
            #expect(note.sentence.hasSuffix("."))
            #expect(note.json["platform"]?.string == note.platform.rawValue)
        }
    }
}
