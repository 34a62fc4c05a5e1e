/// What every release that is known shows wherever a line is drawn, in one state of a document and
/// in another.
///
/// In each cell stands a device: an app of that release, on that system, whose store offers the
/// newest release that it has and that runs there.
package struct DeviceMatrix: Equatable, Sendable {
    package let platform: Platform
    /// The systems that a release, an offer or a threshold names, and those just below; the oldest
    /// first.
    ///
    /// Where none of them names any, the first that there can be stands for all.
    package let systems: [VersionValue]
    /// The oldest release first.
    package let rows: [Row]
    /// How many older releases there are beside the rows.
    package let releasesLeftOut: Int
    /// How many of the releases' own lines between systems are not looked at.
    package let systemsLeftOut: Int

    /// One release on every system.
    package struct Row: Equatable, Sendable {
        package let version: VersionValue
        /// `nil` where the release does not run.
        package let cells: [Cell?]

        package init(version: VersionValue, cells: [Cell?]) {
            self.version = version
            self.cells = cells
        }
    }

    /// What a device shows in both states.
    package struct Cell: Hashable, Sendable {
        package let before: DeviceVerdict
        package let after: DeviceVerdict
        /// What clients of Prince of Versions tell their app.
        package let offersBefore: OfferVerdict
        package let offersAfter: OfferVerdict

        package init(
            before: DeviceVerdict,
            after: DeviceVerdict,
            offersBefore: OfferVerdict,
            offersAfter: OfferVerdict
        ) {
            (self.before, self.after) = (before, after)
            (self.offersBefore, self.offersAfter) = (offersBefore, offersAfter)
        }

        package var isMoved: Bool { before != after || isMovedByOffers }

        package var isMovedByOffers: Bool { offersBefore != offersAfter }
    }

    /// Of more systems those are looked at that a threshold names, and the newest.
    package static let systemsMaximum = 64
    /// Of more releases the newest are looked at.
    package static let rowsMaximum = 200

    package init(
        platform: Platform,
        systems: [VersionValue],
        rows: [Row],
        releasesLeftOut: Int = 0,
        systemsLeftOut: Int = 0
    ) {
        self.platform = platform
        self.systems = systems
        self.rows = rows
        self.releasesLeftOut = releasesLeftOut
        self.systemsLeftOut = systemsLeftOut
    }

    /// How many devices show something else afterwards.
    package var movedCount: Int {
        rows.reduce(0) { $0 + $1.cells.count { $0?.isMoved ?? false } }
    }
}

extension DeviceMatrix {
    /// Works it out from the two states and what is known at the time, and from nothing else.
    ///
    /// Offers are derived from the releases that are told in each state, which are those that stores
    /// have at the time unless said otherwise.
    package init(
        from before: Document,
        to after: Document,
        releases: [Release],
        told: (before: [KnownRelease], after: [KnownRelease])? = nil,
        at now: Instant,
        _ settings: AppSettings
    ) {
        precondition(before.platform == after.platform, "states of one document are compared")
        platform = before.platform
        let releases = releases.filter { $0.platform == before.platform }
        let told = told ?? { ($0, $0) }(releases.known(at: now))
        let sides = (
            Side(before, releases: told.before, settings.profile),
            Side(after, releases: told.after, settings.profile)
        )
        let lines = Lines(of: [before, after], releases)
        let (systems, shown) = (lines.systems, releases.suffix(Self.rowsMaximum))
        let stores = releases.offered(onEach: systems, at: now)
        let columns = zip(systems, stores).map { system, store in
            (system, sides.0.column(system, store), sides.1.column(system, store))
        }
        self.systems = systems
        systemsLeftOut = lines.leftOut
        releasesLeftOut = releases.count - shown.count
        rows = shown.map { release in
            let rows = (sides.0.row(release.version), sides.1.row(release.version))
            let cells = columns.map { system, before, after -> Cell? in
                guard release.runs(on: system) else { return nil }
                return Cell(
                    before: before.verdict(of: rows.0),
                    after: after.verdict(of: rows.1),
                    offersBefore: before.offers(release.version),
                    offersAfter: after.offers(release.version)
                )
            }
            return Row(version: release.version, cells: cells)
        }
    }
}

