package import PlimsollDomain
package import PlimsollJSON

// Packages of an app, and which of them marketplaces hand out.

extension Endpoints {
    static let packages: [any EndpointDeclaration] = [
        listPackages, ingestPackage, announcePackage, withdrawPackages,
    ]

    package static let listPackages = Read<AppSlug, PackageList>(
        .get("listPackages", "/v1/apps/{app}/packages"),
        "Where an app is listed, its packages, and which of them are offered."
    )

    package static let ingestPackage = Write<AppSlug, PackageForm, PackageAnswer>(
        .post("ingestPackage", "/v1/apps/{app}/packages"),
        "Make a package known that devices can fetch; once more changes nothing."
    )

    package static let announcePackage = Write<AppSlug, AnnouncementForm, PackageList>(
        .post("announcePackage", "/v1/apps/{app}/packages/announce"),
        "Make known that a package will come; once more changes nothing."
    )

    package static let withdrawPackages = Write<AppSlug, PackageWithdrawalForm, WithdrawalAnswer>(
        .post("withdrawPackages", "/v1/apps/{app}/packages/withdraw"),
        "Withdraw packages for ever, at once."
    )
}

extension Package {
    /// A platform and the oldest system that the package runs on there.
    struct MinimumSystem: Sendable {
        let platform: PackagePlatform
        let version: AppleVersion

        static let shape = Shape<Self>(
            "MinimumSystem",
            Self.init(platform:version:),
            .required("platform", \.platform, .packagePlatform),
            .required("version", \.version, .appleVersion)
        )
    }

    fileprivate var systemsInOrder: [MinimumSystem] {
        minimumSystems.sorted { $0.key < $1.key }.map { .init(platform: $0.key, version: $0.value) }
    }

    fileprivate static let shape = Shape<Self>(
        nil,
        { version, id, short, bundle, systems, address, manifest, revision, isComplete in
            Package(
                version: version,
                id: id,
                shortVersion: short,
                bundleVersion: bundle,
                minimumSystems: Dictionary(
                    systems.map { ($0.platform, $0.version) },
                    uniquingKeysWith: { first, _ in first }
                ),
                address: address,
                manifest: manifest,
                revision: revision,
                isComplete: isComplete
            )
        },
        .required("version", \.version, .appleVersionID),
        .optional("package", \.id, .package),
        .required("shortVersion", \.shortVersion, .label),
        .required("bundleVersion", \.bundleVersion, .label),
        .required("minimumSystems", \.systemsInOrder, .minimumSystems),
        .required("address", \.address, .endpoint),
        .required("manifest", \.manifest, .manifest),
        .usual("revision", \.revision, .integer(from: 1), Int64(1)),
        .usual("complete", \.isComplete, .bool, true)
    )
}

extension ValueShape<[Package.MinimumSystem]> {
    /// Each platform once.
    fileprivate static var minimumSystems: ValueShape {
        let list = ValueShape.objects(Package.MinimumSystem.shape, atLeast: 1)
        return ValueShape(needed: list.needed, schema: list.schema, write: list.write) {
            found,
            place,
            reader in
            guard let systems = list.read(found, place, &reader) else { return nil }
            var seen: Set<PackagePlatform> = []
            for (index, system) in systems.enumerated()
            where !seen.insert(system.platform).inserted {
                reader.refuse(
                    JSONIssue(
                        pointer: place.appending(index).appending("platform"),
                        detail: "The platform \(system.platform) is named twice."
                    )
                )
            }
            return seen.count == systems.count ? systems : nil
        }
    }
}

/// The body of `POST /v1/apps/{app}/packages`: a package lies where devices fetch it.
///
/// ```json
/// {"version": "878123456789", "shortVersion": "3.2.0", "bundleVersion": "412",
///  "minimumSystems": [{"platform": "ios", "version": "17.4"}],
///  "address": "https://market.example.com/packages/878123456789/",
///  "manifest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
/// ```
package struct PackageForm: Form, Shaped {
    package let package: Package
    /// The version of the package, in App Store Connect, that it was fetched as; what was announced
    /// last where it is not said.
    package let announcedAs: PackageID?
    package let reason: Reason?

    package init(package: Package, announcedAs: PackageID? = nil, reason: Reason? = nil) {
        (self.package, self.announcedAs, self.reason) = (package, announcedAs, reason)
    }

    package static let shape = Shape<Self>(
        "PackageOrder",
        Self.init(package:announcedAs:reason:),
        .part(\.package, Package.shape),
        .optional("packageVersion", \.announcedAs, .package),
        .optional("reason", \.reason, .reason)
    )
}

