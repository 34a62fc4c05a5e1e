import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct DerivedOffersTests {
    private func ios(_ minimum: String?, _ recommended: String?) throws -> Document {
        var document = Document(platform: .ios)
        document[.minimumApp].value = try minimum.map { .dotted(try #require(AppleVersion($0))) }
        document[.recommendedApp].value = try recommended.map {
            .dotted(try #require(AppleVersion($0)))
        }
        return document
    }

    private func release(_ version: String, _ system: String? = nil) throws -> KnownRelease {
        KnownRelease(version: try apple(version), system: try system.map(apple))
    }

    private func offer(
        _ required: String?,
        _ last: String?,
        system: String? = nil
    ) throws -> Offer {
        Offer(
            required: try required.map(apple),
            last: try last.map(apple),
            requirements: OfferRequirements(system: try system.map(apple))
        )
    }

    @Test func `without releases the thresholds are one offer`() throws {
        #expect(
            DerivedOffers(try ios("3.1", "3.2")).offers == [try offer("3.1.0", "3.2.0")]
        )
        #expect(DerivedOffers(try ios("3.1", nil)).offers == [try offer("3.1.0", nil)])
        #expect(DerivedOffers(try ios(nil, "3.2")).offers == [try offer(nil, "3.2.0")])
    }

    @Test(arguments: Platform.allCases)
    func `without thresholds nothing is offered to anybody`(platform: Platform) throws {
        let offers = DerivedOffers(Document(platform: platform)).offers
        #expect(offers == [.nothing(on: platform)])
        #expect(offers.faults(on: platform) == [])
        #expect(DerivedOffers(try ios("0", "0.0")).offers == [.nothing(on: .ios)])
    }

    @Test func `no device is asked for what it cannot install`() throws {
        let releases =
            try [release("2.0.0", "12.0.0"), release("3.0.0", "15.0.0")]
            + [release("4.0.0", "17.0.0")]
        let derived = DerivedOffers(try ios("3.0", "4.0"), releases: releases)
        #expect(
            derived.offers == [
                try offer("3.0.0", "4.0.0", system: "17.0.0"),
                try offer("3.0.0", "3.0.0", system: "15.0.0"),
                try offer("2.0.0", "2.0.0", system: "12.0.0"), .nothing(on: .ios),
            ]
        )
        #expect(derived.notes == [])
    }

    @Test func `a release that every device can install is what is left`() throws {
        let releases = try [release("1.0.0"), release("4.0.0", "17.0.0")]
        #expect(
            DerivedOffers(try ios("3.0", "4.0"), releases: releases).offers == [
                try offer("3.0.0", "4.0.0", system: "17.0.0"), try offer("1.0.0", "1.0.0"),
            ]
        )
    }

    @Test func `what an older system is offered too is not said twice`() throws {
        let releases = try [release("3.0.0", "15.0.0"), release("4.0.0", "17.0.0")]
        #expect(
            DerivedOffers(try ios("2.0", "3.0"), releases: releases).offers == [
                try offer("2.0.0", "3.0.0", system: "15.0.0"), .nothing(on: .ios),
            ]
        )
        let all = try [release("3.0.0"), release("4.0.0", "17.0.0")]
        #expect(
            DerivedOffers(try ios("2.0", "3.0"), releases: all).offers
                == [try offer("2.0.0", "3.0.0")]
        )
    }

    @Test func `releases without a system bring no requirements`() throws {
        let releases = try [release("3.0.0"), release("4.0.0")]
        #expect(
            DerivedOffers(try ios("2.0", "4.0"), releases: releases).offers
                == [try offer("2.0.0", "4.0.0")]
        )
    }

    @Test func `a line above every known release is kept and noted`() throws {
        let derived = DerivedOffers(
            try ios("5.0", nil),
            releases: try [release("3.0.0", "15.0.0"), release("4.0.0", "17.0.0")]
        )
        #expect(derived.offers.first == (try offer("5.0.0", nil, system: "17.0.0")))
        #expect(
            derived.notes == [.noSuchRelease(.ios, .minimumApp, newest: try apple("4.0.0"))]
        )
    }

    @Test func `a number that clients read differently is left out and noted`() throws {
        let derived = DerivedOffers(try ios("1.1000000000", "3.0"))
        #expect(derived.offers == [try offer(nil, "3.0.0")])
        #expect(derived.notes == [.numberTooLong(.ios, .minimumApp)])
    }

    @Test(arguments: SeededGenerator.seeds)
    func `whatever releases there are, the list has no faults`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let releases = try (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                try release(
                    "\(Int.random(in: 0...5, using: &generator)).0.0",
                    Bool.random(using: &generator)
                        ? nil : "\(Int.random(in: 12...16, using: &generator)).0.0"
                )
            }
            let values = (0..<2).map { _ in
                Bool.random(using: &generator) ? nil : "\(Int.random(in: 0...5, using: &generator))"
            }
            let offers = DerivedOffers(try ios(values[0], values[1]), releases: releases).offers
            #expect(offers.faults(on: .ios) == [], "\(releases) \(values)")
            #expect(offers.last?.requirements.isEmpty == true)
        }
    }

    @Test func `texts and the lines for the system become metadata`() throws {
        var document = try ios("3.0", nil)
        let german = try #require(LanguageTag("de-AT"))
        document[.minimumApp].titles[german] = try Text(validating: "Alt")
        document[.minimumOS].value = .dotted(try #require(AppleVersion("15.0")))
        document[.recommendedOS].descriptions[german] = try Text(validating: "Neuer")
        let texts = document.offerMetadata.map { "\($0.text)=\($1.text)" }.sorted()
        #expect(
            texts == [
                "recommended.os.description.de-AT=Neuer", "required.os=15.0",
                "required.title.de-AT=Alt",
            ]
        )
    }
}
