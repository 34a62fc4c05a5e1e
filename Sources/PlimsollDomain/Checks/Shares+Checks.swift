extension Document {
    /// What the checks find, by the last count of devices, after these changes of another document
    /// led to this one.
    func findings(
        blockingMoreThan before: Document,
        _ changes: [FieldChange],
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        let minima = [ThresholdName.minimumApp, .minimumOS]
        guard let shares = grounds.shares[platform],
            let limit = grounds.policy.blockedPercentMaximum,
            let change = changes.first(where: { change in
                change.field.part == .value && minima.contains { $0 == change.field.threshold }
            })
        else { return [] }
        let blocked = BlockedShare(shares, from: before, to: self)
        guard blocked.addsMore(than: limit) else { return [] }
        return [
            CheckFinding(
                .blocksMany,
                change.field,
                "It takes the app away from \(blocked.words(blocked.added)) of the devices on"
                    + " \(platform.rawValue), and the policy's limit is \(limit) %."
            )
        ]
    }
}
