/// Puts a count of devices in the place of the last one of its platform.
package struct ReplaceVersionShares: Command {
    package let app: AppSlug
    package let platform: Platform
    package let shares: VersionShares
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        of app: AppSlug,
        on platform: Platform,
        with shares: VersionShares,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.app = app
        self.platform = platform
        self.shares = shares
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let app = try logState.app(app, whoseDevicesAreCountedBy: by)
        guard app.has(platform) else { throw Refusal(.platformNotKept(app.slug, platform)) }
        let objections = shares.objections(on: platform)
        guard objections.isEmpty else { throw Refusal(objections) }
        guard app.shares[platform] != shares else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.app(.versionSharesReplaced(platform, shares)), to: .app(app.slug))
        return decision
    }
}

extension VersionShares {
    /// What about them cannot be.
    fileprivate func objections(on platform: Platform) -> [Objection] {
        guard !rows.isEmpty else { return [.listEmpty(at: "/rows")] }
        guard rows.count <= Self.rowsMaximum else {
            return [.listTooLong(maximum: Self.rowsMaximum, at: "/rows")]
        }
        var seen: Set<[[Int32]]> = []
        return rows.enumerated().flatMap { index, row -> [Objection] in
            let place = Pointer("/rows").appending(index)
            var objections: [Objection] = []
            if row.app.kind != platform.versionKind {
                objections.append(
                    .valueOfWrongKind(platform.versionKind, at: place.appending("app"))
                )
            }
            if let system = row.system, system.kind != platform.systemKind {
                objections.append(
                    .valueOfWrongKind(platform.systemKind, at: place.appending("os"))
                )
            }
            if !(1...Row.devicesMaximum).contains(row.devices) {
                objections.append(
                    .numberOutside(1...Row.devicesMaximum, at: place.appending("devices"))
                )
            }
            if !seen.insert([row.app.comparable, row.system?.comparable ?? []]).inserted {
                let system = row.system.map { " on \($0)" } ?? ""
                objections.append(.repeated("\(row.app)\(system)", at: place))
            }
            return objections
        }
    }
}

/// Takes the count of a platform away, so that nothing is said of devices any more.
package struct RemoveVersionShares: Command {
    package let app: AppSlug
    package let platform: Platform
    package let reason: Reason?
    package let by: PrincipalID

    package init(of app: AppSlug, on platform: Platform, reason: Reason?, by: PrincipalID) {
        self.app = app
        self.platform = platform
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let app = try logState.app(app, whoseDevicesAreCountedBy: by)
        guard app.has(platform) else { throw Refusal(.platformNotKept(app.slug, platform)) }
        guard app.shares[platform]?.rows.isEmpty == false else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access, .service])
        let none = VersionShares(rows: [])
        decision.append(.app(.versionSharesReplaced(platform, none)), to: .app(app.slug))
        return decision
    }
}

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

/// How many devices were counted with which versions, on one platform.
package struct VersionShares: Codable, Equatable, Sendable {
    package let rows: [Row]

    /// As many as an event holds, whatever stands in them.
    package static let rowsMaximum = 512

    /// The devices with one version of the app, on one version of the system.
    package struct Row: Codable, Hashable, Sendable {
        package let app: VersionValue
        /// `nil` where the systems were not told apart.
        package let system: VersionValue?
        package let devices: Int64

        /// More than there are, and few enough to be added up.
        package static let devicesMaximum: Int64 = 1_000_000_000_000

        package init(app: VersionValue, system: VersionValue?, devices: Int64) {
            self.app = app
            self.system = system
            self.devices = devices
        }
    }

    package init(rows: [Row]) {
        self.rows = rows
    }

    package var devices: Int64 { rows.reduce(0) { $0 + $1.devices } }

    /// How many of the devices a predicate holds for.
    func count(where isMeant: (Row) -> Bool) -> Int64 {
        rows.reduce(0) { isMeant($1) ? $0 + $1.devices : $0 }
    }
}

extension Document {
    /// Whether the app does not run on such devices, as far as their system is known: a minimum
    /// holds them back, or the platform's own offers require an update of them.
    ///
    /// Offers that are derived require nothing that the minimum does not.
    func blocks(_ row: VersionShares.Row) -> Bool {
        isBelow(row.app, .minimumApp) || (row.system.map { isBelow($0, .minimumOS) } ?? false)
            || offersRequireUpdate(of: OfferedDevice(app: row.app, system: row.system))
    }

    private func offersRequireUpdate(of device: OfferedDevice) -> Bool {
        offers.place(selectedOn: device).map { offers[$0].verdict(on: device) } == .updateRequired
    }

    private func isBelow(_ version: VersionValue, _ name: ThresholdName) -> Bool {
        self[name].value.map { version.isOlder(than: $0) } ?? false
    }
}
