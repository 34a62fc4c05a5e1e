import HashTreeCollections

/// A version of an app that a marketplace can hand out, as Apple made it for that.
package struct Package: Codable, Equatable, Sendable {
    package let version: AppleVersionID
    /// What notifications call it; the package of a marketplace's own app is made known by hand.
    package let id: PackageID?
    /// What people read, and the number of the build.
    package let shortVersion: Label
    package let bundleVersion: Label
    /// The oldest system that it runs on, for every platform that it runs on.
    package let minimumSystems: [PackagePlatform: AppleVersion]
    /// The folder that devices fetch it from.
    package let address: EndpointURL
    /// SHA-256 of its manifest.
    package let manifest: ManifestDigest
    /// How often Apple has made it anew.
    package let revision: Int64
    /// Whether the key of every variant is there; without one a device gets no licence.
    package let isComplete: Bool

    /// Far more than Apple has platforms.
    package static let systemsMaximum = 20

    package init(
        version: AppleVersionID,
        id: PackageID?,
        shortVersion: Label,
        bundleVersion: Label,
        minimumSystems: [PackagePlatform: AppleVersion],
        address: EndpointURL,
        manifest: ManifestDigest,
        revision: Int64,
        isComplete: Bool
    ) {
        self.version = version
        self.id = id
        self.shortVersion = shortVersion
        self.bundleVersion = bundleVersion
        self.minimumSystems = minimumSystems
        self.address = address
        self.manifest = manifest
        self.revision = revision
        self.isComplete = isComplete
    }
}

extension Package {
    /// The same under an id that was known before, where it says none.
    func named(_ known: PackageID?) -> Package { with(id: id ?? known, isComplete: isComplete) }

    /// Whether the same revision, as it is said now, only adds what was missing.
    func becomes(_ other: Package) -> Bool {
        other == with(id: other.id, isComplete: isComplete)
            || other == with(id: other.id, isComplete: true)
    }

    private func with(id: PackageID?, isComplete: Bool) -> Package {
        Package(
            version: version,
            id: id,
            shortVersion: shortVersion,
            bundleVersion: bundleVersion,
            minimumSystems: minimumSystems,
            address: address,
            manifest: manifest,
            revision: revision,
            isComplete: isComplete
        )
    }
}

/// A platform as packages and devices write it, in capitals or not: `ios`, `iOS`.
package struct PackagePlatform: Codable, Comparable, TextName {
    package let text: String

    package static let ios = PackagePlatform(unchecked: "ios")
    package static let grammar = "1 to 20 letters"

    package init?(_ text: String) {
        let small = text.lowercased()
        guard (1...20).contains(small.utf8.count), small.utf8.allSatisfy(isLowercaseLetter) else {
            return nil
        }
        self.text = small
    }

    private init(unchecked text: String) { self.text = text }
}

/// SHA-256 over the bytes of a package's manifest.
package struct ManifestDigest: Codable, Hashable, Sendable {
    /// 64 lower-case hexadecimal digits.
    package let hex: String

    package static let grammar = "64 lower-case hexadecimal digits"

    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isHexDigit) else { return nil }
        self.hex = hex
    }
}

extension ManifestDigest: CustomStringConvertible {
    package var description: String { hex }
}

/// A package that Apple said will come, before anybody fetched it.
package struct PackageAnnouncement: Codable, Equatable, Sendable {
    package let id: PackageID
    /// Of the version of the package, in App Store Connect.
    package let versionID: PackageID
    /// How often it was said to come, as Apple counts.
    package let number: Int64?
    package let announcedAt: Instant?

    package init(
        id: PackageID,
        versionID: PackageID,
        number: Int64? = nil,
        announcedAt: Instant? = nil
    ) {
        (self.id, self.versionID) = (id, versionID)
        (self.number, self.announcedAt) = (number, announcedAt)
    }
}

/// Packages that must not be handed out any more, ever: of these versions, and of these ids whether
/// anybody has seen them or not.
package struct PackageWithdrawal: Equatable, Sendable {
    package let versions: [AppleVersionID]
    package let ids: [PackageID]
    /// Whether Apple demanded it, or somebody here.
    package let isDemanded: Bool
    /// The whole app went: with it all packages that were known or announced until then.
    package let until: Instant?
    /// Whether each goes by when it was known first; once it was what was announced of it last.
    package let countsFirst: Bool

    /// Of versions, and of ids: they are recorded in one event.
    static let listMaximum = 200

    package init(
        versions: [AppleVersionID],
        ids: [PackageID],
        isDemanded: Bool,
        until: Instant? = nil,
        countsFirst: Bool = false
    ) {
        (self.versions, self.ids, self.isDemanded) = (versions, ids, isDemanded)
        (self.until, self.countsFirst) = (until, countsFirst)
    }
}

