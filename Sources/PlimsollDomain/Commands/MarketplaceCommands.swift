/// Makes an app a marketplace, or says anew what is to be said of it.
package struct SetMarketplace: Command {
    package let app: AppSlug
    /// All of it from then on; `nil`: it is none any more.
    package let marketplace: Marketplace?
    /// Where the event stands that its author saw; `nil` where they saw none.
    package let seen: Position?
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        of app: AppSlug,
        to marketplace: Marketplace?,
        seen: Position?,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.app = app
        self.marketplace = marketplace
        self.seen = seen
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .app(app))
        let target = try logState.existingApp(app)
        var objections = marketplace?.objections(under: logState.strictness) ?? []
        objections += marketplace.map { logState.objections(toOthersBeside: $0, of: app) } ?? []
        let since = target.distribution.marketplaceSince
        if let seen, seen != since {
            objections.append(.marketplaceDiffers(app, seen: seen, current: since))
        } else if seen == nil, let since {
            objections.append(.marketplaceUnseen(app, current: since))
        }
        let listed = marketplace == nil ? logState.apps(listedIn: app) : []
        if !listed.isEmpty { objections.append(.marketplaceInUse(app, listed)) }
        if let marketplace, logState.strictness != .original {
            objections += logState.objections(toPackagesOutside: marketplace, of: app)
        }
        if let freeze = logState.freeze(of: app, at: now) { objections.append(.frozen(freeze)) }
        guard objections.isEmpty else { throw Refusal(objections) }
        let marketplace = marketplace?.inOrder
        guard target.distribution.marketplace != marketplace else {
            throw Refusal(.nothingChanges)
        }
        // Nobody else may take the domain or the AppleItemID meanwhile.
        var decision = Decision(relyingOn: logState.streamsOfApps.union([.access, .service]))
        decision.append(
            .app(.marketplace(marketplace.map(MarketplaceEvent.set) ?? .removed)),
            to: .app(app)
        )
        if let marketplace, target.distribution.marketplace?.item != marketplace.item {
            decision.takeUpNotices(of: marketplace, listing: app, in: logState, at: now)
        }
        return decision
    }
}

extension Decision {
    /// Does what Apple said before of the apps that a marketplace lists, under an AppleItemID that it
    /// has only now.
    fileprivate mutating func takeUpNotices(
        of marketplace: Marketplace,
        listing slug: AppSlug,
        in logState: LogState,
        at now: Instant
    ) {
        for app in logState.apps {
            guard let listing = app.distribution.listings[slug] else { continue }
            let events = logState.eventsOfNotices(
                waitingFor: app,
                listedAs: listing,
                in: marketplace,
                at: now
            )
            for event in events { append(.app(event), to: .app(app.slug)) }
        }
    }
}

extension LogState {
    /// A device that asks a domain is answered for one marketplace.
    fileprivate func objections(
        toOthersBeside marketplace: Marketplace,
        of app: AppSlug
    ) -> [Objection] {
        apps.filter { $0.slug != app }.flatMap { other -> [Objection] in
            guard let taken = other.distribution.marketplace else { return [] }
            let isTaken = taken.item == marketplace.item
            let items = isTaken ? [Objection.itemTaken(taken.item, other.slug, at: "/item")] : []
            return items
                + marketplace.domains.enumerated().compactMap { index, domain in
                    taken.domains.contains { $0.covers(domain.text) || domain.covers($0.text) }
                        ? .domainTaken(
                            domain,
                            other.slug,
                            at: Pointer("/domains").appending(index)
                        ) : nil
                }
        }
    }
}

extension LogState {
    /// What would not be handed out any more if a marketplace had other domains.
    fileprivate func objections(
        toPackagesOutside marketplace: Marketplace,
        of slug: AppSlug
    ) -> [Objection] {
        apps.filter { $0.distribution.listings[slug] != nil }.flatMap { app in
            let others = app.distribution.listings.keys.filter { $0 != slug }.sorted()
                .compactMap { self.app($0)?.distribution.marketplace }
            return app.objections(
                toPackagesOutside: others + [marketplace],
                before: marketplaces(listing: app)
            )
        }
    }
}

