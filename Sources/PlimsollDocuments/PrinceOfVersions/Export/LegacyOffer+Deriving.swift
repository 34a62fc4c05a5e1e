import PlimsollDomain

extension LegacyOffer {
    /// What can be told of a list of offers in one object: the first that asks nothing but a
    /// system; `nil` where there is none.
    ///
    /// The minimum holds from the oldest system on that the list holds to it.
    ///
    /// Where it offers nothing that can be told, it tells of 0.0.0: clients report an error where they
    /// find no object.
    ///
    /// On Apple's platforms a minimum is told of as often as they look, never below the latest
    /// version, and with one that the oldest system held to it is offered: they pass over it
    /// otherwise, after the first time or at once.
    init?(
        _ offers: [Offer],
        _ platform: Platform,
        _ releases: [KnownRelease],
        _ notes: inout [PrinceOfVersionsNote]
    ) {
        guard let place = offers.firstIndex(where: \.requirements.custom.isEmpty) else {
            return nil
        }
        let offer = offers[place]
        if offers.count > 1 {
            let others = Set(offers.compactMap(\.required)).subtracting([offer.required])
            let untold = others.compactMap(\.self).filter { !$0.isNothing }.sorted(by: >)
            notes.append(.onlyOneLegacyOffer(platform, place, untold))
        }
        var names = LegacyNames(platform: platform, releases: releases)
        let oldest = offers[place...].oldestHeldToMinimum
        let minimum = offer.required.flatMap { names[$0] }.map {
            Version($0, system: oldest.systemDemanded)
        }
        let source = platform == .android ? offer : oldest
        let told = platform == .android ? offer.last ?? offer.required : source.highest
        var latest = told.flatMap { names[$0] }.map {
            Version($0, system: source.requirements.system)
        }
        if latest == nil, platform != .android || minimum == nil {
            latest = Version("0.0.0", system: nil)
        }
        notes += names.notes
        if let required = offer.required, minimum == nil, !required.isNothing {
            notes.append(.legacyMinimumMissing(required))
        }
        let isRepeated = platform != .android && minimum != nil
        if isRepeated, offer.notification == .once { notes.append(.legacyToldAlways(platform)) }
        if isRepeated, let last = offer.last, let told, last != told {
            notes.append(
                last < told
                    ? .legacyLatestRaised(platform, from: last, to: told)
                    : .legacyLatestLowered(platform, from: last, to: told)
            )
        }
        self.init(
            minimum: minimum,
            latest: latest,
            notification: isRepeated ? .always : offer.notification
        )
    }
}

extension ArraySlice<Offer> {
    /// The offer for the oldest systems that are held to what the first of these requires.
    ///
    /// Offers for older systems come later, and hold to it until one requires less. There MUST be a
    /// first.
    fileprivate var oldestHeldToMinimum: Offer {
        let first = self[startIndex]
        guard let minimum = first.required, !minimum.isNothing else { return first }
        let held = filter(\.requirements.custom.isEmpty)
            .prefix { $0.required.map { $0 >= minimum } ?? false }
        return held.dropFirst().reduce(first) { oldest, next in
            guard let system = oldest.systemDemanded else { return oldest }
            return next.systemDemanded.map { $0 < system } ?? true ? next : oldest
        }
    }
}

extension Offer {
    /// `nil` where every system will do.
    fileprivate var systemDemanded: OfferVersion? {
        requirements.system.flatMap { $0.isNothing ? nil : $0 }
    }

    /// Apple's clients before 4.0 tell of the minimum only when the latest version is new to them.
    fileprivate var highest: OfferVersion? { [required, last].compactMap(\.self).max() }
}

/// How versions are written for clients before 4.0: without builds, and on Android by name.
private struct LegacyNames {
    let platform: Platform
    let releases: [KnownRelease]
    private(set) var notes: [PrinceOfVersionsNote] = []

    subscript(version: OfferVersion) -> String? {
        mutating get {
            guard platform == .android else {
                if version.build != nil { note(.buildLeftOut(platform, version)) }
                return version.withoutBuild.description
            }
            guard !version.isNothing else { return nil }
            guard let name = releases.first(where: { $0.version == version })?.name else {
                note(.legacyNameMissing(version))
                return nil
            }
            return name.text
        }
    }

    private mutating func note(_ note: PrinceOfVersionsNote) {
        if !notes.contains(note) { notes.append(note) }
    }
}

extension LegacyOffer {
    /// Where what was taken over says something else than the offers would.
    func notes(
        beside offers: [Offer],
        _ platform: Platform,
        _ releases: [KnownRelease]
    ) -> [PrinceOfVersionsNote] {
        var passedOver: [PrinceOfVersionsNote] = []
        let derived = LegacyOffer(offers, platform, releases, &passedOver)
        guard derived?.comparable != comparable else { return [] }
        return [.legacyKept(platform, sentence, derived?.sentence)]
    }

    /// With every version written in full.
    private var comparable: [String?] {
        [minimum?.comparable, latest?.comparable, notification.rawValue]
    }
}

extension LegacyOffer.Version {
    fileprivate var comparable: String {
        let plain = AppleVersion(text).flatMap { OfferVersion(.dotted($0)) }?.description ?? text
        return "\(plain) \(system.map { "\($0)" } ?? "")"
    }
}
