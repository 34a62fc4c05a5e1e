import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What a device is told by the offers that are published, and why.
@Suite struct OfferOutcomeTests {
    private func published(_ offers: [Offer]) -> PublishedOffers {
        var document = Document(platform: .ios)
        document.offers = offers
        return PublishedOffers(document, releases: [])
    }

    private func outcome(
        _ offers: [Offer],
        _ app: String,
        on system: String? = "16.0",
        build: Int32 = 0,
        meeting requirements: [RequirementName: OfferValue] = [:]
    ) -> OfferOutcome {
        var device = OfferedDevice(app: dotted(app), system: system.map { dotted($0) })
        device.build = build
        device.requirements = requirements
        return published(offers).outcome(on: device)
    }

    @Test func `the first offer that is met decides, whatever stands behind it`() throws {
        let offers = [
            Offer(
                required: try apple("3.2.0"),
                last: try apple("3.4.0"),
                requirements: OfferRequirements(system: try apple("15.0.0"))
            ),
            Offer(required: try apple("9.0.0")),
        ]
        let required = outcome(offers, "3.1")
        #expect(required.verdict == .updateRequired && required.place == 0)
        #expect(try required.version == apple("3.4.0"))
        #expect(
            required.because
                == "the app is older than 3.2.0, which offer 0, from 15.0.0 on, requires"
        )
        let offered = outcome(offers, "3.2")
        #expect(offered.verdict == .updateOffered)
        #expect(try offered.version == apple("3.4.0"))
        #expect(
            offered.because
                == "the app is older than 3.4.0, which offer 0, from 15.0.0 on, has as the last"
                + " version"
        )
        let current = outcome(offers, "3.4.0")
        #expect(current.verdict == .noUpdate && current.version == nil)
        #expect(current.because == "offer 0, from 15.0.0 on, asks for nothing newer")
        let old = outcome(offers, "3.4.0", on: "14.9")
        #expect(old.verdict == .updateRequired && old.place == 1)
        #expect(
            old.because == "the app is older than 9.0.0, which offer 1, for everybody, requires"
        )
    }

    @Test func `whom no offer is for is offered nothing, by the one that is added`() throws {
        let system = OfferRequirements(system: try apple("15.0.0"))
        let offers = [Offer(required: try apple("9.0.0"), requirements: system)]
        #expect(published(offers).origin == .ownWithLastAdded)
        let outcome = outcome(offers, "1", on: "14.0")
        #expect(outcome.verdict == .noUpdate && outcome.place == 1)
    }

    @Test func `what only the app can check is not met, and that is said`() throws {
        let region = try requirement("region", "eu")
        let offers = [
            Offer(required: try apple("9.0.0"), requirements: OfferRequirements(custom: region)),
            Offer(last: try apple("2.0.0")),
        ]
        let stranger = outcome(offers, "3")
        #expect(stranger.verdict == .noUpdate && stranger.place == 1)
        #expect(
            stranger.because
                == "offer 1, for everybody, asks for nothing newer; offer 0 asks what only the app"
                + " can check, and is not met here"
        )
        #expect(outcome(offers, "3", meeting: region).verdict == .updateRequired)
        let other = try requirement("region", "us")
        #expect(outcome(offers, "3", meeting: other).verdict == .noUpdate)
    }

    @Test func `a system that is not known meets every offer`() throws {
        let newest = OfferRequirements(system: try apple("99.0.0"))
        let offers = [
            Offer(required: try apple("9.0.0"), requirements: newest), .nothing(on: .ios),
        ]
        #expect(outcome(offers, "3", on: nil).verdict == .updateRequired)
        #expect(outcome(offers, "3", on: "98").verdict == .noUpdate)
    }

    @Test func `a build counts where it is known, and as 0 where it is not`() throws {
        let offers = [Offer(required: try apple("3.2.0-15"))]
        #expect(outcome(offers, "3.2").verdict == .updateRequired)
        #expect(outcome(offers, "3.2", build: 14).verdict == .updateRequired)
        #expect(outcome(offers, "3.2", build: 15).verdict == .noUpdate)
        #expect(outcome(offers, "3.2.1").verdict == .noUpdate)
    }

    @Test func `offers that are derived say so`() throws {
        var document = Document(platform: .android)
        document[.minimumApp].value = code(300)
        let device = OfferedDevice(app: code(299), system: code(30))
        let outcome = PublishedOffers(document, releases: []).outcome(on: device)
        #expect(outcome.verdict == .updateRequired)
        #expect(
            outcome.because
                == "the app is older than 300, which derived offer 0, for everybody, requires"
        )
    }
}