/// Puts an app into a marketplace, or takes it out of there.
package struct ListApp: Command {
    package let app: AppSlug
    /// The app that the marketplace is.
    package let marketplace: AppSlug
    /// `nil` takes it out.
    package let listing: Listing?
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ app: AppSlug,
        in marketplace: AppSlug,
        as listing: Listing?,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.app = app
        self.marketplace = marketplace
        self.listing = listing
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        // Whoever runs the marketplace takes out of it what they no longer want there.
        let mayTakeOut =
            listing == nil && logState.access.permits(by, .admin, in: .app(marketplace))
        if !mayTakeOut { try logState.require(.admin, of: by, in: .app(app)) }
        let target = try logState.existingApp(app)
        let host = logState.app(marketplace)?.distribution.marketplace
        if listing != nil {
            try logState.require(.admin, of: by, in: .app(marketplace))
            guard target.has(.ios) else { throw Refusal(.platformNotKept(app, .ios)) }
            guard host != nil else { throw Refusal(.marketplaceUnknown(marketplace)) }
        }
        guard target.distribution.listings[marketplace] != listing else {
            throw Refusal(.nothingChanges)
        }
        var objections: [Objection] = []
        if listing != nil, target.distribution.listings[marketplace] == nil, let host {
            let others = logState.marketplaces(listing: target)
            objections += target.objections(toPackagesOutside: others + [host])
        }
        if let listing, let other = logState.app(listedAs: listing.item, in: marketplace),
            other != app
        {
            objections.append(.itemTaken(listing.item, other, at: "/item"))
        }
        if let freeze = logState.freeze(of: app, at: now) { objections.append(.frozen(freeze)) }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: logState.streamsOfApps.union([.access, .service]))
        decision.append(
            .app(
                .marketplace(
                    listing.map { .listed(marketplace, $0) } ?? .unlisted(marketplace)
                )
            ),
            to: .app(app)
        )
        let events = listing.map {
            logState.eventsOfNotices(waitingFor: target, listedAs: $0, in: host, at: now)
        }
        for event in events ?? [] { decision.append(.app(event), to: .app(app)) }
        return decision
    }
}

extension LogState {
    /// What is listed, and in which marketplaces, rests on all of them.
    var streamsOfApps: Set<StreamName> { Set(apps.map { .app($0.slug) }) }

    /// The apps that a marketplace lists, in the order of their slugs.
    package func apps(listedIn marketplace: AppSlug) -> [AppSlug] {
        apps.filter { $0.distribution.listings[marketplace] != nil }.map(\.slug)
    }

    /// The marketplaces that list an app.
    package func marketplaces(listing app: App) -> [Marketplace] {
        app.distribution.listings.keys.sorted().compactMap {
            self.app($0)?.distribution.marketplace
        }
    }

    /// The app that a marketplace has under an AppleItemID.
    package func app(listedAs item: AppleItemID, in marketplace: AppSlug) -> AppSlug? {
        apps.first { $0.distribution.listings[marketplace]?.item == item }?.slug
    }
}

/// Makes known that a package will come: Apple has made one.
package struct AnnouncePackage: Command {
    package let app: AppSlug
    package let announcement: PackageAnnouncement
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ announcement: PackageAnnouncement,
        of app: AppSlug,
        reason: Reason? = nil,
        by: PrincipalID
    ) {
        (self.announcement, self.app, self.reason, self.by) = (announcement, app, reason, by)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let app = try logState.app(app, whosePackagesAreKeptBy: by)
        let packages = app.distribution.packages
        guard !packages.isKnown(announcement) else { throw Refusal(.nothingChanges) }
        if packages.hasNoRoom(for: announcement), logState.strictness != .original {
            throw Refusal(.packagesFull(app.slug, maximum: PackageCatalog.packagesMaximum))
        }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.app(.marketplace(.packageAnnounced(announcement))), to: .app(app.slug))
        return decision
    }
}

