package import PlimsollDomain
package import PlimsollJSON

// Alternative marketplaces: what a marketplace is, where an app is listed, and its packages.

extension Endpoints {
    static let marketplaces: [any EndpointDeclaration] = [
        getMarketplace, setMarketplace, removeMarketplace, listApp, unlistApp,
    ]

    package static let getMarketplace = Read<AppSlug, MarketplaceAnswer>(
        .get("getMarketplace", "/v1/apps/{app}/marketplace"),
        "The alternative marketplace that an app is."
    )

    package static let setMarketplace = Endpoint<
        AppSlug, SeenMarketplace, MarketplaceForm, MarketplaceAnswer
    >(
        .put("setMarketplace", "/v1/apps/{app}/marketplace"),
        "Make an app an alternative marketplace, or say anew what it is."
    )

    package static let removeMarketplace = Endpoint<
        AppSlug, SeenMarketplace, ReasonForm, DryRunAnswer
    >(
        .delete("removeMarketplace", "/v1/apps/{app}/marketplace"),
        "An app is no marketplace any more.",
        takes: "MarketplaceRemoval"
    )

    package static let listApp = Write<AppMarketplace, ListingForm, ListingAnswer>(
        .put("listApp", "/v1/apps/{app}/listings/{marketplace}"),
        "List an app in a marketplace."
    )

    package static let unlistApp = Write<AppMarketplace, ReasonForm, DryRunAnswer>(
        .delete("unlistApp", "/v1/apps/{app}/listings/{marketplace}"),
        "Take an app out of a marketplace.",
        takes: "ListingRemoval"
    )
}

// MARK: - Values

extension Schema {
    /// Greater than what many programs can count, so it is written as a string.
    package static let appleIdentifier = string(matching: "^[1-9][0-9]{0,19}$")
    package static let onlyIOS = names([Platform.ios.rawValue])
    package static let packageID = string(matching: "^[A-Za-z0-9-]{1,100}$")
    package static let packagePlatform = string(matching: "^[A-Za-z]{1,20}$")
    package static let domain = string(matching: "^[a-z0-9-]+(\\.[a-z0-9-]+)+$")
    package static let endpointURL = string(matching: "^https://[a-z0-9-].*$")
        .described("\(EndpointURL.grammar).")
}

extension ValueShape where Value: AppleIdentifier {
    static func identifier(_ kind: String) -> ValueShape {
        string(needing: "\(kind): \(Value.grammar)", .appleIdentifier, { Value($0) }, \.text)
    }
}

extension ValueShape<AppleItemID> { package static let appleItemID = identifier("an AppleItemID") }
extension ValueShape<AppleVersionID> {
    package static let appleVersionID = identifier("an AppleVersionID")
}
extension ValueShape<PackageID> {
    package static let package = string(
        needing: PackageID.grammar,
        .packageID,
        PackageID.init,
        \.text
    )
}
extension ValueShape<BundleID> {
    package static let bundle = string(
        needing: BundleID.grammar,
        .string(matching: "^[A-Za-z0-9.-]{1,155}$"),
        BundleID.init,
        \.text
    )
}
extension ValueShape<DomainName> {
    package static let domain = string(
        needing: DomainName.grammar,
        .domain,
        DomainName.init,
        \.text
    )
}
extension ValueShape<EndpointURL> {
    package static let endpoint = string(
        needing: EndpointURL.grammar,
        .endpointURL,
        EndpointURL.init,
        \.text
    )
}
extension ValueShape<LandingPage> {
    package static let landingPage = string(
        needing: LandingPage.grammar,
        .endpointURL,
        LandingPage.init,
        \.text
    )
}
extension ValueShape<ManifestDigest> {
    package static let manifest = string(
        needing: ManifestDigest.grammar,
        .digest,
        ManifestDigest.init(hex:),
        \.hex
    )
}
extension ValueShape<PackagePlatform> {
    package static let packagePlatform = string(
        needing: PackagePlatform.grammar,
        .packagePlatform,
        PackagePlatform.init,
        \.text
    )
}
extension ValueShape<AppleVersion> {
    package static let appleVersion = string(
        needing: AppleVersion.grammar,
        .dottedVersion,
        AppleVersion.init,
        \.written
    )
}

// MARK: - A marketplace

extension ItemOverrides {
    fileprivate static let shape = Shape<Self>(
        "EndpointOverrides",
        Self.init(_:_:),
        .required("item", \.item, .appleItemID),
        .part(\.endpoints, EndpointOverrides.shape)
    )
}

extension EndpointOverrides {
    fileprivate static let shape = Shape<Self>(
        nil,
        {
            EndpointOverrides(
                restore: $0,
                updates: $1,
                pollingInterval: $2,
                dynamic: $3,
                renewal: $4,
                resolution: $5,
                signingCertificate: $6,
                encryptionCertificate: $7
            )
        },
        .optional("restore", \.restore, .endpoint),
        .optional("updates", \.updates, .endpoint),
        .optional("pollingInterval", \.pollingInterval, .integer(from: 1)),
        .optional("dynamicLicense", \.dynamic, .endpoint),
        .optional("licenseRenewal", \.renewal, .endpoint),
        .optional("licenseResolution", \.resolution, .endpoint),
        .optional("signingCertificate", \.signingCertificate, .endpoint),
        .optional("encryptionCertificate", \.encryptionCertificate, .endpoint)
    )
}

