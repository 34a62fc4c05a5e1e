import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollMarketplace
import PlimsollTestSupport

/// A marketplace that offers one package of one app, and has withdrawn another.
func sampleStorefront(_ version: UInt64 = 878_123_456_789) -> Storefront {
    Storefront(
        MarketplaceDocument(
            marketplace: sampleMarketplace(),
            stamp: sampleStamp(slug("tidewater"))
        ),
        [
            PackagesDocument(
                listings: [slug("tidewater"): sampleListing()],
                packages: [samplePackage(version)],
                withdrawn: [versionID(7)],
                stamp: sampleStamp(harbour)
            )
        ]
    )
}

func sampleOffer(_ version: UInt64 = 878_123_456_789) throws -> PackageOffer {
    try TokenRequest(item: sampleListing().item, version: versionID(version))
        .answer(in: sampleStorefront(version)).get()
}

/// A marketplace that only those may ask who have a token, from an issuer where one is named.
func closedMarketplace(of issuer: String? = nil) -> Marketplace {
    let open = sampleMarketplace()
    return Marketplace(
        item: open.item,
        domains: open.domains,
        endpoints: open.endpoints,
        authorization: issuer.map {
            AuthorizationServer(
                issuer: endpoint($0),
                authorization: endpoint("\($0)/authorize"),
                token: endpoint("\($0)/token")
            )
        },
        audience: .bearers
    )
}
