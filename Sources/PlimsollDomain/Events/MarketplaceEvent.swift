package import PlimsollJSON

/// What happens to an app in alternative marketplaces, and to the marketplace that it is.
package enum MarketplaceEvent: Equatable, Sendable {
    /// Says all of the marketplace from then on.
    case set(Marketplace)
    case removed
    /// In the marketplace that another app is, or the app itself.
    case listed(AppSlug, Listing)
    case unlisted(AppSlug)
    case packageAnnounced(PackageAnnouncement)
    /// Says all that is known of the package from then on.
    ///
    /// Where it was fetched because Apple had announced it, under the id of that version.
    case packageIngested(Package, announcedAs: PackageID? = nil)
    case packagesWithdrawn(PackageWithdrawal)
    /// Stands in the append that withdraws packages.
    case withdrawalReviewOrdered(ReviewOrder)
    /// Names the position of `withdrawalReviewOrdered`.
    case withdrawalReviewed(Position, ReviewVerdict)

    var told: any ToldEvent {
        switch self {
        case .set(let marketplace): MarketplaceEvents.set(marketplace)
        case .removed: MarketplaceEvents.removed()
        case .listed(let marketplace, let listing): MarketplaceEvents.listed(marketplace, listing)
        case .unlisted(let marketplace): MarketplaceEvents.unlisted(marketplace)
        case .packageAnnounced(let announcement): MarketplaceEvents.announced(announcement)
        case .packageIngested(let package, let version):
            MarketplaceEvents.ingested(package, version)
        case .packagesWithdrawn(let withdrawal): MarketplaceEvents.withdrawn(withdrawal)
        case .withdrawalReviewOrdered(let order): MarketplaceEvents.reviewOrdered(order)
        case .withdrawalReviewed(let review, let verdict):
            MarketplaceEvents.reviewed(review, verdict)
        }
    }
}

/// The events of marketplaces, each declared once.
enum MarketplaceEvents {
    static let set = Declared(
        .marketplaceSet,
        { AppEvent.marketplace(.set($0)) },
        .marketplace
    ) { about, marketplace in
        let domains = marketplace.domains.map(\.text).joined(separator: ", ")
        return "\(about.subject) is the marketplace \(marketplace.item), at \(domains)"
    }
    .publishing { stream, _ in stream.ownApp }

    static let removed = Declared(.marketplaceRemoved, { AppEvent.marketplace(.removed) }) {
        "\($0.subject) is no marketplace any more"
    }
    .publishing { stream, _ in stream.ownApp }

    static let listed = Declared(
        .appListed,
        { AppEvent.marketplace(.listed($0, $1)) },
        Members("marketplace", .app),
        .listing
    ) { "\($0.subject) listed in \($1) as \($2.item) (\($2.bundle))" }
    .publishing { stream, _ in stream.ownApp }

    static let unlisted = Declared(
        .appUnlisted,
        { AppEvent.marketplace(.unlisted($0)) },
        Members("marketplace", .app)
    ) { "\($0.subject) taken out of \($1)" }
    .publishing { stream, _ in stream.ownApp }

    // 2: `number` and `announcedAt`.
    static let announced = Declared(
        .packageAnnounced,
        shape: 2,
        { AppEvent.marketplace(.packageAnnounced($0)) },
        .announcement
    ) { "\($0.subject) package \($1.id) announced" }

    // 2: `packageVersion`.
    static let ingested = Declared(
        .packageIngested,
        shape: 2,
        { AppEvent.marketplace(.packageIngested($0, announcedAs: $1)) },
        .package,
        .optional("packageVersion", .package, isNullAnswered: false)
    ) { about, package, _ in
        "\(about.subject) package \(package.version) (\(package.shortVersion.text)) ingested"
            + (package.isComplete ? "" : ", without all keys of its variants")
    }
    .publishing { stream, _ in stream.ownApp }

    // 2: `until`.
    // 3: `firstKnown`.
    static let withdrawn = Declared(
        .packagesWithdrawn,
        shape: 3,
        { AppEvent.marketplace(.packagesWithdrawn($0)) },
        .withdrawal
    ) { about, withdrawal in
        let names = withdrawal.versions.map(\.text) + withdrawal.ids.map(\.text)
        let all = withdrawal.until.map { ["all until \($0)"] } ?? []
        return "\(about.subject) packages \((names + all).joined(separator: ", ")) withdrawn"
            + (withdrawal.isDemanded ? " at Apple's demand" : "")
    }
    .publishing { stream, _ in stream.ownApp }

    static let reviewOrdered = Declared(
        .withdrawalReviewOrdered,
        { AppEvent.marketplace(.withdrawalReviewOrdered($0)) },
        .reviewOrder
    ) { "The withdrawal of packages of \($0.subject) is to be reviewed until \($1.due)" }

    static let reviewed = Declared(
        .withdrawalReviewed,
        { AppEvent.marketplace(.withdrawalReviewed($0, $1)) },
        .review,
        .verdict
    ) { "Withdrawal review \($1) of \($0.subject) \($2.outcome.rawValue)" }
}

extension Coding<AppleItemID> { static let item = Coding(text: AppleItemID.init, \.text) }
extension Coding<AppleVersionID> {
    static let versionID = Coding(text: AppleVersionID.init, \.text)
}
extension Coding<PackageID> { static let package = Coding(text: PackageID.init, \.text) }
extension Coding<BundleID> { static let bundle = Coding(text: BundleID.init, \.text) }
extension Coding<DomainName> { static let domain = Coding(text: DomainName.init, \.text) }
extension Coding<EndpointURL> { static let endpoint = Coding(text: EndpointURL.init, \.text) }
extension Coding<LandingPage> { static let landingPage = Coding(text: LandingPage.init, \.text) }
extension Coding<ManifestDigest> {
    static let manifest = Coding(text: ManifestDigest.init(hex:), \.hex)
}
extension Coding<PackagePlatform> {
    static let packagePlatform = Coding(text: PackagePlatform.init, \.text)
}
extension Coding<AppleVersion> {
    static let appleVersion = Coding(text: AppleVersion.init, \.written)
}

