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
