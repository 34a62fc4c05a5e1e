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
        "", "A", "minRam", "min_ram", "min-ram", "1a", "ä", String(repeating: "a", count: 65),
    ])
    func `a requirement has a name of one word`(name: String) {
        #expect(RequirementName(name) == nil)
    }

    @Test(arguments: ["", "a b", "a/b", "ä", String(repeating: "a", count: 101)])
    func `metadata have names that pass unchanged`(name: String) {
        #expect(MetadataName(name) == nil)
        #expect(MetadataName("required.title.de-AT_x") != nil)
    }
}
