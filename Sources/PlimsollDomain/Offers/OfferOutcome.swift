/// What clients of Prince of Versions since 4.0 tell an app that asks for the first time.
package struct OfferOutcome: Equatable, Sendable {
    package let verdict: OfferVerdict
    /// Where the selected offer stands among those that are published, from 0 on.
    package let place: Int
    /// Where an update leads; `nil` where there is none.
    package let version: OfferVersion?
    /// Which offer decided, as a clause.
    package let because: String

    package init(verdict: OfferVerdict, place: Int, version: OfferVersion?, because: String) {
        self.verdict = verdict
        self.place = place
        self.version = version
        self.because = because
    }
}

/// What becomes of an app, in the words of the format.
package enum OfferVerdict: String, CaseIterable, Sendable {
    case updateRequired = "REQUIRED_UPDATE_NEEDED"
    case updateOffered = "NEW_UPDATE_AVAILABLE"
    case noUpdate = "NO_UPDATE_AVAILABLE"
}

/// What a client of Prince of Versions knows of its app and of the device.
package struct OfferedDevice: Equatable, Sendable {
    package let app: VersionValue
    /// `CFBundleVersion`, on Apple's platforms alone; 0 is what clients take where it is no number.
    package var build: Int32 = 0
    /// `nil` where it is not known: then it counts as new enough for every offer, as no minimum of
    /// the system holds such a device back.
    package let system: VersionValue?
    /// Which values the app's own checkers accept; a requirement without a checker is not met.
    package var requirements: [RequirementName: OfferValue] = [:]

    package init(app: VersionValue, system: VersionValue?) {
        (self.app, self.system) = (app, system)
    }
}

extension PublishedOffers {
    /// What the device is told: the first offer that it meets decides, whatever stands behind it.
    package func outcome(on device: OfferedDevice) -> OfferOutcome {
        guard let place = offers.place(selectedOn: device) else {
            preconditionFailure("the last offer that is published has no requirements")
        }
        let verdict = offers[place].verdict(on: device)
        return OfferOutcome(
            verdict: verdict,
            place: place,
            version: offers[place].version(of: verdict),
            because: because(place, verdict) + passedOver(place, device)
        )
    }

    /// The offer of all devices on a system, whatever the version of the app, where it checks nothing
    /// by itself.
    func selected(on system: VersionValue) -> Offer? {
        offers.first { $0.requirements.isSystemMet(by: system) && $0.requirements.custom.isEmpty }
    }

    private func because(_ place: Int, _ verdict: OfferVerdict) -> String {
        let offer = offers[place]
        let subject = "\(noun) \(place), \(offer.requirements.sentence),"
        switch verdict {
        case .updateRequired:
            return "the app is older than \(offer.required?.description ?? ""), which \(subject)"
                + " requires"
        case .updateOffered:
            return "the app is older than \(offer.last?.description ?? ""), which \(subject) has as"
                + " the last version"
        case .noUpdate: return "\(subject) asks for nothing newer"
        }
    }

    /// Those that nobody but the app can say anything of.
    private func passedOver(_ place: Int, _ device: OfferedDevice) -> String {
        let places = offers.indices.prefix(place).filter { index in
            offers[index].requirements.isSystemMet(by: device.system)
        }
        guard let first = places.first else { return "" }
        let others = places.dropFirst().map { " and \($0)" }.joined()
        return "; \(noun) \(first)\(others) asks what only the app can check, and is not met here"
    }

    private var noun: String {
        if case .derived = origin { "derived offer" } else { "offer" }
    }
}

extension [Offer] {
    /// The first that the device meets.
    func place(selectedOn device: OfferedDevice) -> Int? {
        firstIndex { $0.requirements.areMet(by: device) }
    }
}

extension Offer {
    /// What it says once it is selected, to an app that was told of nothing before.
    func verdict(on device: OfferedDevice) -> OfferVerdict {
        verdict(on: device.app, build: device.build)
    }

    func verdict(on app: VersionValue, build: Int32 = 0) -> OfferVerdict {
        func isOlder(_ version: OfferVersion?) -> Bool {
            version?.isNewer(than: app, build: build) ?? false
        }
        if isOlder(required) { return .updateRequired }
        return isOlder(last) ? .updateOffered : .noUpdate
    }

    fileprivate func version(of verdict: OfferVerdict) -> OfferVersion? {
        switch verdict {
        case .updateRequired: [required, last].compactMap(\.self).max()
        case .updateOffered: last
        case .noUpdate: nil
        }
    }
}

extension OfferRequirements {
    fileprivate func areMet(by device: OfferedDevice) -> Bool {
        isSystemMet(by: device.system)
            && custom.allSatisfy { device.requirements[$0.key] == $0.value }
    }

    fileprivate func isSystemMet(by installed: VersionValue?) -> Bool {
        guard let system, let installed else { return true }
        return system.kind == installed.kind && !system.isNewer(than: installed)
    }
}

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
