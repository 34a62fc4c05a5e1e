package import PlimsollDomain

/// A document for the clients of Prince of Versions, one for all platforms and generations.
///
/// The same document always has the same bytes, and every client reads them alike as far as
/// clients do that.
package struct PrinceDocument: Equatable, Sendable {
    /// At least one for each platform, the last of which asks nothing of a device.
    package let offers: [Platform: [Offer]]
    /// What clients before 4.0 read; `nil` in a document that is for those since.
    package let legacy: [Platform: LegacyOffer]?
    /// Handed on with every offer, and where none is met.
    package let metadata: [MetadataName: OfferValue]
    /// `nil` in documents that this service did not publish.
    package let stamp: PrinceStamp?

    package static let mediaType = "application/json"

    /// The last segment of its address.
    package static var fileName: FileName {
        guard let name = FileName("prince-of-versions.json") else {
            preconditionFailure("the name is within the grammar")
        }
        return name
    }

    package init(
        offers: [Platform: [Offer]],
        legacy: [Platform: LegacyOffer]? = nil,
        metadata: [MetadataName: OfferValue] = [:],
        stamp: PrinceStamp? = nil
    ) {
        for (platform, offers) in offers {
            precondition(
                offers.last?.requirements.isEmpty == true && offers.faults(on: platform).isEmpty,
                "only offers that every client can read are published"
            )
        }
        (self.offers, self.legacy) = (offers, legacy)
        (self.metadata, self.stamp) = (metadata, stamp)
    }
}

extension Platform {
    /// Where clients since 4.0 look for its offers.
    func offersKey(besideLegacy: Bool) -> String {
        besideLegacy && hasLegacyClients ? "\(rawValue)2" : rawValue
    }

    /// What the requirement on the system is called.
    var systemRequirement: String {
        self == .jvm ? "required_jvm_version" : "required_os_version"
    }
}