/// One of the two states as devices read it.
///
/// All devices on a system have what it falls short of in common, and the offer that is selected
/// there; all with a release, what that falls short of.
private struct Side {
    private let platform: Platform
    private let lines: DocumentLines
    private let offers: PublishedOffers

    init(_ document: Document, releases: [KnownRelease], _ profile: DocumentProfile) {
        platform = document.platform
        lines = DocumentLines(document.told(in: profile))
        offers = PublishedOffers(document, releases: releases)
    }

    struct Column {
        let platform: Platform
        let shortfall: Shortfall
        let offer: Offer?

        func verdict(of release: Shortfall) -> DeviceVerdict {
            shortfall.union(release).ruling(on: platform).0
        }

        func offers(_ app: VersionValue) -> OfferVerdict { offer?.verdict(on: app) ?? .noUpdate }
    }

    func column(_ system: VersionValue, _ store: VersionValue?) -> Column {
        Column(
            platform: platform,
            shortfall: lines.shortfall(ofSystem: system, store: store),
            offer: offers.selected(on: system)
        )
    }

    func row(_ app: VersionValue) -> Shortfall { lines.shortfall(ofApp: app) }
}

extension [Release] {
    /// What each of some systems is offered, the oldest system first: what does not run on one runs
    /// on none before it.
    func offered(onEach systems: [VersionValue], at now: Instant) -> [VersionValue?] {
        var rest = self[...]
        let stores = systems.reversed().map { system in
            while let last = rest.last, !last.isOffered(on: system, at: now) {
                rest.removeLast()
            }
            return rest.last?.version
        }
        return stores.reversed()
    }
}

extension Release {
    /// Whether its store has it and it runs there.
    func isOffered(on system: VersionValue, at now: Instant) -> Bool {
        runs(on: system) && facts.liveSince.map { $0 <= now } ?? false
    }
}

/// Where the documents, their offers or the releases draw a line between systems, and the version
/// below each.
private struct Lines {
    /// The oldest first.
    let systems: [VersionValue]
    let leftOut: Int

    init(of documents: [Document], _ releases: [Release]) {
        guard let platform = documents.first?.platform, !releases.isEmpty else {
            (systems, leftOut) = ([], 0)
            return
        }
        let drawn = edges(
            documents.flatMap { document in
                [ThresholdName.minimumOS, .recommendedOS].compactMap { document[$0].value }
            }
        )
        let offered = documents.flatMap(\.offers).compactMap(\.requirements.system)
        let named = releases.compactMap(\.facts.system) + offered.compactMap(VersionValue.init)
        let all = drawn.merging(edges(named)) { first, _ in first }
        guard !all.isEmpty else {
            (systems, leftOut) = ([.first(platform.systemKind)], 0)
            return
        }
        let others = all.keys.filter { drawn[$0] == nil }.sorted {
            $0.lexicographicallyPrecedes($1)
        }
        let shown = others.suffix(DeviceMatrix.systemsMaximum - drawn.count)
        leftOut = others.count - shown.count
        systems = (drawn.keys + shown).sorted { $0.lexicographicallyPrecedes($1) }
            .compactMap { all[$0] }
    }
}

/// The versions and the one below each, the way in which each was written first.
private func edges(_ versions: [VersionValue]) -> [[Int32]: VersionValue] {
    var seen: Set<[Int32]> = []
    // Many releases name few systems.
    let named = versions.filter { seen.insert($0.comparable).inserted && $0.holdsSomebodyBack }
    let all = named + named.compactMap(\.preceding).filter(\.holdsSomebodyBack)
    return Dictionary(all.map { ($0.comparable, $0) }) { first, _ in first }
}
