package import PlimsollDocuments
package import PlimsollDomain

/// What one marketplace hands out, as verified snapshots say it: every answer comes from here.
package final class Storefront: Sendable {
    package let marketplace: Marketplace
    private let apps: [AppleItemID: App]
    /// Until when what is said of the marketplace may be relied on; `nil` for ever.
    private let expiresAt: Instant?

    /// An app that the marketplace lists.
    package struct App: Equatable, Sendable {
        package let item: AppleItemID
        /// The newest version first.
        package let offers: [PackageOffer]
        package let withdrawn: Set<AppleVersionID>
        /// Until when all that may be relied on; `nil` for ever.
        fileprivate let expiresAt: Instant?

        /// Of what is offered the marketplace hands out what lies on a domain of its own.
        package init(
            _ listing: Listing,
            offering packages: [Package],
            withdrawn: [AppleVersionID],
            in marketplace: Marketplace,
            until expiresAt: Instant? = nil
        ) {
            self.expiresAt = expiresAt
            item = listing.item
            offers = packages.filter { marketplace.covers($0.address) }
                .sorted { $0.version > $1.version }
                .map { PackageOffer($0, of: listing, in: marketplace) }
            self.withdrawn = Set(withdrawn)
        }

        func offer(of version: AppleVersionID) -> PackageOffer? {
            offers.first { $0.package.version == version }
        }

        /// Whether the app was taken away from whoever has the version: nothing is left to move to.
        func isGone(from installed: AppleVersionID?) -> Bool {
            offers.isEmpty && installed.map(withdrawn.contains) ?? false
        }
    }

    /// One that lists these apps.
    package init(_ marketplace: Marketplace, _ apps: [App], until expiresAt: Instant? = nil) {
        (self.marketplace, self.expiresAt) = (marketplace, expiresAt)
        self.apps = Dictionary(apps.map { ($0.item, $0) }) { _, last in last }
    }

    /// Takes of all apps those that the marketplace lists; of two under one AppleItemID the one that
    /// was published later, since the other has left.
    package convenience init(_ document: MarketplaceDocument, _ apps: [PackagesDocument]) {
        let marketplace = document.stamp.app
        var listed: [AppleItemID: (app: App, issuedAt: Instant)] = [:]
        for app in apps {
            guard let listing = app.listings[marketplace] else { continue }
            let issuedAt = app.stamp.issue.issuedAt
            if let other = listed[listing.item], other.issuedAt >= issuedAt { continue }
            listed[listing.item] = (
                App(
                    listing,
                    offering: app.packages,
                    withdrawn: app.withdrawn,
                    in: document.marketplace,
                    until: app.stamp.issue.expiresAt
                ), issuedAt
            )
        }
        self.init(
            document.marketplace,
            listed.values.map(\.app),
            until: document.stamp.issue.expiresAt
        )
    }

    package subscript(item: AppleItemID) -> App? { apps[item] }

    /// Whether what is said of these apps, or of the marketplace, is too old to be relied on: a newer
    /// snapshot may have taken something away.
    package func isExpired(for items: some Sequence<AppleItemID>, at now: Instant) -> Bool {
        let isPast = { (expiry: Instant?) in expiry.map { $0 <= now } ?? false }
        return isPast(expiresAt) || items.contains { isPast(apps[$0]?.expiresAt) }
    }

    /// All of them, in no order.
    package var listed: some Collection<App> { apps.values }
}

/// What a device says of itself when it asks.
package struct InstallingDevice: Equatable, Sendable {
    package let platform: PackagePlatform
    package let system: AppleVersion

    package init(platform: PackagePlatform, system: AppleVersion) {
        (self.platform, self.system) = (platform, system)
    }
}

/// Why a device does not get what it asked for; metrics and explanations name it.
package enum FailureReason: String, CaseIterable, Sendable {
    /// The marketplace has no such app.
    case unlisted
    /// The version was withdrawn.
    case withdrawn
    /// The version is not offered, or not any more.
    case notOffered
    /// There is no package for the platform.
    case platformMissing
    /// The package needs a newer system.
    case systemTooOld
}

/// What a device is told of one app.
package enum Outcome: Equatable, Sendable {
    case offered(PackageOffer)
    case failed(FailureReason)
    /// There is nothing newer: nothing is said of it.
    case current
}

extension Package {
    /// Why the device cannot run it; `nil` where it can.
    package func obstacle(for device: InstallingDevice) -> FailureReason? {
        guard let needed = minimumSystems[device.platform] else { return .platformMissing }
        return VersionValue.dotted(device.system).isOlder(than: .dotted(needed))
            ? .systemTooOld : nil
    }
}

extension Storefront {
    /// The very version that a device had, or was promised by a page.
    package func restore(
        _ item: AppleItemID,
        _ version: AppleVersionID?,
        to device: InstallingDevice
    ) -> Outcome {
        guard let app = apps[item] else { return .failed(.unlisted) }
        guard let version else { return .failed(.notOffered) }
        if app.withdrawn.contains(version) { return .failed(.withdrawn) }
        guard let offer = app.offer(of: version) else { return .failed(.notOffered) }
        return offer.package.obstacle(for: device).map(Outcome.failed) ?? .offered(offer)
    }

    /// The newest version that the device can run, where it is newer than the installed one.
    ///
    /// What is newer is told by AppleVersionIDs: bundle versions and dates go back now and then. Of
    /// an app that was taken down that is said, as of one that is not sold here.
    package func update(
        _ item: AppleItemID,
        installed: AppleVersionID?,
        on device: InstallingDevice
    ) -> Outcome {
        guard let app = apps[item] else { return .failed(.unlisted) }
        if app.isGone(from: installed) { return .failed(.withdrawn) }
        let newest = app.offers.first { $0.package.obstacle(for: device) == nil }
        guard let newest, installed.map({ newest.package.version > $0 }) ?? true else {
            return .current
        }
        return .offered(newest)
    }

    /// Why a device does not get the newest version that is offered, where it is newer than the
    /// installed one.
    package func hindrance(
        _ item: AppleItemID,
        installed: AppleVersionID?,
        on device: InstallingDevice
    ) -> FailureReason? {
        guard
            let newest = apps[item]?.offers.first?.package,
            installed.map({ newest.version > $0 }) ?? true
        else { return nil }
        return newest.obstacle(for: device)
    }
}
