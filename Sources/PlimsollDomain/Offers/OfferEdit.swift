/// One edit of a platform's list of offers; places are counted from 0.
///
/// Edits of one list follow each other: each speaks of the places that the ones before it leave.
package enum OfferEdit: Codable, Hashable, Sendable {
    /// Puts a whole list in the place of whatever stands there.
    case set([Offer])
    case insert(Offer, at: Int)
    case move(from: Int, to: Int)
    case replace(Int, with: Offer)
    case remove(Int)
}

/// An edit of a place that the list does not have.
package struct OfferPlaceMissing: Error, Equatable, Sendable {
    package let place: Int
    /// How many offers there are.
    package let count: Int

    package init(place: Int, count: Int) {
        (self.place, self.count) = (place, count)
    }
}

extension [Offer] {
    /// Where one more goes that nobody has given a place: one without requirements last, any other in
    /// front, but behind those for newer systems, by which it would not be reached otherwise.
    package func place(for offer: Offer) -> Int {
        guard !offer.requirements.isEmpty else { return count }
        guard offer.requirements.custom.isEmpty, let system = offer.requirements.system else {
            return 0
        }
        return firstIndex { $0.requirements.system.map { $0 <= system } ?? true } ?? count
    }

    /// Makes the edit.
    ///
    /// A moved offer stands at the place it is moved to, afterwards.
    package mutating func apply(_ edit: OfferEdit) throws(OfferPlaceMissing) {
        try apply(edit) { offer, _ in offer }
    }
}

extension Array {
    /// Makes the edit where something stands for each offer, made of the offers that the edit
    /// brings and of which of these it is.
    mutating func apply(
        _ edit: OfferEdit,
        _ element: (Offer, Int) -> Element
    ) throws(OfferPlaceMissing) {
        switch edit {
        case .set(let offers): self = offers.enumerated().map { element($1, $0) }
        case .insert(let offer, let place):
            guard (0...count).contains(place) else { throw missing(place) }
            insert(element(offer, 0), at: place)
        case .move(let from, let to):
            try look(at: from)
            try look(at: to)
            insert(remove(at: from), at: to)
        case .replace(let place, let offer):
            try look(at: place)
            self[place] = element(offer, 0)
        case .remove(let place):
            try look(at: place)
            remove(at: place)
        }
    }

    private func look(at place: Int) throws(OfferPlaceMissing) {
        guard indices.contains(place) else { throw missing(place) }
    }

    private func missing(_ place: Int) -> OfferPlaceMissing {
        OfferPlaceMissing(place: place, count: count)
    }
}

/// What is wrong with a list of offers for one platform; places are counted from 0.
package enum OfferFault: Hashable, Sendable {
    /// Clients report an error when they have selected such an offer.
    case noVersion(Int)
    /// It would be selected never: an earlier one asks the same.
    case sameRequirements(Int, asked: Int)
    /// It would be selected never: an earlier one asks less of the same.
    case covered(Int, by: Int)
    /// It would be selected never: an earlier one asks nothing.
    case unreachable(Int, behind: Int)
    /// A version that this platform does not write.
    case foreignVersion(Int, OfferVersion)
    /// Version codes begin at 1; only what is offered may be 0, which offers nothing.
    case requiresNothing(Int)
    /// Clients on Apple's platforms lose the whole list over metadata that are an array or object.
    case nestedMetadata(Int, MetadataName)
    /// Clients on Apple's platforms take such a requirement for met, all others ask the app.
    case nestedRequirement(Int, RequirementName)

    package var place: Int {
        switch self {
        case .noVersion(let place), .sameRequirements(let place, _), .covered(let place, _),
            .unreachable(let place, _), .foreignVersion(let place, _), .requiresNothing(let place),
            .nestedMetadata(let place, _), .nestedRequirement(let place, _):
            place
        }
    }

    /// The place of the offer that it is at odds with.
    package var earlierPlace: Int? {
        switch self {
        case .sameRequirements(_, let place), .covered(_, let place), .unreachable(_, let place):
            place
        case .noVersion, .foreignVersion, .requiresNothing, .nestedMetadata, .nestedRequirement:
            nil
        }
    }

    /// What was found and what is needed.
    package var sentence: String { "\(finding) \(remedy)" }

    /// What was found.
    package var finding: String {
        switch self {
        case .noVersion(let place):
            "Offer \(place) has neither a required nor a last version, and clients fail on it."
        case .sameRequirements(let place, let earlier):
            "Offer \(earlier) has the same requirements as offer \(place), which is never selected."
        case .covered(let place, let earlier):
            "Whoever meets offer \(place) meets offer \(earlier) before it, so it is never selected."
        case .unreachable(let place, let earlier):
            "Offer \(earlier) has no requirements, so offer \(place) behind it is never selected."
        case .foreignVersion(let place, let version):
            "Offer \(place) has the version \(version), which the platform does not write so."
        case .requiresNothing(let place):
            "Offer \(place) requires version 0, which requires nothing."
        case .nestedMetadata(let place, let name):
            "Offer \(place) hands on “\(name.text)”, an array or object, over which clients on iOS"
                + " and macOS lose the whole list."
        case .nestedRequirement(let place, let name):
            "Offer \(place) asks for “\(name.text)”, an array or object, which clients on iOS and"
                + " macOS take for met."
        }
    }

    /// What clears it.
    package var remedy: String {
        switch self {
        case .noVersion: "Set one of the two."
        case .sameRequirements: "Change them, or remove one of the two offers."
        case .covered: "Move offer \(place) before the other, or remove it."
        case .unreachable: "Move it to the front, or remove it."
        case .foreignVersion: "Write it as the platform does."
        case .requiresNothing: "Leave the required version out."
        case .nestedMetadata, .nestedRequirement:
            "Write a string, a number, true or false, or leave it out."
        }
    }
}