extension LicenseEndpoints {
    fileprivate static let shape = Shape<Self>(
        nil,
        Self.init(dynamic:renewal:resolution:signingCertificate:encryptionCertificate:),
        .required("dynamicLicense", \.dynamic, .endpoint),
        .optional("licenseRenewal", \.renewal, .endpoint),
        .optional("licenseResolution", \.resolution, .endpoint),
        .required("signingCertificate", \.signingCertificate, .endpoint),
        .required("encryptionCertificate", \.encryptionCertificate, .endpoint)
    )
}

extension MarketplaceEndpoints {
    fileprivate static let shape = Shape<Self>(
        nil,
        Self.init(restore:updates:pollingInterval:license:),
        .required("restore", \.restore, .endpoint),
        .required("updates", \.updates, .endpoint),
        // Hours.
        .usual("pollingInterval", \.pollingInterval, .integer(from: 1), Int64(24)),
        .part(\.license, LicenseEndpoints.shape)
    )
}

extension AuthorizationServer {
    fileprivate static let shape = Shape<Self>(
        "AuthorizationServer",
        Self.init(issuer:authorization:token:),
        .required("issuer", \.issuer, .endpoint),
        .required("authorization", \.authorization, .endpoint),
        .required("token", \.token, .endpoint)
    )
}

extension Marketplace {
    fileprivate static let shape = Shape<Self>(
        nil,
        Self.init(item:domains:endpoints:overrides:authorization:landingPage:audience:),
        .required("item", \.item, .appleItemID),
        .required("domains", \.domains, .array(of: .domain, atLeast: 1)),
        .part(\.endpoints, MarketplaceEndpoints.shape),
        .usual("overrides", \.overrides, .objects(ItemOverrides.shape), []),
        .optional("authorization", \.authorization, .object(AuthorizationServer.shape)),
        .optional("landingPage", \.landingPage, .landingPage),
        .usual("audience", \.audience, .names, .everybody)
    )
}

/// The body of `PUT /v1/apps/{app}/marketplace`: all of the marketplace from then on.
///
/// ```json
/// {"item": "6497405838", "domains": ["market.example.com"],
///  "restore": "https://market.example.com/restore", "updates": "https://market.example.com/updates",
///  "dynamicLicense": "https://market.example.com/licenses",
///  "signingCertificate": "https://market.example.com/signing.cer",
///  "encryptionCertificate": "https://market.example.com/encryption.cer"}
/// ```
package struct MarketplaceForm: Form, Shaped {
    package let marketplace: Marketplace
    package let reason: Reason?

    package init(marketplace: Marketplace, reason: Reason? = nil) {
        (self.marketplace, self.reason) = (marketplace, reason)
    }

    package static let shape = Shape<Self>(
        "MarketplaceOrder",
        Self.init(marketplace:reason:),
        .part(\.marketplace, Marketplace.shape),
        .optional("reason", \.reason, .reason)
    )
}

/// A marketplace, where the event stands that said it, and what is probably meant otherwise.
package struct MarketplaceAnswer: Answer, Shaped {
    package let app: AppSlug
    package let position: Position
    package let marketplace: Marketplace

    package init(app: AppSlug, position: Position, marketplace: Marketplace) {
        (self.app, self.position, self.marketplace) = (app, position, marketplace)
    }

    private var warnings: [String] { marketplace.warnings.map(\.sentence) }

    package static let shape = Shape<Self>(
        "Marketplace",
        Self.init(app:position:marketplace:),
        .required("app", \.app, .slug),
        .required("position", \.position, .position),
        .part(\.marketplace, Marketplace.shape.told)
    )
    .telling(.required("warnings", \.warnings, .array(of: .string)))
    .withDryRun
}

// MARK: - A listing

/// The body of `PUT /v1/apps/{app}/listings/{marketplace}`.
///
/// ```json
/// {"item": "10737747186", "bundle": "org.example.harbour"}
/// ```
package struct ListingForm: Form, Shaped {
    package let listing: Listing
    package let reason: Reason?

    package init(listing: Listing, reason: Reason? = nil) {
        (self.listing, self.reason) = (listing, reason)
    }

    package static let shape = Shape<Self>(
        "ListingOrder",
        Self.init(listing:reason:),
        .part(\.listing, Listing.shape),
        .optional("reason", \.reason, .reason)
    )
}

extension Listing {
    fileprivate static let shape = Shape<Self>(
        nil,
        Self.init(item:bundle:),
        .required("item", \.item, .appleItemID),
        .required("bundle", \.bundle, .bundle)
    )
}

/// Where an app is listed.
package struct ListingAnswer: Answer, Shaped {
    package let app: AppSlug
    package let marketplace: AppSlug
    package let listing: Listing

    package init(app: AppSlug, marketplace: AppSlug, listing: Listing) {
        (self.app, self.marketplace, self.listing) = (app, marketplace, listing)
    }

    package static let shape = Shape<Self>(
        "Listing",
        Self.init(app:marketplace:listing:),
        .required("app", \.app, .slug),
        .required("marketplace", \.marketplace, .slug),
        .part(\.listing, Listing.shape)
    )
    .withDryRun
}
