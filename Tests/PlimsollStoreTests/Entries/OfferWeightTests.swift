import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Testing

/// What an offer is said to weigh, and what it takes where it is recorded.
@Suite struct OfferWeightTests {
    private let longest = "999999999.999999999.999999999"

    private func bytes(_ offer: Offer) -> Int {
        offer.data.canonicalBytes().count
    }

    @Test func `an offer with the longest versions takes no more than its weight`() throws {
        let version = try #require(OfferVersion(written: "\(longest)-999999999", on: .ios))
        let system = try #require(OfferVersion(written: longest, on: .ios))
        let metadata = try #require(MetadataName("m"))
        let requirement = try #require(RequirementName("r"))
        let offer = Offer(
            required: version,
            last: version,
            notification: .always,
            requirements: OfferRequirements(
                system: system,
                custom: [requirement: OfferValue(try text("v"))]
            ),
            metadata: [metadata: OfferValue(try text("v"))]
        )
        #expect(bytes(offer) < offer.weight)
    }

    // What stands around a name and a text of one letter each is longer than both.
    @Test func `a great many short metadata take no more than their weight`() throws {
        var offer = Offer(last: .nothing(on: .ios))
        for number in 0..<9000 {
            let name = try #require(MetadataName(String(number, radix: 36)))
            offer.metadata[name] = OfferValue(
                try text(number.isMultiple(of: 2) ? "\"" : "v")
            )
        }
        #expect(bytes(offer) < offer.weight)
        #expect(offer.weight > Offer.weightMaximum)
    }
}
