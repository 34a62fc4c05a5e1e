/// The offers of a platform that has none of its own, from its thresholds and known releases.
///
/// The most demanding system comes first and is offered what the thresholds say. Devices on older
/// systems are offered the last release that they can install, and none is asked for more than
/// that. The last offer asks nothing of a device: it leads to a release that every device can
/// install, or nowhere.
package struct DerivedOffers: Equatable, Sendable {
    package let offers: [Offer]
    package let notes: [OfferNote]

    package init(
        _ document: Document,
        releases: [KnownRelease] = [],
        metadata: [MetadataName: OfferValue] = [:]
    ) {
        var notes: [OfferNote] = []
        let goal = Goal(document, &notes)
        var offers: [Offer] = []
        if let newest = releases.map(\.version).max() {
            notes += goal.notes(beyond: newest, on: document.platform)
            offers = goal.offers(among: releases)
        }
        offers.append(goal.last(releases, on: document.platform))
        offers = offers.withoutRepeats
        for index in offers.indices { offers[index].metadata = metadata }
        self.offers = offers
        self.notes = notes
    }
}

/// The versions that the thresholds ask for.
private struct Goal {
    let required: OfferVersion?
    let last: OfferVersion?

    init(_ document: Document, _ notes: inout [OfferNote]) {
        func version(_ name: ThresholdName) -> OfferVersion? {
            guard let value = document[name].value, value.holdsSomebodyBack else { return nil }
            let version = OfferVersion(value)
            if version == nil { notes.append(.numberTooLong(document.platform, name)) }
            return version
        }
        required = version(.minimumApp)
        last = version(.recommendedApp)
    }

    /// One offer for each system that a release needs, the most demanding first.
    func offers(among releases: [KnownRelease]) -> [Offer] {
        releases.newestBySystem.reversed().enumerated().map { index, step in
            // The newest systems keep the line as it was drawn, also where no release is known.
            offer(
                upTo: index == 0 ? nil : step.newest,
                on: OfferRequirements(system: step.system)
            )
        }
    }

    /// What is left for every other device.
    func last(_ releases: [KnownRelease], on platform: Platform) -> Offer {
        let installable = releases.filter { $0.system == nil }.map(\.version)
        let isLineKept = installable.count == releases.count
        guard isLineKept || !installable.isEmpty else { return .nothing(on: platform) }
        let left = offer(upTo: isLineKept ? nil : installable.max(), on: OfferRequirements())
        return left.required == nil && left.last == nil ? .nothing(on: platform) : left
    }

    func notes(beyond newest: OfferVersion, on platform: Platform) -> [OfferNote] {
        [(ThresholdName.minimumApp, required), (.recommendedApp, last)].compactMap {
            name,
            version in
            guard let version, version > newest else { return nil }
            return .noSuchRelease(platform, name, newest: newest)
        }
    }

    private func offer(upTo ceiling: OfferVersion?, on requirements: OfferRequirements) -> Offer {
        func capped(_ version: OfferVersion?) -> OfferVersion? {
            version.map { version in ceiling.map { min($0, version) } ?? version }
        }
        let required = capped(required).flatMap { $0.isNothing ? nil : $0 }
        return Offer(required: required, last: capped(last), requirements: requirements)
    }
}

extension [KnownRelease] {
    /// The systems that releases need, the oldest first, and the newest version that each can run.
    fileprivate var newestBySystem: [(system: OfferVersion, newest: OfferVersion)] {
        var newest = filter { $0.system == nil }.map(\.version).max()
        return Dictionary(grouping: self, by: \.system)
            .compactMap { system, releases in system.map { ($0, releases) } }
            .sorted { $0.0 < $1.0 }
            .compactMap { system, releases in
                newest = ([newest].compactMap(\.self) + releases.map(\.version)).max()
                return newest.map { (system, $0) }
            }
    }
}

extension [Offer] {
    /// Leaves out offers without versions, and those that the next one says again of more devices.
    fileprivate var withoutRepeats: [Offer] {
        let versioned = enumerated().filter { index, offer in
            index + 1 == count || offer.required != nil || offer.last != nil
        }.map(\.element)
        return versioned.enumerated().filter { index, offer in
            guard index + 1 < versioned.count else { return true }
            let next = versioned[index + 1]
            return offer.required != next.required || offer.last != next.last
        }.map(\.element)
    }
}

/// What is to be known about offers that are published, and stops nobody.
package enum OfferNote: Hashable, Sendable {
    /// A threshold cannot be told, because clients read its version differently.
    case numberTooLong(Platform, ThresholdName)
    /// No release is known that clears the threshold.
    case noSuchRelease(Platform, ThresholdName, newest: OfferVersion)
}

/// A version that can be installed, and the system that it needs.
package struct KnownRelease: Hashable, Sendable {
    package let version: OfferVersion
    /// `nil` where it runs on every system that the app ever ran on.
    package let system: OfferVersion?
    /// What people call it, where the version is a code.
    package let name: VersionName?

    package init(version: OfferVersion, system: OfferVersion? = nil, name: VersionName? = nil) {
        self.version = version
        self.system = system
        self.name = name
    }
}

extension ReleaseCatalog {
    /// The releases of a platform that its store had by then, as offers speak of them.
    package func known(on platform: Platform, at instant: Instant) -> [KnownRelease] {
        releases(on: platform).known(at: instant)
    }
}

extension [Release] {
    /// Those of one platform that its store had by then, as offers speak of them.
    func known(at instant: Instant) -> [KnownRelease] {
        compactMap { release in
            guard let since = release.facts.liveSince, since <= instant,
                let version = OfferVersion(release.version)
            else { return nil }
            let name = release.facts.name
            guard let system = release.facts.system else {
                return KnownRelease(version: version, name: name)
            }
            return OfferVersion(system).map {
                KnownRelease(version: version, system: $0, name: name)
            }
        }
    }
}

/// Which generations of Prince of Versions an app's document is for.
package enum PrinceOfVersionsClients: String, Codable, CaseIterable, Sendable {
    /// Those since 4.0.
    case modern
    /// Those before it too, which read objects of their own.
    case all
}
