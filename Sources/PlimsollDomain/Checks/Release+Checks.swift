extension Document {
    /// What the checks find, among the releases that are known, after these changes of another
    /// document led to this one.
    func findings(
        after changes: [FieldChange],
        of before: Document,
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        let releases = grounds.releases.releases(on: platform)
        guard !releases.isEmpty else { return [] }
        return changes.flatMap { change -> [CheckFinding] in
            guard case .threshold(let name, .value) = change.field.subject,
                change.isAnotherVersion
            else { return [] }
            switch name {
            case .minimumApp:
                return releases.unreleased(asked(change, name))
                    + uninstallable(change, releases, grounds)
                    + releases.notInStore(asked(change, name), grounds)
            case .recommendedApp: return releases.notInStore(asked(change, name), grounds)
            case .minimumOS:
                let behind = leftBehind(change, before, releases)
                // Said once where both moved, and not of who makes it better.
                let minimum = Field(platform, .minimumApp, .value)
                guard !changes.contains(where: { $0.field == minimum && $0.isAnotherVersion }),
                    before.uninstallable(change, releases, grounds).isEmpty
                else { return behind }
                return behind + uninstallable(change, releases, grounds)
            case .recommendedOS: return []
            }
        }
    }

    private func asked(_ change: FieldChange, _ name: ThresholdName) -> AskedVersion? {
        line(name).map { version in
            AskedVersion(
                version: version,
                isMinimum: name.isMinimum,
                field: change.field,
                subject: "\(change.field)"
            )
        }
    }

    private func uninstallable(
        _ change: FieldChange,
        _ releases: [Release],
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        let asked = line(.minimumApp).map { minimum in
            AskedVersion(
                version: minimum,
                isMinimum: true,
                field: change.field,
                subject: "minimumApp"
            )
        }
        let system = line(.minimumOS)
        let lowest = system.map { "minimumOS is \($0)" } ?? "there is no minimumOS"
        return releases.uninstallable(asked, from: system, lowest, grounds)
    }

    /// When a system is given up, both minima move: who has an older release on an older system
    /// would be shut out, although what they have satisfies the minimum app and runs there.
    ///
    /// Where no release begins above the old line and up to the new one, it is drawn for a reason
    /// that releases do not know.
    private func leftBehind(
        _ change: FieldChange,
        _ before: Document,
        _ releases: [Release]
    ) -> [CheckFinding] {
        guard let lowest = line(.minimumOS) else { return [] }
        let begun = releases.filter { release in
            release.facts.system.map { needed in
                !lowest.isOlder(than: needed) && !release.runs(on: before.line(.minimumOS))
            } ?? false
        }
        guard let needed = begun.compactMap(\.facts.system).max(by: { $0.isOlder(than: $1) }),
            let first = begun.first(where: { $0.needs(needed) }),
            let older = releases.last(where: { release in
                release.version.isOlder(than: first.version) && !release.needs(needed)
                    && line(.minimumApp).map(release.satisfies) ?? true
            })
        else { return [] }
        let minimum = line(.minimumApp).map { "minimumApp is \($0)" } ?? "there is no minimumApp"
        return [
            CheckFinding(
                .minimumAppLeftBehind,
                change.field,
                "\(change.field) rises to \(lowest) and \(minimum): who has \(older.version) on an"
                    + " older system, where it runs, is shut out. What needs \(needed) begins with"
                    + " \(first.version); both minima move in one change."
            )
        ]
    }

    /// The value of a threshold that holds somebody back.
    private func line(_ name: ThresholdName) -> VersionValue? {
        self[name].value.flatMap { $0.holdsSomebodyBack ? $0 : nil }
    }
}

/// A version that people are told to install, and where a change says so.
struct AskedVersion {
    let version: VersionValue
    /// Whether the app does not run without it.
    let isMinimum: Bool
    let field: Field
    /// What it is called in a sentence.
    let subject: String
}

/// The releases of one platform, the oldest first.
extension [Release] {
    func unreleased(_ asked: AskedVersion?) -> [CheckFinding] {
        guard let asked, let newest = last, !newest.satisfies(asked.version) else { return [] }
        return [
            CheckFinding(
                .minimumUnreleased,
                asked.field,
                "\(asked.subject) is \(asked.version), and the newest release that is known is"
                    + " \(newest.version): whoever is below it has nothing to install."
            )
        ]
    }

    /// One and the same release has to satisfy the minimum, run there and be in the store; where
    /// none of them is in the store another check says so.
    func uninstallable(
        _ asked: AskedVersion?,
        from system: VersionValue?,
        _ lowest: String,
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        guard let asked else { return [] }
        let fitting = filter { $0.satisfies(asked.version) }
        let offered = fitting.filter { $0.isInStore(grounds) }
        let wanted = offered.isEmpty ? fitting : offered
        guard !wanted.isEmpty, !wanted.contains(where: { $0.runs(on: system) }),
            let needed = wanted.compactMap(\.facts.system).min(by: { $0.isOlder(than: $1) })
        else { return [] }
        return [
            CheckFinding(
                .minimumUninstallable,
                asked.field,
                "\(asked.subject) is \(asked.version), whose releases need \(needed) or newer, and"
                    + " \(lowest): a person cannot install what we tell them to install."
            )
        ]
    }

    func notInStore(_ asked: AskedVersion?, _ grounds: CheckGrounds) -> [CheckFinding] {
        guard let asked else { return [] }
        let fitting = filter { $0.satisfies(asked.version) }
        // Of a minimum that nothing satisfies another check speaks.
        guard !fitting.isEmpty || !asked.isMinimum else { return [] }
        guard !fitting.contains(where: { $0.isInStore(grounds) }) else { return [] }
        let live = fitting.compactMap(\.facts.liveSince).min()
        let since = live.map { live in
            live > grounds.now
                ? "is there only from \(live) on" : "is there since \(live), not long enough"
        }
        return [
            CheckFinding(
                .releaseNotInStore,
                asked.field,
                "\(asked.subject) is \(asked.version), and what people need from their store"
                    + " \(since ?? "is not there yet")."
            )
        ]
    }
}

extension Release {
    /// Whether it is known not to run on any older system.
    fileprivate func needs(_ system: VersionValue) -> Bool {
        facts.system.map { !$0.isOlder(than: system) } ?? false
    }

    /// Whether its store has had it for as long as the policy asks for.
    fileprivate func isInStore(_ grounds: CheckGrounds) -> Bool {
        let latest = grounds.now.advanced(by: .seconds(-grounds.policy.storeSeconds))
        return facts.liveSince.map { $0 <= latest } ?? false
    }
}

extension FieldChange {
    /// Whether the version is another one, not the same written otherwise.
    fileprivate var isAnotherVersion: Bool {
        guard case .version(let before)? = before, case .version(let after)? = after else {
            return true
        }
        return before.isOlder(than: after) || after.isOlder(than: before)
    }
}

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
