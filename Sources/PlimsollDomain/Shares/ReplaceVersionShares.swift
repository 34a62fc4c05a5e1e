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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let app = try world.app(app, whoseDevicesAreCountedBy: by)
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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let app = try world.app(app, whoseDevicesAreCountedBy: by)
        guard app.has(platform) else { throw Refusal(.platformNotKept(app.slug, platform)) }
        guard app.shares[platform]?.rows.isEmpty == false else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access, .service])
        let none = VersionShares(rows: [])
        decision.append(.app(.versionSharesReplaced(platform, none)), to: .app(app.slug))
        return decision
    }
}
