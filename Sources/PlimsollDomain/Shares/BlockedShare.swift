/// How many of the counted devices an app does not run on, in one state of a document and in
/// another.
package struct BlockedShare: Equatable, Sendable {
    package let platform: Platform
    /// All that were counted.
    package let devices: Int64
    package let before: Int64
    package let after: Int64
    /// Those on which it ran before, and does not after.
    package let added: Int64

    package init(
        platform: Platform,
        devices: Int64,
        before: Int64,
        after: Int64,
        added: Int64
    ) {
        self.platform = platform
        self.devices = devices
        self.before = before
        self.after = after
        self.added = added
    }

    package init(_ shares: VersionShares, from before: Document, to after: Document) {
        self.init(
            platform: before.platform,
            devices: shares.devices,
            before: shares.count(where: before.blocks),
            after: shares.count(where: after.blocks),
            added: shares.count { after.blocks($0) && !before.blocks($0) }
        )
    }

    /// Without its full stop: `blocks about 12 % of devices, about 3 % before`.
    ///
    /// Where some are let in and others are not any more, those two say nothing of the others.
    package var sentence: String {
        let now = "blocks \(words(after)) of devices"
        if before == after, added == 0 { return "\(now), as before" }
        let both = "\(now), \(words(before)) before"
        return added > max(after - before, 0) ? "\(both), \(words(added)) anew" : both
    }

    /// Whether it takes the app away from more devices than so many of a hundred.
    func addsMore(than percent: Int64) -> Bool { added * 100 > devices * percent }

    /// `about 12 %`: counts are of a day that has passed, so no more is said than they bear.
    func words(_ count: Int64) -> String {
        guard count > 0 else { return "none" }
        guard count < devices else { return "all" }
        let percent = (count * 200 + devices) / (devices * 2)
        switch percent {
        case 0: return "less than 1 %"
        case 100: return "more than 99 %"
        default: return "about \(percent) %"
        }
    }
}

extension App {
    /// What operations would block on top of what is live.
    package func blockedShares(applying operations: [Operation]) -> [BlockedShare] {
        guard !shares.isEmpty else { return [] }
        let after = documents(applying: operations)
        return blockedShares(from: document) { after[$0] ?? document($0) }
    }

    /// What two states of the app's documents block of the devices that were counted, where their
    /// minima or their offers are not the same.
    package func blockedShares(
        from before: (Platform) -> Document,
        to after: (Platform) -> Document
    ) -> [BlockedShare] {
        shares.sorted { $0.key < $1.key }.compactMap { platform, shares in
            let (before, after) = (before(platform), after(platform))
            guard !shares.rows.isEmpty, !before.hasSameLines(as: after) else { return nil }
            return BlockedShare(shares, from: before, to: after)
        }
    }
}

extension Document {
    /// Whether nothing differs that keeps an app from running.
    fileprivate func hasSameLines(as other: Document) -> Bool {
        self[.minimumOS].value == other[.minimumOS].value
            && self[.minimumApp].value == other[.minimumApp].value && offers == other.offers
    }
}