/// Makes known that a package lies where devices fetch it, and what it is.
///
/// One that Apple made anew takes the place of the earlier one, but not in a freeze; an earlier one
/// that comes late takes no place, and the same one becomes nothing but complete.
package struct IngestPackage: Command {
    package let app: AppSlug
    package let package: Package
    /// The version of the package, in App Store Connect, that it was fetched as.
    package let announcedAs: PackageID?
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ package: Package,
        of app: AppSlug,
        announcedAs version: PackageID? = nil,
        reason: Reason?,
        by: PrincipalID
    ) {
        (self.package, self.app, announcedAs) = (package, app, version)
        (self.reason, self.by) = (reason, by)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let app = try logState.app(app, whosePackagesAreKeptBy: by)
        let packages = app.distribution.packages
        var objections: [Objection] = []
        if let known = packages[package.version] {
            let given = package.named(known.id)
            let settles = package.isComplete && packages.isAwaited(announcedAs, of: package.id)
            guard known != given || settles else { throw Refusal(.nothingChanges) }
            if known.revision >= given.revision, !known.becomes(given) {
                objections.append(.packageOutdated(known, given: given.revision))
            } else if known.isComplete, !given.isComplete, logState.strictness != .original {
                let fault = PackageFault.lacksKeys(given.version, revision: given.revision)
                objections.append(.packageRefused(fault, at: "/complete"))
            }
            if let freeze = logState.freeze(of: app.slug, at: now) {
                objections.append(.frozen(freeze))
            }
        } else if packages.isFull {
            objections.append(.packagesFull(app.slug, maximum: PackageCatalog.packagesMaximum))
        }
        if package.minimumSystems.isEmpty {
            objections.append(.listEmpty(at: "/minimumSystems"))
        } else if package.minimumSystems.count > Package.systemsMaximum {
            objections.append(.listTooLong(maximum: Package.systemsMaximum, at: "/minimumSystems"))
        }
        let marketplaces = logState.marketplaces(listing: app)
        if !marketplaces.isEmpty, !marketplaces.contains(where: { $0.covers(package.address) }) {
            let domains = marketplaces.flatMap(\.domains)
            objections.append(
                .packageRefused(
                    .elsewhere([package.version], package.address.host, domains),
                    at: "/address"
                )
            )
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        // Under an id that was withdrawn a version goes that is offered under none, or another.
        var course = packages
        course.put(package, announcedAs: announcedAs, at: now)
        let offered = app.document(.ios).packages
        let rest = offered.filter { !course.isWithdrawn($0) }
        // A marketplace's domains are said in the stream of the app that it is.
        var streams = Set(app.distribution.listings.keys.map(StreamName.app))
        streams.formUnion([.access, .service])
        if rest != offered { streams.insert(.app(app.slug)) }
        var decision = Decision(relyingOn: streams)
        decision.append(
            .app(.marketplace(.packageIngested(package, announcedAs: announcedAs))),
            to: .app(app.slug)
        )
        if rest != offered { decision.append(.app(.packagesOffered(rest)), to: .app(app.slug)) }
        return decision
    }
}

/// Takes packages away for ever, at once and without approval.
///
/// What is offered of them goes in the same append. Somebody else looks at it afterwards, as at an
/// emergency.
package struct WithdrawPackages: Command {
    package let app: AppSlug
    package let withdrawal: PackageWithdrawal
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ withdrawal: PackageWithdrawal,
        of app: AppSlug,
        reason: Reason?,
        by: PrincipalID
    ) {
        (self.withdrawal, self.app, self.reason, self.by) = (withdrawal, app, reason, by)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let (scope, roles) = (Scope.app(app), [Role.responder, .admin])
        guard roles.contains(where: { logState.access.permits(by, $0, in: scope) }) else {
            throw Refusal(.roleMissing(.responder, scope))
        }
        let app = try logState.existingApp(app)
        let most = PackageWithdrawal.listMaximum
        if withdrawal.versions.count > most {
            throw Refusal(.listTooLong(maximum: most, at: "/versions"))
        }
        // Apple's lists are as long as its notifications.
        if withdrawal.ids.count > most, by != .system {
            throw Refusal(.listTooLong(maximum: most, at: "/packages"))
        }
        let packages = app.distribution.packages
        guard !packages.knows(withdrawal) else { throw Refusal(.nothingChanges) }
        // What Apple takes down has always room; it names ids, which are not published.
        if by != .system, packages.hasNoRoom(for: withdrawal) {
            throw Refusal(.withdrawalsFull(app.slug, maximum: PackageCatalog.unseenMaximum))
        }
        var decision = Decision(relyingOn: [.access, .service, .app(app.slug)])
        var course = PackageCourse(of: app, by: by, in: logState, at: now)
        course.withdraw(withdrawal)
        for event in course.events { decision.append(.app(event), to: .app(app.slug)) }
        return decision
    }
}

extension LogState {
    /// The app, if the principal may say which packages it has: Plimsoll itself, and whoever may say
    /// which releases there are.
    fileprivate func app(
        _ slug: AppSlug,
        whosePackagesAreKeptBy principal: PrincipalID
    ) throws(Refusal) -> App {
        if principal == .system { return try existingApp(slug) }
        return try app(slug, whoseReleasesAreKeptBy: principal)
    }
}

extension App {
    /// Documents without packages that were withdrawn: nothing brings one of them back.
    package func withoutWithdrawn(_ documents: [Platform: Document]) -> [Platform: Document] {
        var documents = documents
        if let offered = documents[.ios]?.packages, !offered.isEmpty {
            documents[.ios]?.packages = offered.filter {
                !distribution.packages.isWithdrawn($0)
            }
        }
        return documents
    }
}
