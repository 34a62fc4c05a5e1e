extension Document {
    /// What the checks find, by the last count of devices, after these changes of another document
    /// led to this one.
    func findings(
        blockingMoreThan before: Document,
        _ changes: [FieldChange],
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        let fields = changes.map(\.field).filter(\.keepsFromRunning)
        guard let shares = grounds.shares[platform], let first = fields.first,
            let limit = grounds.policy.blockedPercentMaximum
        else { return [] }
        let blocked = BlockedShare(shares, from: before, to: self)
        guard blocked.addsMore(than: limit) else { return [] }
        let byMinima = BlockedShare(shares, from: before.withoutOffers, to: withoutOffers)
        let isByOffers = !byMinima.addsMore(than: limit)
        let field = fields.first { ($0 == .offers(of: platform)) == isByOffers }
        return [
            CheckFinding(
                .blocksMany,
                field ?? first,
                "It takes the app away from \(blocked.words(blocked.added)) of the devices on"
                    + " \(platform.rawValue), and the policy's limit is \(limit) %."
            )
        ]
    }

    private var withoutOffers: Document {
        var document = self
        document.offers = []
        return document
    }
}

extension Field {
    /// Whether what stands in it decides on which devices an app runs.
    fileprivate var keepsFromRunning: Bool {
        self == .offers(of: platform) || part == .value && threshold?.isMinimum == true
    }
}
