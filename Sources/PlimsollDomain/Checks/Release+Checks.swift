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
                return unreleased(change, releases) + uninstallable(change, releases, grounds)
                    + notInStore(change, name, releases, grounds)
            case .recommendedApp: return notInStore(change, name, releases, grounds)
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

    private func unreleased(
        _ change: FieldChange,
        _ releases: [Release]
    ) -> [CheckFinding] {
        guard let minimum = line(.minimumApp), let newest = releases.last,
            !newest.satisfies(minimum)
        else { return [] }
        return [
            CheckFinding(
                .minimumUnreleased,
                change.field,
                "\(change.field) is \(minimum), and the newest release that is known is"
                    + " \(newest.version): whoever is below it has nothing to install."
            )
        ]
    }

    /// One and the same release has to satisfy the minimum, run there and be in the store; where
    /// none of them is in the store another check says so.
    private func uninstallable(
        _ change: FieldChange,
        _ releases: [Release],
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        guard let minimum = line(.minimumApp) else { return [] }
        let fitting = releases.filter { $0.satisfies(minimum) }
        let offered = fitting.filter { $0.isInStore(grounds) }
        let wanted = offered.isEmpty ? fitting : offered
        let system = line(.minimumOS)
        guard !wanted.isEmpty, !wanted.contains(where: { $0.runs(on: system) }),
            let needed = wanted.compactMap(\.facts.system).min(by: { $0.isOlder(than: $1) })
        else { return [] }
        let lowest = system.map { "minimumOS is \($0)" } ?? "there is no minimumOS"
        return [
            CheckFinding(
                .minimumUninstallable,
                change.field,
                "minimumApp is \(minimum), whose releases need \(needed) or newer, and \(lowest):"
                    + " a person cannot install what we tell them to install."
            )
        ]
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

    private func notInStore(
        _ change: FieldChange,
        _ name: ThresholdName,
        _ releases: [Release],
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        guard let wanted = line(name) else { return [] }
        let fitting = releases.filter { $0.satisfies(wanted) }
        // Of a minimum that nothing satisfies another check speaks.
        guard !fitting.isEmpty || !name.isMinimum else { return [] }
        guard !fitting.contains(where: { $0.isInStore(grounds) }) else { return [] }
        let live = fitting.compactMap(\.facts.liveSince).min()
        let since = live.map { "is there since \($0), not long enough" } ?? "is not there yet"
        return [
            CheckFinding(
                .releaseNotInStore,
                change.field,
                "\(change.field) is \(wanted), and what people need from their store \(since)."
            )
        ]
    }

    /// The value of a threshold that holds somebody back.
    private func line(_ name: ThresholdName) -> VersionValue? {
        self[name].value.flatMap { $0.holdsSomebodyBack ? $0 : nil }
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
