import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What releases say of a platform's own offers: the same as of thresholds.
@Suite struct OfferReleaseCheckTests {
    private func release(
        _ version: String,
        needing system: String?,
        inStore: Bool = true
    ) -> AppEvent {
        let facts = ReleaseFacts(
            system: system.map(dotted),
            liveSince: inStore ? testNow.advanced(by: .seconds(-90 * 86_400)) : nil
        )
        return .releaseRegistered(
            Release(platform: .ios, version: dotted(version), facts: facts)
        )
    }

    private func found(
        _ offers: [Offer],
        replacing earlier: [Offer] = [],
        among releases: [AppEvent]
    ) throws -> [CheckFinding] {
        var given = try Given.harbourApp()
        let before = Operation(.ios, offers: .set(earlier))
        for event in releases + (earlier.isEmpty ? [] : [AppEvent(before)]) {
            given = given.when(.system, (.app(harbour), .app(event)))
        }
        let app = try #require(given.logState.app(harbour))
        let operation = Operation(.ios, offers: .set(offers))
        return app.findings(applying: [operation], under: .builtIn, at: testNow)
    }

    private func offer(
        _ required: String? = nil,
        last: String? = nil,
        from system: String? = nil
    ) throws -> Offer {
        Offer(
            required: try required.map(apple),
            last: try last.map(apple),
            requirements: OfferRequirements(system: try system.map(apple))
        )
    }

    private var fleet: [AppEvent] {
        [release("3.1.0", needing: "14.0"), release("3.2.0", needing: "15.0")]
    }

    @Test func `a required version that does not exist is named with its place`() throws {
        let offers = try [offer("9.9.9", from: "17.0.0"), offer("3.1.0")]
        let found = try found(offers, among: fleet)
        #expect(found.map(\.check) == [.minimumUnreleased])
        #expect(found.first?.field.path == "ios.offers")
        let sentence = found.first?.sentence ?? ""
        #expect(sentence.contains("of offer 0 in ios.offers is 9.9.9"), "\(sentence)")
        #expect(sentence.contains("3.2.0"), "\(sentence)")
    }

    @Test func `a build is not told apart among releases`() throws {
        #expect(try found([offer("3.2.0-7", from: "15.0.0")], among: fleet) == [])
    }

    @Test func `nobody is told to install what does not run where the offer is for`() throws {
        #expect(try found([offer("3.2.0")], among: fleet).map(\.check) == [.minimumUninstallable])
        let low = try offer("3.2.0", from: "14.0.0")
        #expect(try found([low], among: fleet).map(\.check) == [.minimumUninstallable])
        let high = try offer("3.2.0", from: "15.0.0")
        #expect(try found([high, offer("3.1.0")], among: fleet) == [])
    }

    @Test func `a last version that the store does not have is named`() throws {
        let coming = fleet + [release("3.3.0", needing: "15.0", inStore: false)]
        let offers = try [offer(last: "3.3.0"), offer("3.3.0", from: "15.0.0")]
        #expect(
            try found(offers.reversed(), among: coming).map(\.check)
                == [.releaseNotInStore, .releaseNotInStore]
        )
        #expect(
            try found([offer(last: "4.0.0")], among: fleet).map(\.check) == [.releaseNotInStore]
        )
        #expect(try found([offer(last: "0.0.0")], among: fleet) == [])
    }

    @Test func `an offer that requires more than it offers, or less than before, is named`() throws
    {
        let above = try found([offer("3.2.0", last: "3.1.0", from: "15.0.0")], among: fleet)
        #expect(above.map(\.check) == [.minimumAboveRecommended])
        let earlier = try offer("3.2.0", from: "15.0.0")
        let fallen = try found(
            [offer("3.1.0", from: "15.0.0")],
            replacing: [earlier],
            among: fleet
        )
        #expect(fallen.map(\.check) == [.minimumLowered])
    }

    // Goal: who takes an offer away that held people back is told so, as who lowers it is.
    @Test func `an offer that is taken away is named where less is required in its place`() throws {
        let (high, low) = (try offer("3.2.0", from: "15.0.0"), try offer("3.1.0"))
        let minima = ["3.1", "3.2"].map {
            AppEvent(Operation(.ios, .minimumApp, .setValue(dotted($0))))
        }
        #expect(
            try found([low], replacing: [high, low], among: []).map(\.sentence) == [
                "the required version of what was offer 0 in ios.offers of 3.2.0 is taken away:"
                    + " versions run again that did not."
            ]
        )
        for among in [[], [minima[0]]] {
            let found = try found([], replacing: [high], among: among)
            #expect(found.map(\.check) == [.minimumLowered])
        }
        #expect(try found([], replacing: [high], among: [minima[1]]) == [])
        #expect(try found([offer("3.2.0")], replacing: [high, low], among: []) == [])
        #expect(try found([high], replacing: [high, offer(last: "3.1.0")], among: []) == [])
    }

    // Goal: who puts or moves an offer in front of one that held people back is told so. Method:
    // devices in the one region, with the one system, or with both, meet either of two offers.
    @Test func `an offer that comes to stand in front of another is named where it requires less`()
        throws
    {
        func sentences(_ offers: [Offer], replacing earlier: [Offer]) throws -> [String] {
            try found(offers, replacing: earlier, among: []).map(\.sentence)
        }
        let (all, low, high) = (
            try offer("3.2.0"), try offer("3.1.0", from: "15.0.0"),
            try offer("3.3.0", from: "15.0.0")
        )
        let told =
            "offer 0 in ios.offers is told to devices that met one which required 3.2.0:"
            + " versions run again that did not."
        #expect(try sentences([low, all], replacing: [all]) == [told])
        #expect(try sentences([high, all], replacing: [all]) == [])
        var region = all
        region.requirements.custom = try requirement("region", "eu")
        #expect(try sentences([low, region], replacing: [region, low]) == [told])
        #expect(try sentences([region, low], replacing: [low, region]) == [])
        var elsewhere = low
        elsewhere.requirements.custom = try requirement("region", "us")
        #expect(try sentences([elsewhere, region], replacing: [region]) == [])
        let nothing = try offer(last: "9.0.0", from: "15.0.0")
        #expect(try sentences([nothing, all], replacing: [all]) == [told])
    }

    @Test func `an offer that stood there before is not looked at again`() throws {
        let wrong = try offer("9.9.9", from: "17.0.0")
        let found = try found([wrong, offer("3.1.0")], replacing: [wrong], among: fleet)
        #expect(found == [])
    }

    @Test func `nothing is said of releases where none is known`() throws {
        #expect(try found([offer("9.9.9", last: "9.9.9")], among: []) == [])
    }
}