extension [Offer] {
    /// All that keeps the list from being published, in the order of the places.
    package func faults(on platform: Platform) -> [OfferFault] {
        indices.flatMap { faults(at: $0, on: platform) }
    }

    /// What is wrong with the offer at a place.
    package func faults(at place: Int, on platform: Platform) -> [OfferFault] {
        let offer = self[place]
        var faults: [OfferFault] = []
        if offer.required == nil, offer.last == nil { faults.append(.noVersion(place)) }
        if let open = self[..<place].firstIndex(where: \.requirements.isEmpty) {
            faults.append(.unreachable(place, behind: open))
        } else if let same = self[..<place].firstIndex(where: {
            $0.requirements == offer.requirements
        }) {
            faults.append(.sameRequirements(place, asked: same))
        } else if let earlier = self[..<place].firstIndex(where: {
            $0.requirements.areMet(wherever: offer.requirements)
        }) {
            faults.append(.covered(place, by: earlier))
        }
        faults += offer.foreignVersions(on: platform).map { .foreignVersion(place, $0) }
        if offer.required?.isNothing == true { faults.append(.requiresNothing(place)) }
        guard platform.losesNestedValues else { return faults }
        let metadata = offer.metadata.filter(\.value.isNested).keys.sorted()
        let requirements = offer.requirements.custom.filter(\.value.isNested).keys.sorted()
        return faults + metadata.map { .nestedMetadata(place, $0) }
            + requirements.map { .nestedRequirement(place, $0) }
    }
}

extension Platform {
    /// Whether its clients cannot be handed on arrays and objects.
    package var losesNestedValues: Bool { self == .ios || self == .macos }
}

extension OfferRequirements {
    /// Whether every device that meets the others meets these.
    func areMet(wherever others: OfferRequirements) -> Bool {
        guard custom.allSatisfy({ others.custom[$0.key] == $0.value }) else { return false }
        guard let system else { return true }
        return others.system.map { $0.kind == system.kind && system <= $0 } ?? false
    }

    /// What devices meet that meet these and the others; `nil` where none does.
    func joined(with others: OfferRequirements) -> OfferRequirements? {
        let systems = [system, others.system].compactMap(\.self)
        guard custom.allSatisfy({ others.custom[$0.key] ?? $0.value == $0.value }),
            Set(systems.map(\.kind)).count < 2
        else { return nil }
        return OfferRequirements(
            system: systems.max(),
            custom: custom.merging(others.custom) { $1 }
        )
    }
}

extension Offer {
    fileprivate func foreignVersions(on platform: Platform) -> [OfferVersion] {
        let versions = [required, last].compactMap { $0 }.filter {
            $0.kind != platform.versionKind || $0.build != nil && !platform.offersBuilds
        }
        let systems = [requirements.system].compactMap { $0 }.filter {
            $0.kind != platform.systemKind || $0.build != nil
        }
        return versions + systems
    }
}