extension Members<[AppleVersionID]> {
    static let packages = Members("packages", .list(of: .versionID))
}

extension Members<Marketplace> {
    static let marketplace = Members(
        Marketplace.init,
        Part(\.item, "item", .item),
        Part(\.domains, "domains", .list(of: .domain)),
        Part(\.endpoints, .endpoints),
        Part(\.overrides, .unlessEmpty("overrides", .itemOverrides, [])),
        Part(\.authorization, .optional("authorization", .object(.authorizationServer))),
        Part(\.landingPage, .optional("landingPage", .landingPage)),
        Part(\.audience, "audience", .name)
    )
}

extension Members<MarketplaceEndpoints> {
    fileprivate static let endpoints = Members(
        MarketplaceEndpoints.init,
        Part(\.restore, "restore", .endpoint),
        Part(\.updates, "updates", .endpoint),
        Part(\.pollingInterval, "pollingInterval", .number),
        Part(\.license, .license)
    )
}

extension Members<LicenseEndpoints> {
    fileprivate static let license = Members(
        LicenseEndpoints.init,
        Part(\.dynamic, "dynamicLicense", .endpoint),
        Part(\.renewal, .optional("licenseRenewal", .endpoint)),
        Part(\.resolution, .optional("licenseResolution", .endpoint)),
        Part(\.signingCertificate, "signingCertificate", .endpoint),
        Part(\.encryptionCertificate, "encryptionCertificate", .endpoint)
    )
}

extension Coding<[ItemOverrides]> {
    /// By the AppleItemID, and in their order.
    fileprivate static let itemOverrides = Coding(
        read: { json throws(DataFault) in
            try table.read(json)?.map { ItemOverrides($0, $1) }.sorted { $0.item < $1.item }
        },
        write: { overrides, form in
            table.write(
                Dictionary(overrides.map { ($0.item, $0.endpoints) }) { first, _ in first },
                form
            )
        }
    )

    private static let table = Coding<[AppleItemID: EndpointOverrides]>.table(
        .item,
        of: .object(.overrides)
    )
}

extension Members<EndpointOverrides> {
    fileprivate static let overrides = Members(
        EndpointOverrides.init,
        Part(\.restore, .optional("restore", .endpoint)),
        Part(\.updates, .optional("updates", .endpoint)),
        Part(\.pollingInterval, .optional("pollingInterval", .number)),
        Part(\.dynamic, .optional("dynamicLicense", .endpoint)),
        Part(\.renewal, .optional("licenseRenewal", .endpoint)),
        Part(\.resolution, .optional("licenseResolution", .endpoint)),
        Part(\.signingCertificate, .optional("signingCertificate", .endpoint)),
        Part(\.encryptionCertificate, .optional("encryptionCertificate", .endpoint))
    )
}

extension Members<AuthorizationServer> {
    fileprivate static let authorizationServer = Members(
        AuthorizationServer.init,
        Part(\.issuer, "issuer", .endpoint),
        Part(\.authorization, "authorization", .endpoint),
        Part(\.token, "token", .endpoint)
    )
}

extension Members<Listing> {
    static let listing = Members(
        Listing.init,
        Part(\.item, "item", .item),
        Part(\.bundle, "bundle", .bundle)
    )
}

extension Members<PackageAnnouncement> {
    static let announcement = Members(
        PackageAnnouncement.init,
        Part(\.id, "package", .package),
        Part(\.versionID, "packageVersion", .package),
        Part(\.number, .optional("number", .number, isNullAnswered: false)),
        Part(\.announcedAt, .optional("announcedAt", .instant, isNullAnswered: false))
    )
}

extension Members<Package> {
    static let package = Members(
        Package.init,
        Part(\.version, "version", .versionID),
        Part(\.id, .optional("package", .package)),
        Part(\.shortVersion, "shortVersion", .label),
        Part(\.bundleVersion, "bundleVersion", .label),
        Part(\.minimumSystems, "minimumSystems", .table(.packagePlatform, of: .appleVersion)),
        Part(\.address, "address", .endpoint),
        Part(\.manifest, "manifest", .manifest),
        Part(\.revision, "revision", .number),
        Part(\.isComplete, "complete", .flag)
    )
}

extension Members<PackageWithdrawal> {
    static let withdrawal = Members(
        PackageWithdrawal.init,
        Part(\.versions, "versions", .list(of: .versionID)),
        Part(\.ids, "packages", .list(of: .package)),
        Part(\.isDemanded, "demanded", .flag),
        Part(\.until, .optional("until", .instant, isNullAnswered: false)),
        Part(\.countsFirst, .unlessEmpty("firstKnown", .flag, false))
    )
}

/// What is published as it is stored, and read by older programs than wrote it.
package protocol PublishedAsStored: Sendable {
    static var members: Members<Self> { get }
}

extension PublishedAsStored {
    /// As it is stored.
    package var data: JSONObject { Self.members.object(self, .stored) }

    /// Reads what ``data`` gives, also of a later program, which may say more.
    package init?(json: JSONValue) {
        guard let value = Coding.object(Self.members).lenientValue(of: json) else { return nil }
        self = value
    }
}

extension Marketplace: PublishedAsStored {
    package static var members: Members<Marketplace> { .marketplace }
}

extension Listing: PublishedAsStored {
    package static var members: Members<Listing> { .listing }
}

extension Package: PublishedAsStored {
    package static var members: Members<Package> { .package }
}
