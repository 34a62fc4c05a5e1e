package import PlimsollDomain

/// The document that an app's state makes for Prince of Versions, and what it cannot say.
package struct PrinceExport: Equatable, Sendable {
    package let document: PrinceDocument
    package let notes: [PrinceNote]

    /// One app as far as the format knows it.
    package struct Source: Equatable, Sendable {
        package let documents: [Document]
        /// What a store has, of which offers are derived where a document has none.
        package var releases: [Platform: [KnownRelease]] = [:]
        /// How many releases are known that are not among them.
        package var releasesLeftOut: [Platform: Int] = [:]
        package var clients: PrinceClients = .modern

        package init(_ documents: [Document]) {
            self.documents = documents
        }

        /// Takes those releases that stores had by then.
        package mutating func take(_ book: ReleasesTold, at instant: Instant) {
            for platform in documents.map(\.platform) {
                let told = book.told(on: platform, at: instant)
                releases[platform] = told
                let versions = Set(told.map(\.version))
                releasesLeftOut[platform] = book.known.releases(on: platform).count { release in
                    OfferVersion(release.version).map { !versions.contains($0) } ?? true
                }
            }
        }
    }

    package init(_ source: Source, stamp: PrinceStamp? = nil) {
        var offers: [Platform: [Offer]] = [:]
        var legacy: [Platform: LegacyOffer] = [:]
        var notes: [PrinceNote] = []
        for document in source.documents {
            let platform = document.platform
            let list = source.published(document, &notes)
            offers[platform] = list
            if source.clients == .all, platform.hasLegacyClients {
                legacy[platform] = LegacyOffer(
                    list,
                    platform,
                    source.releases[platform] ?? [],
                    &notes
                )
            }
        }
        self.document = PrinceDocument(
            offers: offers,
            legacy: source.clients == .all ? legacy : nil,
            stamp: stamp
        )
        self.notes = notes
    }
}

extension PrinceExport.Source {
    /// What the platform's clients are told, and what there is to say about it.
    fileprivate func published(_ document: Document, _ notes: inout [PrinceNote]) -> [Offer] {
        let platform = document.platform
        let published = PublishedOffers(document, releases: releases[platform] ?? [])
        let orderNotes = published.offers.orderNotes(on: platform)
        switch published.origin {
        case .derived(let found):
            notes += found.map(PrinceNote.derived) + document.systemNotes + orderNotes
            if let count = releasesLeftOut[platform], count > 0 {
                notes.append(.releasesLeftOut(platform, count))
            }
        case .own, .ownWithLastAdded:
            if document.hasThresholds { notes.append(.thresholdsNotTold(platform)) }
            notes += orderNotes
            if published.origin == .ownWithLastAdded { notes.append(.lastOfferAdded(platform)) }
        }
        return published.offers
    }
}

extension [Offer] {
    fileprivate func orderNotes(on platform: Platform) -> [PrinceNote] {
        enumerated().compactMap { place, offer in
            guard let required = offer.required, let last = offer.last, required > last else {
                return nil
            }
            return .requiredAboveLast(platform, place)
        }
    }
}

extension Document {
    /// The lines for the system, of which clients only hand the metadata on.
    fileprivate var systemNotes: [PrinceNote] {
        ThresholdName.allCases.filter { $0.isOfSystem && self[$0].value != nil }
            .map { .systemOnlyInMetadata(platform, $0) }
    }
}