/// The body of `POST /v1/apps/{app}/packages/withdraw`: what is never handed out again.
///
/// ```json
/// {"versions": ["878123456789"], "reason": "It leaks passwords"}
/// ```
package struct PackageWithdrawalForm: Form, Shaped {
    package let versions: [AppleVersionID]
    package let packages: [PackageID]
    package let reason: Reason

    package init(versions: [AppleVersionID], packages: [PackageID] = [], reason: Reason) {
        (self.versions, self.packages, self.reason) = (versions, packages, reason)
    }

    package static let shape = Shape<Self>(
        "PackageWithdrawal",
        Self.init(versions:packages:reason:),
        .usual("versions", \.versions, .array(of: .appleVersionID), []),
        .usual("packages", \.packages, .array(of: .package), []),
        .required("reason", \.reason, .reason)
    )
}

/// A package as it is known, and whether devices get it.
package struct PackageAnswer: Answer, Shaped {
    package let package: Package
    package let state: PackageState

    package init(_ package: Package, _ state: PackageState) {
        (self.package, self.state) = (package, state)
    }

    package static let shape = Shape<Self>(
        "Package",
        Self.init(_:_:),
        .part(\.package, Package.shape.told),
        .required("state", \.state, .names)
    )
    .withDryRun
}

/// Where an app is listed, what there is of it to hand out, and what is.
package struct PackageList: Answer, Shaped {
    package let app: AppSlug
    package let position: Position
    package let listings: [ListingAnswer]
    /// The newest version first.
    package let packages: [PackageAnswer]
    /// The versions that are offered, in the order in which people see them.
    package let offered: [AppleVersionID]
    package let withdrawn: [AppleVersionID]
    /// Said to come, and not fetched yet.
    package let awaited: [PackageID]

    package init(
        app: AppSlug,
        position: Position,
        listings: [ListingAnswer],
        packages: [PackageAnswer],
        offered: [AppleVersionID],
        withdrawn: [AppleVersionID],
        awaited: [PackageID]
    ) {
        (self.app, self.position, self.listings) = (app, position, listings)
        (self.packages, self.offered) = (packages, offered)
        (self.withdrawn, self.awaited) = (withdrawn, awaited)
    }

    package static let shape = Shape<Self>(
        "PackageList",
        Self.init(app:position:listings:packages:offered:withdrawn:awaited:),
        .required("app", \.app, .slug),
        .required("position", \.position, .position),
        .required("listings", \.listings, .objects(ListingAnswer.shape)),
        .required("packages", \.packages, .objects(PackageAnswer.shape)),
        .required("offered", \.offered, .array(of: .appleVersionID)),
        .required("withdrawn", \.withdrawn, .array(of: .appleVersionID)),
        .required("awaited", \.awaited, .array(of: .package))
    )
    .withDryRun
}

/// The body of `POST /v1/apps/{app}/packages/announce`: Apple has made a package.
///
/// ```json
/// {"package": "9f1c…", "packageVersion": "77b0…"}
/// ```
package struct AnnouncementForm: Form, Shaped {
    package let announcement: PackageAnnouncement

    package init(_ announcement: PackageAnnouncement) { self.announcement = announcement }

    package static let shape = Shape<Self>(
        "PackageAnnouncement",
        { Self(PackageAnnouncement(id: $0, versionID: $1)) },
        .required("package", \.announcement.id, .package),
        .required("packageVersion", \.announcement.versionID, .package)
    )
}

/// What a withdrawal took away, how the app's packages stand now, and who looks at it again.
package struct WithdrawalAnswer: Answer, Shaped {
    package let list: PackageList
    /// The versions that were offered until then.
    package let taken: [AppleVersionID]
    /// `nil` where everything was withdrawn already.
    package let review: OrderedReview?
    /// What does not fit together any more with what is left.
    package let checks: [CheckFinding]

    package init(
        list: PackageList,
        taken: [AppleVersionID],
        review: OrderedReview?,
        checks: [CheckFinding] = []
    ) {
        (self.list, self.taken, self.review) = (list, taken, review)
        self.checks = checks
    }

    package static let shape = Shape<Self>(
        "PackagesWithdrawn",
        Self.init(list:taken:review:checks:),
        .part(\.list, PackageList.shape),
        .required("taken", \.taken, .array(of: .appleVersionID), before: []),
        .nullable("review", \.review, .object(OrderedReview.shape)),
        .required("checks", \.checks, .objects(CheckFinding.shape), before: [])
    )
    .withDryRun
}

/// A review that was opened just now.
package struct OrderedReview: Equatable, Sendable {
    /// What names it; `nil` in a dry run.
    package let position: Position?
    package let order: ReviewOrder
    /// Who may close it; some of them where there are many.
    package let reviewers: [PrincipalID]

    package init(position: Position?, order: ReviewOrder, reviewers: [PrincipalID]) {
        (self.position, self.order, self.reviewers) = (position, order, reviewers)
    }

    fileprivate static let shape = Shape<Self>(
        "OrderedReview",
        Self.init(position:order:reviewers:),
        .nullable("position", \.position, .position),
        .part(\.order, ReviewOrder.shape),
        .required("reviewers", \.reviewers, .array(of: .principal))
    )
}
