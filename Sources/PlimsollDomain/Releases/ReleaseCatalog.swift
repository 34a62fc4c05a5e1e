import HashTreeCollections

/// The releases of an app that are known.
package struct ReleaseCatalog: Codable, Equatable, Sendable {
    private var releases: TreeDictionary<ReleaseKey, Release> = [:]
    /// Those that were known once, so that to withdraw one twice is no mistake.
    private var withdrawn: TreeSet<ReleaseKey> = []

    /// More than a release on every working day of four years and two platforms.
    package static let releasesMaximum = 2000

    package init() {}

    package var isEmpty: Bool { releases.isEmpty }

    package var count: Int { releases.count }

    /// Every release, platform by platform and the oldest version first.
    package var all: [Release] { inOrder { _ in true } }

    /// The releases of a platform, the oldest version first.
    package func releases(on platform: Platform) -> [Release] {
        inOrder { $0 == platform }
    }

    /// Only the keys are sorted: to move a release is to count all that refers to what is in it.
    private func inOrder(_ isWanted: (Platform) -> Bool) -> [Release] {
        releases.keys.filter { isWanted($0.platform) }.sorted().compactMap { releases[$0] }
    }

    /// The newest release of a platform that its store has and that runs on a system.
    package func offered(
        by platform: Platform,
        on system: VersionValue,
        at now: Instant
    ) -> VersionValue? {
        releases.lazy.filter { key, release in
            key.platform == platform && release.isOffered(on: system, at: now)
        }.max { $0.key < $1.key }?.value.version
    }

    /// The release of a version, however the version is written.
    package func release(_ version: VersionValue, on platform: Platform) -> Release? {
        releases[ReleaseKey(platform, version)]
    }

    func wasWithdrawn(_ version: VersionValue, on platform: Platform) -> Bool {
        withdrawn.contains(ReleaseKey(platform, version))
    }

    /// Takes what is said of a release for all that is known of it.
    package mutating func put(_ release: Release) {
        let key = ReleaseKey(release.platform, release.version)
        releases[key] = release
        withdrawn.remove(key)
    }

    mutating func withdraw(_ version: VersionValue, on platform: Platform) {
        let key = ReleaseKey(platform, version)
        releases[key] = nil
        withdrawn.insert(key)
    }
}

/// Which release it is: `6.0` and `6.00` are one.
private struct ReleaseKey: Codable, Hashable, Comparable {
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
package struct ReleasesTold: Codable, Equatable, Sendable {
    package private(set) var known = ReleaseCatalog()
    private var told = ReleaseCatalog()
    /// What freezes the app alone, and what freezes all of them.
    private var own = Freezes()
    private var everything = Freezes()
    /// When the first of the freezes began that last.
    private var heldSince: Instant?

    package init() {}

    /// Of an app that is registered while everything is frozen, or is to be.
    init(during everything: Freezes) {
        self.everything = everything
        heldSince = everything.unplanned?.since
    }

    /// Takes in an event of the app or of the service; those about something else say nothing here.
    package mutating func evolve(_ recorded: RecordedEvent) {
        switch recorded.event {
        case .app(.freeze(let event)): own.evolve(event, recorded)
        case .service(.freeze(let event)): everything.evolve(event, recorded)
        case .app(.releaseRegistered(let release)), .app(.releaseAmended(let release)):
            known.put(release)
        case .app(.releaseWithdrawn(let platform, let version)):
            known.withdraw(version, on: platform)
        case .app, .change, .access, .key, .service, .export, .webhook: break
        }
        let instant = recorded.recordedAt
        let planned = plannedStart(at: instant)
        if own.unplanned != nil || everything.unplanned != nil || planned != nil {
            heldSince = heldSince ?? planned ?? instant
        } else {
            (told, heldSince) = (known, nil)
        }
    }

    /// When the planned freeze began that is in force, the first of them.
    private func plannedStart(at instant: Instant) -> Instant? {
        [own, everything].compactMap { $0.planInForce(at: instant)?.window.from }.min()
    }

    /// The releases of a platform that its store had by then, as offers speak of them.
    package func told(on platform: Platform, at instant: Instant) -> [KnownRelease] {
        let held = [heldSince, plannedStart(at: instant)].compactMap(\.self).min()
        return told.known(on: platform, at: held.map { min($0, instant) } ?? instant)
    }

    /// When a store gets the next release after an instant, of those that are told.
    package func nextInStore(after instant: Instant) -> Instant? {
        guard heldSince == nil, plannedStart(at: instant) == nil else { return nil }
        return told.all.compactMap(\.facts.liveSince).filter { $0 > instant }.min()
    }
}
