import PlimsollDocuments
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What the domain says that clients are told, against what clients make of the published bytes.
@Suite struct OfferAgreementTests {
    private static let clients: [PrinceOfVersionsClient] = [.ios408, .macos408, .android404, .jvm]

    // Goal: what is simulated is what is published. Method: random documents, with offers of their
    // own and without, and random releases are exported; the newest client of each platform reads
    // the bytes on random devices, and has to say what the decision on the document says.
    @Test(arguments: clients, SeededGenerator.seeds)
    func `the decision on offers is that of the newest client`(
        client: PrinceOfVersionsClient,
        seed: UInt64
    ) throws {
        var generator = OfferGenerator(client.platform, seed)
        var seen: Set<OfferVerdict> = []
        for _ in 0..<60 {
            let document = try generator.document()
            let releases = try generator.releases()
            var source = PrinceOfVersionsExport.Source([document])
            source.releases[document.platform] = releases
            let bytes = PrinceOfVersionsExport(source).document.bytes
            let published = PublishedOffers(document, releases: releases)
            for _ in 0..<12 {
                let device = try generator.device()
                var memory = PrinceOfVersionsMemory()
                let outcome = client.check(bytes, on: device.prince, remembering: &memory)
                let decided = published.outcome(on: device.offered)
                let words = "\(String(decoding: bytes, as: UTF8.self)) \(device.prince)"
                #expect(decided.verdict.rawValue == outcome.status.rawValue, "\(words)")
                #expect(decided.place == outcome.answer?.entry, "\(words)")
                seen.insert(decided.verdict)
            }
        }
        #expect(seen == Set(OfferVerdict.allCases))
    }
}

/// Documents, releases and devices of one platform that lie close enough together to meet.
private struct OfferGenerator {
    private let platform: Platform
    private var generator: SeededGenerator

    init(_ platform: Platform, _ seed: UInt64) {
        (self.platform, generator) = (platform, SeededGenerator(seed: seed))
    }

    struct Device {
        let prince: PrinceOfVersionsDevice
        let offered: OfferedDevice
    }

    mutating func document() throws -> Document {
        var document = Document(platform: platform)
        for name in platform.thresholds where Bool.random(using: &generator) {
            document[name].value = try value(number(), platform.versionKind)
        }
        if Bool.random(using: &generator) { document.offers = try offers() }
        return document
    }

    mutating func releases() throws -> [KnownRelease] {
        try (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            KnownRelease(version: try version(), system: isLucky() ? try system() : nil)
        }
    }

    mutating func device() throws -> Device {
        let (app, level) = (number(), number())
        let build = platform.offersBuilds ? Int32.random(in: 0...2, using: &generator) : 0
        let isTester = isLucky()
        var offered = OfferedDevice(
            app: try value(app, platform.versionKind),
            system: try value(level, platform.systemKind)
        )
        offered.build = build
        if isTester { offered.requirements = try PrinceSamples.custom(["tester": "yes"]) }
        return Device(
            prince: PrinceOfVersionsDevice(
                appVersion: offered.app.description,
                build: String(build),
                os: offered.system?.description ?? "",
                requirements: isTester ? ["tester": "yes"] : [:]
            ),
            offered: offered
        )
    }

    private mutating func offers() throws -> [Offer] {
        var offers: [Offer] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            var offer = Offer(
                required: isLucky() ? try version() : nil,
                last: isLucky() ? try version() : nil,
                notification: isLucky() ? .always : .once
            )
            if isLucky() { offer.requirements.system = try system() }
            if isLucky(of: 3) {
                offer.requirements.custom = try PrinceSamples.custom(["tester": "yes"])
            }
            // What the product would refuse is never published.
            if (offers + [offer]).faults(on: platform).isEmpty { offers.append(offer) }
        }
        return offers
    }

    private mutating func isLucky(of count: Int = 2) -> Bool {
        Int.random(in: 0..<count, using: &generator) == 0
    }

    private mutating func number() -> Int { Int.random(in: 1...6, using: &generator) }

    private mutating func version() throws -> OfferVersion {
        let build = platform.offersBuilds && isLucky(of: 3) ? "-\(number())" : ""
        let text = platform == .android ? "\(number())" : "\(number()).0.0\(build)"
        return try PrinceSamples.version(text, on: platform)
    }

    private mutating func system() throws -> OfferVersion {
        try PrinceSamples.system(number(), on: platform)
    }

    private func value(_ number: Int, _ kind: VersionKind) throws -> VersionValue {
        switch kind {
        case .dotted: .dotted(try #require(AppleVersion("\(number).0")))
        case .integer: .integer(try #require(AndroidVersion(Int64(number))))
        }
    }
}
