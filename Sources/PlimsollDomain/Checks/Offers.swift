extension Document {
    /// What the checks find in offers of the platform's own, which nothing is derived beside, after
    /// these changes led to this document.
    func findingsInOffers(after changes: [FieldChange]) -> [CheckFinding] {
        let written = changes.map(\.field).first { field in
            field == .offers(of: platform) || field == Field(platform, .minimumApp, .value)
        }
        guard let written, !offers.isEmpty, let value = self[.minimumApp].value,
            value.holdsSomebodyBack, let minimum = OfferVersion(value)
        else { return [] }
        // A version as another platform writes it is refused by itself, and is not to be compared.
        guard offers.allSatisfy({ $0.required?.kind ?? minimum.kind == minimum.kind }) else {
            return []
        }
        let behind = offers.indices.filter { index in
            offers[index].required.map { $0 < minimum } ?? true
        }
        let places = behind.map { "at place \($0)" }
        let others = offers.isOpenToAll ? [] : ["for devices that meet none of them"]
        guard !(places + others).isEmpty else { return [] }
        return [
            CheckFinding(
                .offersBehind,
                written,
                "\(platform.rawValue) has offers of its own that ask for less than \(value),"
                    + " \((places + others).joined(separator: ", ")): clients of Prince of Versions"
                    + " go on below it."
            )
        ]
    }
}

extension Document {
    /// What the checks find in those offers of the platform's own that another document does not
    /// have, and in those that it alone has: the same as in thresholds, offer by offer.
    func findingsInOffers(of before: Document, _ grounds: CheckGrounds) -> [CheckFinding] {
        let releases = grounds.releases.releases(on: platform)
        return offers.indices.filter { !before.offers.contains(offers[$0]) }.flatMap { place in
            let offer = OfferUnderCheck(offers[place], at: place, on: platform)
            return offer.findings(replacing: before.offers)
                + offer.findings(among: releases, from: self[.minimumOS].value, grounds)
        } + (grounds.strictness.mindsOffersTaken ? findingsInOffersTaken(from: before) : [])
            + (grounds.strictness.mindsOffersInFront ? findingsInOffersInFront(of: before) : [])
    }

    /// Devices that met an offer and are told another one now, which came to stand in front of it or
    /// is met by more of them; what is found of the two by themselves is not said again.
    private func findingsInOffersInFront(of before: Document) -> [CheckFinding] {
        guard offers != before.offers else { return [] }
        return offers.indices.compactMap { place in
            let offer = offers[place]
            let former = before.offers.first { former in
                guard let required = former.required, offer.isLower(than: required),
                    let devices = offer.requirements.joined(with: former.requirements)
                else { return false }
                return offers.told(to: devices) == offer
                    && before.offers.told(to: devices) == former
                    && !hasFound(offer, insteadOf: former, of: before)
            }
            guard let required = former?.required else { return nil }
            return OfferUnderCheck(offer, at: place, on: platform).told(insteadOf: required)
        }
    }

    /// Whether it is written for just those who met the other, or told to all of them in its place.
    private func hasFound(
        _ offer: Offer,
        insteadOf former: Offer,
        of before: Document
    ) -> Bool {
        let isRewritten =
            offer.requirements == former.requirements && !before.offers.contains(offer)
        let isTaken =
            !offers.contains { $0.requirements == former.requirements }
            && offer.requirements.areMet(wherever: former.requirements)
        return isRewritten || isTaken
    }

    /// Devices that met an offer which is gone are told the first that asks for nothing else, or what
    /// is derived from the minimum where no offers are left.
    private func findingsInOffersTaken(from before: Document) -> [CheckFinding] {
        before.offers.indices.compactMap { place in
            let taken = before.offers[place]
            guard let required = taken.required,
                !offers.contains(where: { $0.requirements == taken.requirements })
            else { return nil }
            let minimum = offers.isEmpty ? self[.minimumApp].value : nil
            let next = offers.first { $0.requirements.areMet(wherever: taken.requirements) }
            let told = next ?? Offer(required: minimum.flatMap { OfferVersion($0) })
            guard told.isLower(than: required) else { return nil }
            return OfferUnderCheck(taken, onceAt: place, on: platform).takenAway(required)
        }
    }
}

