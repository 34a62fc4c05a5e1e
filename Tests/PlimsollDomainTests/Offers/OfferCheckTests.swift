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
        let app = try #require(given.logState.app(harbour))
        return app.findings(applying: operations, under: .builtIn, at: testNow)
            .filter { $0.check == .offersBehind }
    }

    private func offers(
        _ versions: String?...,
        isOpenToAll: Bool = false
    ) throws -> PlimsollDomain.Operation {
        let systems = ["17.0.0", "16.0.0", "15.0.0"]
        var list = try versions.enumerated().map { index, version in
            Offer(
                required: try version.map(apple),
                last: try apple("9.0.0"),
                requirements: OfferRequirements(system: try apple(systems[index]))
            )
        }
        if isOpenToAll { list.append(Offer(required: try apple("9.0.0"))) }
        return Operation(.ios, offers: .set(list))
    }

    private func minimum(_ version: String) -> PlimsollDomain.Operation {
        Operation(.ios, .minimumApp, .setValue(dotted(version)))
    }

    @Test func `a minimum that offers do not know of is named, with their places`() throws {
        let found = try findings([minimum("5.0")], beside: [offers("5.0.0", "2.0.0", nil)])
        #expect(found.map(\.field.path) == ["ios.minimumApp.value"])
        let places = "at place 1, at place 2, for devices that meet none of them:"
        #expect(found.first?.sentence.contains(places) == true)
    }

    @Test func `offers that ask for less than the minimum are named`() throws {
        let found = try findings([offers("5.0.0", "4.9.9")], beside: [minimum("5.0")])
        #expect(found.map(\.field.path) == ["ios.offers"])
    }

    @Test func `nothing is found where both say the same, or one alone speaks`() throws {
        let fitting = try offers("5.0.0", "5.1.0", isOpenToAll: true)
        #expect(try findings([minimum("5.0")], beside: [fitting]) == [])
        #expect(try findings([minimum("5.0")], beside: []) == [])
        #expect(try findings([minimum("0")], beside: [offers(nil)]) == [])
        #expect(try findings([offers("1.0.0")], beside: []) == [])
        let other = Operation(.ios, .recommendedApp, .setValue(dotted("7.0")))
        #expect(try findings([other], beside: [minimum("5.0"), offers("1.0.0")]) == [])
    }

    @Test func `a minimum is named that knows nothing of the devices beside the offers`() throws {
        let found = try findings([minimum("5.0")], beside: [offers("5.0.0")])
        #expect(found.first?.sentence.contains("for devices that meet none of them") == true)
    }

    // Goal: whatever offers there are, a block leaves none that asks for less, and asks every device.
    @Test(arguments: [
        ["4.0.0"], [nil], ["5.0.0"], ["6.0.0", "5.0.0", "1.0.0"], ["1.0.0", nil],
    ])
    func `after a block no offer asks for less`(_ versions: [String?]) throws {
        for isOpen in [true, false] {
            var document = Document(platform: .ios)
            let systems = ["17.0.0", "16.0.0", "15.0.0"]
            document.offers = try versions.enumerated().map { index, version in
                let last = index == versions.count - 1 && isOpen
                return Offer(
                    required: try version.map(apple),
                    last: try apple("2.0.0"),
                    requirements: OfferRequirements(system: last ? nil : try apple(systems[index]))
                )
            }
            let floor = try apple("5.0.0")
            let raised = try #require(document.offers(blocking: dotted("5.0")))
            #expect(raised.allSatisfy { ($0.required ?? .nothing(on: .ios)) >= floor })
            #expect(raised.allSatisfy { $0.last.map { $0 >= floor } ?? true })
            #expect(raised.last?.requirements.isEmpty == true)
            #expect(raised.faults(on: .ios) == [])
            for (before, after) in zip(document.offers, raised) {
                #expect(after.requirements == before.requirements)
                let wasEnough = before.required.map { $0 >= floor } ?? false
                #expect(after.required == (wasEnough ? before.required : floor))
            }
            document.offers = raised
            #expect(document.offers(blocking: dotted("5.0")) == nil)
        }
    }

    @Test func `a block hands on what all offers handed on to devices that met none`() throws {
        let (store, step) = (
            try #require(MetadataName("store")), try #require(MetadataName("step"))
        )
        var document = Document(platform: .ios)
        document.offers = try ["17.0.0", "16.0.0"].map { system in
            Offer(
                required: try apple("3.0.0"),
                requirements: OfferRequirements(system: try apple(system)),
                metadata: [
                    store: OfferValue(try text("x")), step: OfferValue(try text(system)),
                ]
            )
        }
        let raised = try #require(document.offers(blocking: dotted("5.0")))
        #expect(raised.last?.requirements.isEmpty == true)
        #expect(raised.last?.metadata == [store: OfferValue(try text("x"))])
    }
}
