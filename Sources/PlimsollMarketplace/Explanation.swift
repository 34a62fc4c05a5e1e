package import PlimsollDomain

/// What a device would be told of one app of a marketplace, and why of each newer version it is not
/// told that.
package struct Explanation: Equatable, Sendable {
    package let item: AppleItemID
    package let device: InstallingDevice
    /// The version on the device, or that it wants back.
    package let installed: AppleVersionID?
    /// Of the installed version; `nil` where none is named.
    package let restore: Told?
    package let updates: Told
    /// Every version that is known and newer than the installed one, the newest first.
    package let newer: [Version]
    /// Packages that were said to come and have not been fetched; which versions they are is not known.
    package let awaited: [PackageID]
    /// At most once in so many hours a device asks by itself.
    package let hours: Int64

    /// What a device is told.
    package struct Told: Equatable, Sendable {
        package let verdict: Verdict
        /// The version that it is offered.
        package let version: AppleVersionID?
        /// Why it is offered nothing.
        package let reason: FailureReason?

        package init(_ verdict: Verdict, _ version: AppleVersionID?, _ reason: FailureReason?) {
            (self.verdict, self.version, self.reason) = (verdict, version, reason)
        }
    }

    /// What becomes of a question.
    package enum Verdict: String, CaseIterable, Sendable {
        case offered
        /// There is nothing newer.
        case current
        case failed
    }

    /// A version, and why updates do not answer it.
    package struct Version: Equatable, Sendable {
        package let version: AppleVersionID
        /// What people read; `nil` where the package is not known.
        package let shortVersion: Label?
        package let standing: Standing
        /// The system that it needs.
        package let needed: AppleVersion?

        package init(
            _ version: AppleVersionID,
            _ shortVersion: Label?,
            _ standing: Standing,
            needed: AppleVersion?
        ) {
            (self.version, self.shortVersion, self.standing) = (version, shortVersion, standing)
            self.needed = needed
        }
    }

    /// How a version stands to the answer for a device.
    package enum Standing: String, CaseIterable, Sendable {
        /// It is the answer.
        case answered
        /// It would be, were there no newer one.
        case surpassed
        /// Nobody has fetched its package.
        case unknown
        case withdrawn
        /// Keys of its variants are missing.
        case incomplete
        /// It is known whole, and no change offers it.
        case notOffered
        /// It lies on no domain of the marketplace.
        case elsewhere
        case platformMissing
        case systemTooOld
        /// The marketplace does not list the app.
        case unlisted
    }

    package init(
        item: AppleItemID,
        device: InstallingDevice,
        installed: AppleVersionID?,
        restore: Told?,
        updates: Told,
        newer: [Version],
        awaited: [PackageID],
        hours: Int64
    ) {
        self.item = item
        self.device = device
        self.installed = installed
        self.restore = restore
        self.updates = updates
        self.newer = newer
        self.awaited = awaited
        self.hours = hours
    }
}

extension Explanation {
    /// Works out what a marketplace answers of an app that it lists, or of none where there is no
    /// listing, by all that is known of its packages and what a document says is offered.
    package init(
        of item: AppleItemID,
        installed: AppleVersionID?,
        on device: InstallingDevice,
        in marketplace: Marketplace,
        listedAs listing: Listing?,
        knowing packages: PackageCatalog,
        offering offered: [AppleVersionID]
    ) {
        let app = listing.map {
            Storefront.App(
                $0,
                offering: packages.available(offered).compactMap { packages[$0] },
                withdrawn: packages.withdrawn,
                in: marketplace
            )
        }
        let storefront = Storefront(marketplace, app.map { [$0] } ?? [])
        let updates = Told(storefront.update(item, installed: installed, on: device))
        let ids = Set(packages.all.map(\.version) + packages.withdrawn)
        self.init(
            item: item,
            device: device,
            installed: installed,
            restore: installed.map { Told(storefront.restore(item, $0, to: device)) },
            updates: updates,
            newer: ids.filter { id in installed.map { id > $0 } ?? true }.sorted(by: >).map { id in
                let package = packages[id]
                return Version(
                    id,
                    package?.shortVersion,
                    id == updates.version
                        ? .answered
                        : packages.standing(of: id, offered, app, marketplace, device),
                    needed: package?.minimumSystems[device.platform]
                )
            },
            awaited: packages.awaited.map(\.id),
            hours: max(24, marketplace.endpoints(for: item).pollingInterval)
        )
    }
}

extension Explanation.Told {
    fileprivate init(_ outcome: Outcome) {
        switch outcome {
        case .offered(let offer): self.init(.offered, offer.package.version, nil)
        case .current: self.init(.current, nil, nil)
        case .failed(let reason): self.init(.failed, nil, reason)
        }
    }

    package var sentence: String {
        switch verdict {
        case .offered: "It is offered \(version.map { "version \($0)" } ?? "a version")."
        case .current: "Nothing is said of the app: there is nothing newer for the device."
        case .failed: "It is told: \(reason?.sentence ?? "nothing.")"
        }
    }
}

extension PackageCatalog {
    /// Why a version is not the answer for a device.
    fileprivate func standing(
        of version: AppleVersionID,
        _ offered: [AppleVersionID],
        _ app: Storefront.App?,
        _ marketplace: Marketplace,
        _ device: InstallingDevice
    ) -> Explanation.Standing {
        if isWithdrawn(version) { return .withdrawn }
        guard let package = self[version] else { return .unknown }
        guard package.isComplete else { return .incomplete }
        guard offered.contains(version) else { return .notOffered }
        guard app != nil else { return .unlisted }
        guard marketplace.covers(package.address) else { return .elsewhere }
        return switch package.obstacle(for: device) {
        case .platformMissing: .platformMissing
        case .systemTooOld: .systemTooOld
        case .unlisted, .withdrawn, .notOffered, nil: .surpassed
        }
    }
}

extension Marketplace {
    fileprivate func endpoints(for item: AppleItemID) -> MarketplaceEndpoints {
        overrides.first { $0.item == item }.map { endpoints.with($0.endpoints) } ?? endpoints
    }
}

extension Explanation.Version {
    package var sentence: String {
        switch standing {
        case .answered: "It is what the device gets."
        case .surpassed: "The device could run it, and gets a newer one."
        case .unknown: "Nobody has fetched its package."
        case .withdrawn: "It was withdrawn, and is never offered again."
        case .incomplete: "Keys of its variants are missing: devices would get no licence."
        case .notOffered: "It is known, and no change offers it."
        case .elsewhere: "Its package lies on no domain of the marketplace."
        case .platformMissing: "There is no package for this platform."
        case .systemTooOld:
            "It needs \(needed.map { "\($0.written) or newer" } ?? "a newer system")."
        case .unlisted: "The marketplace does not list the app."
        }
    }
}
