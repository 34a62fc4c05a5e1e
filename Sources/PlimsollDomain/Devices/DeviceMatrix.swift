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
    package struct Cell: Equatable, Sendable {
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
        let known = releases.known(at: now)
        let sides = Sides(before, after, told ?? (known, known), settings.profile)
        let lines = Lines(of: [before, after], releases)
        let (systems, shown) = (lines.systems, releases.suffix(Self.rowsMaximum))
        let stores = systems.map { system in
            releases.offered(on: system, at: now)
        }
        self.systems = systems
        systemsLeftOut = lines.leftOut
        releasesLeftOut = releases.count - shown.count
        rows = shown.map { release in
            let cells = zip(systems, stores).map { system, store -> Cell? in
                guard release.runs(on: system) else { return nil }
                let device = Device(
                    platform: before.platform,
                    os: system,
                    app: release.version,
                    store: store,
                    language: settings.fallbackLanguage
                )
                return device.map(sides.cell)
            }
            return Row(version: release.version, cells: cells)
        }
    }
}

/// The two states as devices read them.
private struct Sides {
    let before: Document
    let after: Document
    let offersBefore: PublishedOffers
    let offersAfter: PublishedOffers

    init(
        _ before: Document,
        _ after: Document,
        _ told: (before: [KnownRelease], after: [KnownRelease]),
        _ profile: DocumentProfile
    ) {
        (self.before, self.after) = (before.told(in: profile), after.told(in: profile))
        offersBefore = PublishedOffers(before, releases: told.before)
        offersAfter = PublishedOffers(after, releases: told.after)
    }

    func cell(_ device: Device) -> DeviceMatrix.Cell {
        let offered = OfferedDevice(device)
        return DeviceMatrix.Cell(
            before: before.verdict(on: device),
            after: after.verdict(on: device),
            offersBefore: offersBefore.verdict(on: offered),
            offersAfter: offersAfter.verdict(on: offered)
        )
    }
}

extension [Release] {
    /// The newest of one platform's releases that its store has and that runs on a system.
    package func offered(on system: VersionValue, at now: Instant) -> VersionValue? {
        last { release in
            release.runs(on: system) && release.facts.liveSince.map { $0 <= now } ?? false
        }?.version
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
    let named = versions.filter(\.holdsSomebodyBack)
    let all = named + named.compactMap(\.preceding).filter(\.holdsSomebodyBack)
    return Dictionary(all.map { ($0.comparable, $0) }) { first, _ in first }
}
