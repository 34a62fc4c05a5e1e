package import PlimsollDomain
import PlimsollJSON

/// The document that an app's state makes for Prince of Versions, and what it cannot say.
package struct PrinceOfVersionsExport: Equatable, Sendable {
    package let document: PrinceOfVersionsDocument
    package let notes: [PrinceOfVersionsNote]

    /// One app as far as the format knows it.
    package struct Source: Equatable, Sendable {
        package let documents: [Document]
        /// What a store has, of which offers are derived where a document has none.
        package var releases: [Platform: [KnownRelease]] = [:]
        /// How many releases are known that are not among them.
        package var releasesLeftOut: [Platform: Int] = [:]
        package var clients: PrinceOfVersionsClients = .modern

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

    package init(_ source: Source, stamp: AppStamp? = nil) {
        var offers: [Platform: [Offer]] = [:]
        var legacy: [Platform: LegacyOffer] = [:]
        var notes: [PrinceOfVersionsNote] = []
        for document in source.documents {
            let platform = document.platform
            let list = source.published(document, &notes)
            offers[platform] = list
            if let kept = document.legacy {
                legacy[platform] = kept
                notes += kept.notes(beside: list, platform, source.releases[platform] ?? [])
            } else if source.clients == .all, platform.hasLegacyClients {
                legacy[platform] = LegacyOffer(
                    list,
                    platform,
                    source.releases[platform] ?? [],
                    &notes
                )
            }
        }
        let isForAll = source.clients == .all || !legacy.isEmpty
        notes += source.documents.map(\.platform).flatMap { platform in
            (offers[platform] ?? []).valueNotes(on: platform)
        }
        let shared = isForAll ? offers.metadataInCommon : [:]
        if isForAll { notes += offers.notes(sharing: shared) }
        self.document = PrinceOfVersionsDocument(
            offers: offers,
            legacy: isForAll ? legacy : nil,
            metadata: shared,
            stamp: stamp
        )
        self.notes = notes
    }
}

extension PrinceOfVersionsExport {
    /// What there is to say of platforms that are told something else than another export tells.
    package func notes(replacing before: PrinceOfVersionsExport) -> [PrinceOfVersionsNote] {
        let (now, then) = (document, before.document)
        return now.offers.keys.sorted().flatMap { platform -> [PrinceOfVersionsNote] in
            let own = notes.filter { $0.platform == platform }
            guard
                now.offers[platform] != then.offers[platform]
                    || now.legacy?[platform] != then.legacy?[platform]
            else {
                // What stands beside all platforms moves with the offers of any of them.
                return now.metadata == then.metadata ? [] : own.filter(\.isOfSharedMetadata)
            }
            let moved = now.offers[platform]?.lastVersionMoved(
                from: then.offers[platform] ?? [],
                platform
            )
            return own + [moved].compactMap(\.self)
        }
    }
}

extension [Offer] {
    /// What the newest devices are offered stands at the highest of the last versions.
    fileprivate func lastVersionMoved(
        from before: [Offer],
        _ platform: Platform
    ) -> PrinceOfVersionsNote? {
        guard let then = before.compactMap(\.last).max(), let now = compactMap(\.last).max(),
            now != then
        else { return nil }
        return now < then
            ? .lastVersionLowered(platform, from: then, to: now)
            : .lastVersionRaised(platform, from: then, to: now)
    }
}

extension PrinceOfVersionsExport.Source {
    /// What the platform's clients are told, and what there is to say about it.
    fileprivate func published(
        _ document: Document,
        _ notes: inout [PrinceOfVersionsNote]
    ) -> [Offer] {
        let platform = document.platform
        let published = PublishedOffers(document, releases: releases[platform] ?? [])
        let orderNotes = published.offers.orderNotes(on: platform)
        switch published.origin {
        case .derived(let found):
            notes += found.map(PrinceOfVersionsNote.derived) + document.systemNotes + orderNotes
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

extension [Platform: [Offer]] {
    /// What may stand beside all platforms, where alone clients before 4.0 look: what every offer of
    /// every platform hands on alike, so that no offer's devices are handed on what is another's.
    ///
    /// A platform that offers nothing is not asked, and its clients are handed the same; of a nested
    /// value some lose it all.
    fileprivate var metadataInCommon: [MetadataName: OfferValue] {
        let common = Array(tellingSomething.values.joined()).metadataInCommon
        return keys.contains(where: \.losesNestedValues)
            ? common.filter { !$0.value.isNested } : common
    }

    fileprivate func notes(sharing shared: [MetadataName: OfferValue]) -> [PrinceOfVersionsNote] {
        tellingSomething.keys.filter(\.hasLegacyClients).sorted().compactMap { platform in
            let names = Set(self[platform]?.flatMap(\.metadata.keys) ?? [])
            let missing = names.subtracting(shared.keys).sorted()
            return missing.isEmpty ? nil : .legacyMetadataMissing(platform, missing)
        }
    }

    private var tellingSomething: Self {
        filter { platform, offers in offers != [.nothing(on: platform)] }
    }
}

extension [Offer] {
    /// Clients differ in what they hand on of a value that is no text.
    fileprivate func valueNotes(on platform: Platform) -> [PrinceOfVersionsNote] {
        let names = flatMap { $0.metadata.filter { $0.value.json.string == nil }.keys }
        return names.isEmpty ? [] : [.valuesAsTexts(platform, Set(names).sorted())]
    }

    fileprivate func orderNotes(on platform: Platform) -> [PrinceOfVersionsNote] {
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
    fileprivate var systemNotes: [PrinceOfVersionsNote] {
        ThresholdName.allCases.filter { $0.isOfSystem && self[$0].value != nil }
            .map { .systemOnlyInMetadata(platform, $0) }
    }
}
