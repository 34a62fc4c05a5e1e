import Crypto
import Foundation
import PlimsollDevices
import PlimsollDocuments
import PlimsollDomain
import PlimsollMarketplace

/// Install verification tokens as devices get them: claims written, encoded and signed.
struct TokenLoad {
    private static let item = "10737747186"
    private static let version = "878123456789"

    private let signer: TokenSigner
    private let marketplace: Marketplace
    private let offer: PackageOffer

    init(now: Instant) throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let text = "2b5fd8a1-3c5e-4c59-9d53-6a1b7c9e0d42=env:K"
        let place = try known(TokenKeyPlace(text), "a place of a key")
        signer = TokenSigner(try TokenKeyring([place], now: now) { _ in pem })
        marketplace = try Self.marketplace()
        offer = try Self.offer(of: marketplace, now: now)
    }

    func sign(at now: Instant) throws {
        _ = try signer.token(
            for: offer,
            marketplace: marketplace,
            downloadType: .download,
            now: now
        )
    }

    private static func marketplace() throws -> Marketplace {
        let url = try known(EndpointURL("https://market.example.com/restore"), "an address")
        return Marketplace(
            item: try known(AppleItemID("6497405838"), "an app's number"),
            domains: [try known(DomainName("market.example.com"), "a domain")],
            endpoints: MarketplaceEndpoints(
                restore: url,
                updates: url,
                pollingInterval: 24,
                license: LicenseEndpoints(
                    dynamic: url,
                    renewal: nil,
                    resolution: nil,
                    signingCertificate: url,
                    encryptionCertificate: url
                )
            )
        )
    }

    private static func offer(
        of marketplace: Marketplace,
        now: Instant
    ) throws -> PackageOffer {
        let item = try known(AppleItemID(item), "an app's number")
        let version = try known(AppleVersionID(version), "a version's number")
        let bundle = try known(BundleID("org.example.harbour"), "a bundle")
        let store = try known(AppSlug("tidewater"), "a slug")
        let package = Package(
            version: version,
            id: nil,
            shortVersion: try Label(validating: "3.2.0"),
            bundleVersion: try Label(validating: "412"),
            minimumSystems: [.ios: try known(AppleVersion("17.4"), "a system")],
            address: try known(EndpointURL("https://market.example.com/packages/1/"), "an address"),
            manifest: try known(
                ManifestDigest(hex: String(repeating: "0f", count: 32)),
                "a digest"
            ),
            revision: 1,
            isComplete: true
        )
        let stamp = AppStamp(
            app: store,
            issue: SnapshotIssue(
                sequence: SnapshotSequence(orderedBy: Position(1)),
                position: Position(1),
                issuedAt: now,
                expiresAt: now
            )
        )
        let storefront = Storefront(
            MarketplaceDocument(marketplace: marketplace, stamp: stamp),
            [
                PackagesDocument(
                    listings: [store: Listing(item: item, bundle: bundle)],
                    packages: [package],
                    withdrawn: [],
                    stamp: stamp
                )
            ]
        )
        return try TokenRequest(item: item, version: version).answer(in: storefront).get()
    }
}
