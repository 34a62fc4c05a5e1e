/// The offers of a platform as they are published: its own, or derived from thresholds and releases.
///
/// The last one never has requirements, so that one is selected on every device.
package struct PublishedOffers: Equatable, Sendable {
    package let offers: [Offer]
    package let origin: Origin

    /// Where they come from.
    package enum Origin: Equatable, Sendable {
        case own
        /// The platform's own, with one behind them that offers nothing to whoever is left.
        case ownWithLastAdded
        case derived([OfferNote])
    }

    package init(_ document: Document, releases: [KnownRelease]) {
        let own = document.offers
        guard !own.isEmpty else {
            let derived = DerivedOffers(
                document,
                releases: releases,
                metadata: document.offerMetadata
            )
            (offers, origin) = (derived.offers, .derived(derived.notes))
            return
        }
        let isOpen = own.isOpenToAll
        var last = Offer.nothing(on: document.platform)
        last.metadata = own.metadataInCommon
        offers = isOpen ? own : own + [last]
        origin = isOpen ? .own : .ownWithLastAdded
    }
}

extension [Offer] {
    /// What every one of them hands on alike.
    package var metadataInCommon: [MetadataName: OfferValue] {
        (first?.metadata ?? [:]).filter { name, value in
            dropFirst().allSatisfy { $0.metadata[name] == value }
        }
    }
}
