import PlimsollDomain
import Testing

@Suite struct OfferListTests {
    private func offer(_ version: String, system: String? = nil) throws -> Offer {
        Offer(
            last: try apple(version),
            requirements: OfferRequirements(system: try system.map(apple))
        )
    }

    @Test func `offers are inserted, moved, replaced and removed`() throws {
        let (a, b, c, d) = try (offer("1.0.0"), offer("2.0.0"), offer("3.0.0"), offer("4.0.0"))
        var list: [Offer] = []
        try list.apply(.insert(b, at: 0))
        try list.apply(.insert(a, at: 0))
        try list.apply(.insert(c, at: 2))
        #expect(list == [a, b, c])
        try list.apply(.move(from: 0, to: 2))
        #expect(list == [b, c, a])
        try list.apply(.move(from: 2, to: 0))
        #expect(list == [a, b, c])
        try list.apply(.replace(1, with: d))
        #expect(list == [a, d, c])
        try list.apply(.remove(0))
        #expect(list == [d, c])
    }

    @Test func `a place that is not there is refused, and nothing changes`() throws {
        let list = try [offer("1.0.0"), offer("2.0.0")]
        let edits: [(OfferEdit, Int)] = [
            (.insert(list[0], at: 3), 3), (.insert(list[0], at: -1), -1),
            (.move(from: 2, to: 0), 2),
            (.move(from: 0, to: 2), 2), (.replace(2, with: list[0]), 2), (.remove(-1), -1),
        ]
        for (edit, place) in edits {
            var edited = list
            #expect(throws: OfferPlaceMissing(place: place, count: 2)) { try edited.apply(edit) }
            #expect(edited == list)
        }
    }

    @Test func `a list that every client can use has no faults`() throws {
        let list = try [
            offer("3.0.0", system: "17.0.0"), offer("2.0.0", system: "15.0.0"), offer("1.0.0"),
        ]
        #expect(list.faults(on: .ios) == [])
    }

    @Test func `each fault is found where it stands`() throws {
        let good = try offer("1.0.0")
        let old = try offer("1.0.0", system: "15.0.0")
        #expect([Offer()].faults(on: .ios) == [.noVersion(0)])
        #expect([old, old, good].faults(on: .ios) == [.sameRequirements(1, asked: 0)])
        #expect([good, old].faults(on: .ios) == [.unreachable(1, behind: 0)])
        #expect([good, good].faults(on: .ios) == [.unreachable(1, behind: 0)])
        let built = try apple("1.0.0-5")
        #expect([Offer(last: built)].faults(on: .macos) == [])
        #expect([Offer(last: built)].faults(on: .jvm) == [.foreignVersion(0, built)])
        let number = try versionCode(5)
        #expect([Offer(last: number)].faults(on: .ios) == [.foreignVersion(0, number)])
        #expect([Offer(required: try versionCode(0))].faults(on: .android) == [.requiresNothing(0)])
        #expect([Offer(last: try versionCode(0))].faults(on: .android) == [])
        let system = OfferRequirements(system: built)
        #expect(
            [Offer(last: good.last, requirements: system)].faults(on: .ios)
                == [.foreignVersion(0, built)]
        )
    }

    @Test func `an offer that another one always comes before is never selected`() throws {
        let region = try #require(RequirementName("region"))
        func requiring(_ system: String?, _ custom: [String]) throws -> Offer {
            var requirements = OfferRequirements(system: try system.map(apple))
            for value in custom {
                requirements.custom[region] = OfferValue(try Text(validating: value))
            }
            return Offer(last: try apple("1.0.0"), requirements: requirements)
        }
        let cases: [(earlier: Offer, later: Offer, isCovered: Bool)] = [
            (try requiring("13.0.0", []), try requiring("17.0.0", []), true),
            (try requiring("13.0.0", []), try requiring("17.0.0", ["eu"]), true),
            (try requiring(nil, ["eu"]), try requiring("17.0.0", ["eu"]), true),
            (try requiring("17.0.0", []), try requiring("13.0.0", []), false),
            (try requiring("13.0.0", []), try requiring(nil, ["eu"]), false),
            (try requiring("13.0.0", ["eu"]), try requiring("17.0.0", []), false),
            (try requiring(nil, ["eu"]), try requiring("17.0.0", ["us"]), false),
        ]
        for (earlier, later, isCovered) in cases {
            #expect([earlier, later].faults(on: .ios) == (isCovered ? [.covered(1, by: 0)] : []))
        }
    }

    @Test func `the same system with another requirement is not the same`() throws {
        let system = try apple("15.0.0")
        let list = [
            Offer(
                last: system,
                requirements: OfferRequirements(system: system, custom: try requirement("a", "b"))
            ),
            Offer(
                last: system,
                requirements: OfferRequirements(system: system, custom: try requirement("a", "c"))
            ),
            Offer(last: system, requirements: OfferRequirements(system: system)),
        ]
        #expect(list.faults(on: .ios) == [])
    }

    @Test(arguments: [
        "", "_a", "min-ram", "min ram", "1a", "ä", String(repeating: "a", count: 65),
        "required_os_version", "requiredOsVersion", "required_jvm_version",
    ])
    func `a requirement has a name of letters, digits and underscores`(name: String) {
        #expect(RequirementName(name) == nil)
        #expect(["a", "minRam", "min_ram", "A1"].allSatisfy { RequirementName($0) != nil })
    }

    @Test(arguments: ["", "a b", "a/b", "ä", String(repeating: "a", count: 101)])
    func `metadata have names that pass unchanged`(name: String) {
        #expect(MetadataName(name) == nil)
        #expect(MetadataName("required.title.de-AT_x") != nil)
    }
}
