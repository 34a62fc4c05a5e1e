extension Document {
    /// The platform's own offers, none of which asks for less than a version; `nil` where there are
    /// none, or they do so already.
    package func offers(blocking version: VersionValue) -> [Offer]? {
        guard !offers.isEmpty, let floor = OfferVersion(version) else { return nil }
        var raised = offers.map { $0.asking(atLeast: floor) }
        if !offers.isOpenToAll { raised.append(Offer(required: floor)) }
        return raised == offers ? nil : raised
    }
}

extension Offer {
    fileprivate func asking(atLeast floor: OfferVersion) -> Offer {
        var offer = self
        offer.required = max(required ?? floor, floor)
        offer.last = last.map { max($0, floor) }
        return offer
    }
}

extension [Offer] {
    /// Whether every device meets the requirements of one of them.
    var isOpenToAll: Bool { last?.requirements.isEmpty == true }
}