/// What is known of an app's packages.
package struct PackageCatalog: Codable, Equatable, Sendable {
    private var packages: TreeDictionary<AppleVersionID, Package> = [:]
    /// All that each version was ever called: Apple takes away by these names.
    private var ids: TreeDictionary<AppleVersionID, Set<PackageID>> = [:]
    /// What was said last to come of each, fetched or not.
    private var announced: TreeDictionary<PackageID, PackageAnnouncement> = [:]
    /// The versions of packages, in App Store Connect, that were fetched.
    private var fetched: TreeSet<PackageID> = []
    /// Since when each version and id is known: as Apple says, at the latest when it was recorded.
    private var versionsSince: TreeDictionary<AppleVersionID, Instant> = [:]
    private var idsSince: TreeDictionary<PackageID, Instant> = [:]
    /// Until when the whole app was taken away.
    private var unavailableUntil: Instant?
    private var withdrawnVersions: TreeSet<AppleVersionID> = []
    private var withdrawnIDs: TreeSet<PackageID> = []

    // Whoever was offered a version may ask for it for ever, so what was withdrawn is published for
    // ever: at most as many versions as were ever known and as many unseen ones, each in 23 bytes, and
    // those that are offered. Readers take 4 MiB of that.

    /// Of those that may still be handed out: ten versions a month for sixteen years.
    package static let packagesMaximum = 2000
    /// Of all that were ever known, those that were withdrawn with them.
    package static let recordsMaximum = 20_000
    /// Of versions, and of ids, that were withdrawn before anybody saw them.
    package static let unseenMaximum = 20_000

    package init() {}

    /// Whether no further version may be made known.
    var isFull: Bool {
        packages.count >= Self.recordsMaximum
            || packages.keys.count { !withdrawnVersions.contains($0) } >= Self.packagesMaximum
    }

    /// Whether more that nobody has seen would be withdrawn than is kept.
    ///
    /// What is known can always be withdrawn.
    func hasNoRoom(for withdrawal: PackageWithdrawal) -> Bool {
        let versions = withdrawal.versions.filter { packages[$0] == nil && !isWithdrawn($0) }
        let known = Set(ids.values.joined())
        let ids = withdrawal.ids.filter { !known.contains($0) && !isWithdrawn($0) }
        let unseen = withdrawnVersions.count { packages[$0] == nil }
        return !versions.isEmpty && unseen + versions.count > Self.unseenMaximum
            || !ids.isEmpty
                && withdrawnIDs.count { !known.contains($0) } + ids.count > Self.unseenMaximum
    }

    /// Whether no further package may be announced: one that is to be fetched counts as one that is
    /// there.
    func hasNoRoom(for announcement: PackageAnnouncement) -> Bool {
        guard announced[announcement.id] == nil else { return false }
        let known = packages.keys.count { !withdrawnVersions.contains($0) }
        let awaited = announced.values.count { isAwaited($0.versionID, of: $0.id) }
        return known + awaited >= Self.packagesMaximum || announced.count >= Self.recordsMaximum
    }

    package var isEmpty: Bool { packages.isEmpty && announced.isEmpty && withdrawn.isEmpty }

    /// Every package that was fetched, the newest version first.
    package var all: [Package] { packages.values.sorted { $0.version > $1.version } }

    /// Those that were said to come and were not fetched, in the order of their ids.
    package var awaited: [PackageAnnouncement] {
        announced.values.filter { isAwaited($0.versionID, of: $0.id) }.sorted { $0.id < $1.id }
    }

    /// The versions that are not handed out any more, the newest first.
    package var withdrawn: [AppleVersionID] { withdrawnVersions.sorted(by: >) }

    package subscript(version: AppleVersionID) -> Package? { packages[version] }

    package func isWithdrawn(_ version: AppleVersionID) -> Bool {
        withdrawnVersions.contains(version)
    }

    func isWithdrawn(_ id: PackageID) -> Bool { withdrawnIDs.contains(id) }

    /// Whether a version of a package is known to come, and is to be fetched.
    func isAwaited(_ version: PackageID?, of id: PackageID?) -> Bool {
        guard let version, let id else { return false }
        return isAwaited(version, of: id)
    }

    /// Whether a version of a package is to be fetched.
    package func isAwaited(_ version: PackageID, of id: PackageID) -> Bool {
        announced[id]?.versionID == version && !fetched.contains(version)
            && !withdrawnIDs.contains(id)
    }

    /// Whether an announcement says nothing new: it came before, or a later one did, or the package
    /// was taken away.
    func isKnown(_ announcement: PackageAnnouncement) -> Bool {
        if withdrawnIDs.contains(announcement.id) || fetched.contains(announcement.versionID) {
            return true
        }
        guard let last = announced[announcement.id] else { return false }
        if last.versionID == announcement.versionID { return true }
        guard let number = announcement.number, let known = last.number else { return false }
        return number < known
    }

    /// Whether it was made before the whole app was taken away.
    func isUnavailable(_ announcement: PackageAnnouncement) -> Bool {
        guard let unavailableUntil, let at = announcement.announcedAt else { return false }
        return at <= unavailableUntil
    }

    /// Whether a withdrawal takes nothing away that was not before.
    func knows(_ withdrawal: PackageWithdrawal) -> Bool {
        var after = self
        after.withdraw(withdrawal)
        return after == self
    }

    /// Whether a device may get it: it was fetched whole, and nobody took it away.
    package func isAvailable(_ version: AppleVersionID) -> Bool {
        packages[version]?.isComplete ?? false && !isWithdrawn(version)
    }

    /// Those of some versions that a device may get, in their order.
    package func available(_ versions: [AppleVersionID]) -> [AppleVersionID] {
        versions.filter(isAvailable)
    }

    mutating func announce(_ announcement: PackageAnnouncement, at now: Instant) {
        announced[announcement.id] = announcement
        let since = [idsSince[announcement.id], announcement.announcedAt].compactMap(\.self)
        idsSince[announcement.id] = since.reduce(now, min)
    }

    /// Takes in a package as it was fetched under an announcement; without one it is what was
    /// announced last.
    ///
    /// What lacks a key is fetched again.
    mutating func put(_ package: Package, announcedAs version: PackageID?, at now: Instant) {
        packages[package.version] = package.named(packages[package.version]?.id)
        versionsSince[package.version] = min(versionsSince[package.version] ?? now, now)
        guard let id = package.id else { return }
        ids[package.version, default: []].insert(id)
        idsSince[id] = min(idsSince[id] ?? now, now)
        if package.isComplete, let version = version ?? announced[id]?.versionID {
            fetched.insert(version)
        }
        if withdrawnIDs.contains(id) { withdrawnVersions.insert(package.version) }
    }

    mutating func withdraw(_ withdrawal: PackageWithdrawal) {
        withdrawnVersions.formUnion(withdrawal.versions)
        withdrawnIDs.formUnion(withdrawal.ids)
        if let until = withdrawal.until {
            unavailableUntil = max(unavailableUntil ?? until, until)
            if withdrawal.countsFirst {
                withdrawAll(knownBy: until)
            } else {
                withdrawAll(announcedBy: until)
            }
        }
        for (version, ids) in ids where ids.contains(where: withdrawnIDs.contains) {
            withdrawnVersions.insert(version)
        }
    }

    private mutating func withdrawAll(knownBy until: Instant) {
        let isMeant = { (since: Instant?) in since.map { $0 <= until } ?? false }
        for (id, since) in idsSince where isMeant(since) { withdrawnIDs.insert(id) }
        for (version, since) in versionsSince {
            let ids = ids[version] ?? []
            guard isMeant(since) || ids.contains(where: { isMeant(idsSince[$0]) }) else { continue }
            withdrawnVersions.insert(version)
            withdrawnIDs.formUnion(ids)
        }
    }

    /// As it was recorded once: what was announced anew, later, is not meant, and all else is.
    private mutating func withdrawAll(announcedBy until: Instant) {
        let isLater = { (announcement: PackageAnnouncement?) in
            announcement?.announcedAt.map { $0 > until } ?? false
        }
        for announcement in announced.values where !isLater(announcement) {
            withdrawnIDs.insert(announcement.id)
        }
        for version in packages.keys {
            let ids = ids[version] ?? []
            guard !ids.contains(where: { isLater(announced[$0]) }) else { continue }
            withdrawnVersions.insert(version)
            withdrawnIDs.formUnion(ids)
        }
    }
}

/// What becomes of a package.
package enum PackageState: String, CaseIterable, Sendable {
    /// A key of a variant is missing.
    case incomplete
    /// It could be offered.
    case available
    case offered
    case withdrawn
}

extension App {
    /// What becomes of a package that is known.
    package func state(of package: Package) -> PackageState {
        if distribution.packages.isWithdrawn(package.version) { return .withdrawn }
        guard package.isComplete else { return .incomplete }
        return document(.ios).packages.contains(package.version) ? .offered : .available
    }
}

/// Where an app stands in a marketplace.
package struct Listing: Codable, Hashable, Sendable {
    package let item: AppleItemID
    package let bundle: BundleID

    package init(item: AppleItemID, bundle: BundleID) {
        (self.item, self.bundle) = (item, bundle)
    }
}