extension [Offer] {
    /// The first that such devices meet.
    fileprivate func told(to devices: OfferRequirements) -> Offer? {
        first { $0.requirements.areMet(wherever: devices) }
    }
}

/// An offer that a change writes.
private struct OfferUnderCheck {
    private let offer: Offer
    private let field: Field
    private let name: String

    init(_ offer: Offer, at place: Int, on platform: Platform) {
        self.offer = offer
        field = .offers(of: platform)
        name = "offer \(place) in \(Field.offers(of: platform))"
    }

    /// One that a change takes away, at the place that it had.
    init(_ offer: Offer, onceAt place: Int, on platform: Platform) {
        self.offer = offer
        field = .offers(of: platform)
        name = "what was offer \(place) in \(Field.offers(of: platform))"
    }

    /// What it says by itself, and beside the one that had the same requirements.
    func findings(replacing earlier: [Offer]) -> [CheckFinding] {
        var findings: [CheckFinding] = []
        if let required = offer.required, let last = offer.last, required.kind == last.kind,
            last < required
        {
            findings.append(
                CheckFinding(
                    .minimumAboveRecommended,
                    field,
                    "the required version of \(name) is \(required) and its last is \(last): what is"
                        + " offered does not run."
                )
            )
        }
        let same = earlier.first { $0.requirements == offer.requirements }
        if let required = same?.required, offer.isLower(than: required) {
            let fall = offer.required.map { lowered("falls from \(required) to \($0)") }
            findings.append(fall ?? takenAway(required))
        }
        return findings
    }

    /// Devices that met another one are told this one now.
    func told(insteadOf required: OfferVersion) -> CheckFinding {
        rising("\(name) is told to devices that met one which required \(required)")
    }

    func takenAway(_ required: OfferVersion) -> CheckFinding {
        lowered("of \(required) is taken away")
    }

    private func lowered(_ how: String) -> CheckFinding {
        rising("the required version of \(name) \(how)")
    }

    private func rising(_ what: String) -> CheckFinding {
        CheckFinding(.minimumLowered, field, "\(what): versions run again that did not.")
    }

    /// What the releases of the platform say of it; a build is not told apart there.
    func findings(
        among releases: [Release],
        from minimum: VersionValue?,
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        let required = asked(offer.required, "required version", isMinimum: true)
        let last = asked(offer.last, "last version", isMinimum: false)
        let system = offer.requirements.system.flatMap(VersionValue.init) ?? minimum
        let lowest =
            system.map { "the offer is for devices from \($0) on" }
            ?? "the offer is for every device"
        let needed = system ?? releases.lowestSystem
        return releases.unreleased(required)
            + releases.uninstallable(required, from: needed, lowest, grounds)
            + (releases.isEmpty
                ? []
                : releases.notInStore(required, grounds) + releases.notInStore(last, grounds))
    }

    private func asked(
        _ version: OfferVersion?,
        _ what: String,
        isMinimum: Bool
    ) -> AskedVersion? {
        guard let version, !version.isNothing, version.kind == field.platform.versionKind,
            let value = VersionValue(version)
        else { return nil }
        return AskedVersion(
            version: value,
            isMinimum: isMinimum,
            field: field,
            subject: "the \(what) of \(name)"
        )
    }
}

extension Offer {
    fileprivate func isLower(than required: OfferVersion) -> Bool {
        self.required.map { $0.kind == required.kind && $0 < required } ?? true
    }
}

extension [Release] {
    /// The oldest system that any of them runs on; `nil` where there is no telling.
    fileprivate var lowestSystem: VersionValue? {
        let systems = compactMap(\.facts.system)
        guard systems.count == count else { return nil }
        return systems.min { $0.isOlder(than: $1) }
    }
}
