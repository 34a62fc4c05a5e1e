package import PlimsollDocuments
package import PlimsollDomain

package func item(_ number: UInt64) -> AppleItemID {
    guard let id = AppleItemID(number: number) else { preconditionFailure("0 is no app") }
    return id
}

package func versionID(_ number: UInt64) -> AppleVersionID {
    guard let id = AppleVersionID(number: number) else { preconditionFailure("0 is no version") }
    return id
}

package func endpoint(_ text: String) -> EndpointURL {
    guard let url = EndpointURL(text) else { preconditionFailure("\(text) is no endpoint") }
    return url
}

package func domain(_ text: String) -> DomainName {
    guard let domain = DomainName(text) else { preconditionFailure("\(text) is no domain") }
    return domain
}

package func packageID(_ text: String) -> PackageID {
    guard let id = PackageID(text) else { preconditionFailure("\(text) is no package") }
    return id
}

/// The marketplace of `market.example.com`, with a configuration of its own for its app.
package func sampleMarketplace(
    _ number: UInt64 = 6_497_405_838,
    at host: String = "market.example.com",
    pollingInterval: Int64 = 24
) -> Marketplace {
    let root = "https://\(host)"
    return Marketplace(
        item: item(number),
        domains: [domain(host)],
        endpoints: MarketplaceEndpoints(
            restore: endpoint("\(root)/restore"),
            updates: endpoint("\(root)/updates"),
            pollingInterval: pollingInterval,
            license: LicenseEndpoints(
                dynamic: endpoint("\(root)/licenses"),
                renewal: endpoint("\(root)/renewals"),
                resolution: nil,
                signingCertificate: endpoint("\(root)/signing.cer"),
                encryptionCertificate: endpoint("\(root)/encryption.cer")
            )
        ),
        overrides: [
            ItemOverrides(
                item(number),
                EndpointOverrides(restore: endpoint("https://store.\(host)/restore"))
            )
        ],
        authorization: AuthorizationServer(
            issuer: endpoint(root),
            authorization: endpoint("\(root)/authorize"),
            token: endpoint("\(root)/token")
        ),
        landingPage: LandingPage("\(root)/apps/{item}")
    )
}

/// A package of the app, which a device with iOS 17.4 can run.
package func samplePackage(
    _ number: UInt64,
    id: String? = nil,
    minimumSystem: String = "17.4",
    shortVersion: String = "3.2.0",
    at host: String = "market.example.com",
    revision: Int64 = 1,
    isComplete: Bool = true
) -> Package {
    guard let short = try? Label(validating: shortVersion),
        let bundle = try? Label(validating: "412"),
        let system = AppleVersion(minimumSystem),
        let manifest = ManifestDigest(hex: String(repeating: "0f", count: 32))
    else { preconditionFailure("\(minimumSystem) is no version") }
    return Package(
        version: versionID(number),
        id: id.map(packageID),
        shortVersion: short,
        bundleVersion: bundle,
        minimumSystems: [.ios: system],
        address: endpoint("https://\(host)/packages/\(number)/"),
        manifest: manifest,
        revision: revision,
        isComplete: isComplete
    )
}

package func sampleListing(_ number: UInt64 = 10_737_747_186) -> Listing {
    guard let bundle = BundleID("org.example.harbour") else {
        preconditionFailure("the bundle's name is within the grammar")
    }
    return Listing(item: item(number), bundle: bundle)
}

/// One event of every type of marketplaces.
package let sampleMarketplaceEvents: [MarketplaceEvent] = [
    .set(sampleMarketplace()), .removed, .listed(slug("tidewater"), sampleListing()),
    .unlisted(slug("tidewater")),
    .packageAnnounced(
        PackageAnnouncement(
            id: packageID("p-1"),
            versionID: packageID("v-1"),
            number: 2,
            announcedAt: Instant(rfc3339: "2026-11-20T08:00:00Z")
        )
    ),
    .packageIngested(
        samplePackage(18_446_744_073_709_551_615, id: "p-1"),
        announcedAs: packageID("v-1")
    ),
    .packagesWithdrawn(
        PackageWithdrawal(
            versions: [versionID(7)],
            ids: [packageID("p-1")],
            isDemanded: true,
            until: Instant(rfc3339: "2026-11-20T08:00:00Z"),
            countsFirst: true
        )
    ),
    .withdrawalReviewOrdered(
        ReviewOrder(owner: .system, role: .approver, due: Instant(millisecondsSince1970: 0))
    ),
    .withdrawalReviewed(Position(41), ReviewVerdict(.objected, comment: nil)),
]

/// What the documents of an app say of themselves that event 7 ordered.
package func sampleStamp(_ app: AppSlug) -> AppStamp {
    AppStamp(
        app: app,
        issue: SnapshotIssue(
            sequence: SnapshotSequence(orderedBy: Position(7)),
            position: Position(7),
            issuedAt: testNow,
            expiresAt: testNow.advanced(by: .seconds(60))
        )
    )
}
