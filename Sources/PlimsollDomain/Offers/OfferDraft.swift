/// A platform's list of offers while the operations of a change edit it, one after the other.
private struct OfferDraft {
    private var entries: [Entry]

    private struct Entry {
        let offer: Offer
        /// Where the change puts it there; `nil` where it stood there before.
        var pointer: Pointer?
        let weight: Int

        init(_ offer: Offer, _ pointer: Pointer?) {
            (self.offer, self.pointer) = (offer, pointer)
            weight = offer.weight
        }

        mutating func move(by pointer: Pointer) { self.pointer = self.pointer ?? pointer }
    }

    /// What was accepted once may stay as heavy as it is.
    private let weightBefore: Int

    init(_ offers: [Offer]) {
        entries = offers.map { Entry($0, nil) }
        weightBefore = entries.reduce(0) { $0 + $1.weight } - offers.weightAllowance
    }

    /// Makes the edit that stands at the pointer, or says what is wrong with it.
    mutating func apply(
        _ edit: OfferEdit,
        of platform: Platform,
        at pointer: Pointer
    ) -> Objection? {
        do throws(OfferPlaceMissing) {
            try entries.apply(edit) { offer, index in
                Entry(offer, edit.pointer(toOffer: index, at: pointer))
            }
        } catch {
            return .offerPlaceMissing(platform, error, at: pointer)
        }
        if case .move(_, let place) = edit { entries[place].move(by: pointer) }
        return sizeObjection(platform, at: pointer)
    }

    /// One offer more may stand last and ask nothing of a device, because a block adds it; however
    /// often that was so before, the list grows by one.
    private func sizeObjection(_ platform: Platform, at pointer: Pointer) -> Objection? {
        let offers = entries.map(\.offer)
        if entries.count > Offer.countMaximum + (offers.isOpenToAll ? 1 : 0) {
            return .listTooLong(maximum: Offer.countMaximum, at: pointer)
        }
        let weight = entries.reduce(0) { $0 + $1.weight } - offers.weightAllowance
        return weight > max(Offer.weightMaximum, weightBefore)
            ? .offersTooLarge(platform, at: pointer) : nil
    }

    /// What keeps the list from being published, told where the change brings it about.
    func objections(on platform: Platform) -> [Objection] {
        entries.map(\.offer).faults(on: platform).map { fault in
            let pointer =
                entries[fault.place].pointer
                ?? fault.earlierPlace.flatMap { entries[$0].pointer }
            return .offerRefused(fault, at: pointer ?? "/operations")
        }
    }
}

extension OfferEdit {
    /// The offers that it writes.
    var offers: [Offer] {
        switch self {
        case .set(let offers): offers
        case .insert(let offer, _), .replace(_, let offer): [offer]
        case .move, .remove: []
        }
    }

    fileprivate func pointer(toOffer index: Int, at pointer: Pointer) -> Pointer {
        switch self {
        case .set: pointer.appending("offers").appending(index)
        case .insert, .replace, .move, .remove: pointer.appending("offer")
        }
    }
}

extension App {
    /// What is wrong with operations by themselves and on what is live, whoever sends them and
    /// whatever becomes of them.
    package func objections(toTrying operations: [Operation]) -> [Objection] {
        let objections =
            grammarObjections(to: operations) + objectionsToInvisible(in: operations)
        return objections.isEmpty ? offerObjections(to: operations) : objections
    }

    /// What is wrong with the offers that operations would lead to, and with those operations.
    func offerObjections(to operations: [Operation]) -> [Objection] {
        offerObjections(to: SparingOperations(operations))
    }

    /// The platforms whose offers have not all the places that the edits speak of.
    func platformsMissingPlaces(of operations: [Operation]) -> [Platform] {
        var lists: [Platform: [Offer]] = [:]
        var platforms: Set<Platform> = []
        for operation in operations {
            guard case .offers(let edit) = operation.subject else { continue }
            let platform = operation.platform
            var list = lists[platform] ?? document(platform).offers
            do throws(OfferPlaceMissing) {
                try list.apply(edit)
            } catch {
                platforms.insert(platform)
            }
            lists[platform] = list
        }
        return platforms.sorted()
    }

    func offerObjections(to edits: SparingOperations) -> [Objection] {
        var drafts: [Platform: OfferDraft] = [:]
        for (index, operation) in edits.sent.enumerated() where !edits.spares(operation) {
            guard case .offers(let edit) = operation.subject else { continue }
            let platform = operation.platform
            let pointer = Pointer("/operations").appending(index)
            var draft = drafts[platform] ?? OfferDraft(document(platform).offers)
            // What follows speaks of places that there are not.
            if let objection = draft.apply(edit, of: platform, at: pointer) { return [objection] }
            drafts[platform] = draft
        }
        return drafts.sorted { $0.key < $1.key }.flatMap { platform, draft in
            draft.objections(on: platform)
        } + packageObjections(to: edits)
    }
}

extension [Offer] {
    /// What does not count: the offer that a block adds has to fit into any list.
    fileprivate var weightAllowance: Int { isOpenToAll ? Offer.frameWeight : 0 }
}

extension Offer {
    /// How many offers a platform may have, beside a last one that asks nothing of a device.
    package static let countMaximum = 100

    /// How many bytes the offers of a platform may take: they are recorded in one event.
    package static let weightMaximum = 40_000

    /// An upper bound of its bytes in canonical JSON, and of what parts it from the next.
    package var weight: Int {
        let custom = requirements.custom.reduce(0) { $0 + memberWeight($1.key.text, $1.value) }
        return metadata.reduce(Self.frameWeight + custom) {
            $0 + memberWeight($1.key.text, $1.value)
        }
    }

    /// All versions with nine digits to each number, and the names of what an offer says.
    fileprivate static let frameWeight = 240

    /// Two quotation marks, a colon and a comma stand around a name.
    private func memberWeight(_ name: String, _ value: OfferValue) -> Int {
        name.utf8.count + value.weight + 4
    }
}
