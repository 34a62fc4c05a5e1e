import PlimsollDomain
import PlimsollTestSupport
import Testing

/// A minimum and the offers beside it, of which each is told to other clients.
@Suite struct OfferCheckTests {
    private func findings(
        _ operations: [PlimsollDomain.Operation],
        beside earlier: [PlimsollDomain.Operation]
    ) throws -> [CheckFinding] {
        var given = try Given.harbourApp()
        for operation in earlier {
            given = given.when(.system, (.app(harbour), .app(AppEvent(operation))))
        }
        let app = try #require(given.world.app(harbour))
        return app.findings(applying: operations, under: .builtIn, at: testNow)
            .filter { $0.check == .offersBehind }
    }

    private func offers(_ versions: String?...) throws -> PlimsollDomain.Operation {
        let systems = ["17.0.0", "16.0.0", "15.0.0"]
        let list = try versions.enumerated().map { index, version in
            Offer(
                required: try version.map(apple),
                last: try apple("9.0.0"),
                requirements: OfferRequirements(system: try apple(systems[index]))
            )
        }
        return Operation(.ios, offers: .set(list))
    }

    private func minimum(_ version: String) -> PlimsollDomain.Operation {
        Operation(.ios, .minimumApp, .setValue(dotted(version)))
    }

    @Test func `a minimum that offers do not know of is named, with their places`() throws {
        let found = try findings([minimum("5.0")], beside: [offers("5.0.0", "2.0.0", nil)])
        #expect(found.map(\.field.path) == ["ios.minimumApp.value"])
        #expect(found.first?.sentence.contains("places 1, 2:") == true)
    }

    @Test func `offers that ask for less than the minimum are named`() throws {
        let found = try findings([offers("5.0.0", "4.9.9")], beside: [minimum("5.0")])
        #expect(found.map(\.field.path) == ["ios.offers"])
    }

    @Test func `nothing is found where both say the same, or one alone speaks`() throws {
        #expect(try findings([minimum("5.0")], beside: [offers("5.0.0", "5.1.0")]) == [])
        #expect(try findings([minimum("5.0")], beside: []) == [])
        #expect(try findings([minimum("0")], beside: [offers(nil)]) == [])
        #expect(try findings([offers("1.0.0")], beside: []) == [])
        let other = Operation(.ios, .recommendedApp, .setValue(dotted("7.0")))
        #expect(try findings([other], beside: [minimum("5.0"), offers("1.0.0")]) == [])
    }
}
