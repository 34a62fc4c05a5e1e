import HashTreeCollections

/// The releases of an app that are known.
package struct ReleaseBook: Equatable, Sendable {
    private var releases: TreeDictionary<ReleaseKey, Release> = [:]
    /// Those that were known once, so that to withdraw one twice is no mistake.
    private var withdrawn: TreeSet<ReleaseKey> = []

    /// More than a release on every working day of four years and two platforms.
    package static let releasesMaximum = 2000

    package init() {}

    package var isEmpty: Bool { releases.isEmpty }

    package var count: Int { releases.count }

    /// Every release, platform by platform and the oldest version first.
    package var all: [Release] {
        releases.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The releases of a platform, the oldest version first.
    package func releases(on platform: Platform) -> [Release] {
        all.filter { $0.platform == platform }
    }

    /// The release of a version, however the version is written.
    package func release(_ version: VersionValue, on platform: Platform) -> Release? {
        releases[ReleaseKey(platform, version)]
    }

    func wasWithdrawn(_ version: VersionValue, on platform: Platform) -> Bool {
        withdrawn.contains(ReleaseKey(platform, version))
    }

    /// Takes in an event of the app; those that are about something else say nothing here.
    package mutating func evolve(_ event: AppEvent) {
        switch event {
        case .releaseRegistered(let release), .releaseAmended(let release):
            let key = ReleaseKey(release.platform, release.version)
            releases[key] = release
            withdrawn.remove(key)
        case .releaseWithdrawn(let platform, let version):
            let key = ReleaseKey(platform, version)
            releases[key] = nil
            withdrawn.insert(key)
        case .appRegistered, .appSettingsChanged, .thresholdSet, .valueCleared, .thresholdCleared,
            .textSet,
            .textRemoved, .offersReplaced, .legacyOfferReplaced,
            .rolledBack, .renewalOrdered, .policyChanged, .freezeStarted, .freezeEnded, .freezePlan,
            .rollbackReviewOrdered, .rollbackReviewed, .versionSharesReplaced:
            break
        }
    }
}

/// Which release it is: `6.0` and `6.00` are one.
private struct ReleaseKey: Hashable, Comparable {
    let platform: Platform
    let numbers: [Int32]

    init(_ platform: Platform, _ version: VersionValue) {
        self.platform = platform
        numbers = version.comparable
    }

    static func < (left: ReleaseKey, right: ReleaseKey) -> Bool {
        left.platform == right.platform
            ? left.numbers.lexicographicallyPrecedes(right.numbers)
            : left.platform < right.platform
    }
}

/// The releases of an app, and which of them clients of Prince of Versions are told of.
///
/// Offers are derived from releases, so to know of one more moves what phones read. In a freeze
/// nothing does but rollbacks and emergencies: what is said of releases meanwhile is known at once,
/// and told from the freeze's end on, as is what stores get meanwhile.
package struct ReleasesTold: Equatable, Sendable {
    package private(set) var known = ReleaseBook()
    private var told = ReleaseBook()
    private var isAppFrozen = false
    private var isEverythingFrozen = false
    /// The freezes that are planned and not over.
    private var windows: [Position: FreezeWindow] = [:]
    /// When the first of the freezes began that last.
    private var heldSince: Instant?

    package init() {}

    /// Of an app that is registered while everything is frozen, or is to be.
    init(during freeze: Freeze?, _ plans: FreezePlans) {
        isEverythingFrozen = freeze != nil
        heldSince = freeze?.since
        windows = Dictionary(uniqueKeysWithValues: plans.all.map { ($0.id, $0.window) })
    }

    /// Takes in an event of the app or of the service; those about something else say nothing here.
    ///
    /// The position is what names a freeze that is planned.
    package mutating func evolve(
        _ event: Event,
        at instant: Instant,
        _ position: Position = .start
    ) {
        switch event {
        case .app(.freezeStarted): isAppFrozen = true
        case .app(.freezeEnded): isAppFrozen = false
        case .service(.serviceFreezeStarted): isEverythingFrozen = true
        case .service(.serviceFreezeEnded): isEverythingFrozen = false
        case .app(.freezePlan(let event)), .service(.freezePlan(let event)):
            take(event, at: position)
        case .app(let event): known.evolve(event)
        case .change, .access, .key, .service, .export, .webhook: break
        }
        let planned = window(at: instant)
        if isAppFrozen || isEverythingFrozen || planned != nil {
            heldSince = heldSince ?? planned?.from ?? instant
        } else {
            (told, heldSince) = (known, nil)
        }
    }

    private mutating func take(_ event: FreezePlanEvent, at position: Position) {
        switch event {
        case .planned(let window): windows[position] = window
        case .cancelled(let id), .ended(let id): windows[id] = nil
        case .started: break
        }
    }

    /// The planned freeze that is in force, the one that began first.
    private func window(at instant: Instant) -> FreezeWindow? {
        windows.values.filter { $0.holds(instant) }.min { $0.from < $1.from }
    }

    /// The releases of a platform that its store had by then, as offers speak of them.
    package func told(on platform: Platform, at instant: Instant) -> [KnownRelease] {
        let held = [heldSince, window(at: instant)?.from].compactMap(\.self).min()
        return told.known(on: platform, at: held.map { min($0, instant) } ?? instant)
    }

    /// When a store gets the next release after an instant, of those that are told.
    package func nextInStore(after instant: Instant) -> Instant? {
        guard heldSince == nil, window(at: instant) == nil else { return nil }
        return told.all.compactMap(\.facts.liveSince).filter { $0 > instant }.min()
    }
}
