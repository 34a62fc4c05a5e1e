package import PlimsollDomain
package import PlimsollJSON

/// What a marketplace is, for those who answer its devices: `marketplace.json`.
///
/// ```json
/// {"marketplace": {"item": "6497405838", …}, "plimsoll": {"app": "tidewater", "sequence": 17, …}}
/// ```
package struct MarketplaceDocument: Equatable, Sendable {
    package let marketplace: Marketplace
    package let stamp: AppStamp

    package init(marketplace: Marketplace, stamp: AppStamp) {
        (self.marketplace, self.stamp) = (marketplace, stamp)
    }

    package var bytes: [UInt8] {
        JSONObject([
            .init(key: "marketplace", value: .object(marketplace.data)),
            .init(key: "plimsoll", value: .object(stamp.json)),
        ]).canonicalBytes()
    }

    /// A later program may say more: nobody may miss a withdrawal for that.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: limits)
        let marketplace = reader.member("marketplace", needing: "a marketplace") {
            Marketplace(json: $0)
        }
        let stamp = reader.object("plimsoll", AppStamp.read)
        self = try reader.finish(.ignored) {
            guard let marketplace, let stamp else { return nil }
            return MarketplaceDocument(marketplace: marketplace, stamp: stamp)
        }
    }
}

/// Which packages of an app marketplaces hand out: `packages.json`.
///
/// ```json
/// {"listings": {"tidewater": {"item": "10737747186", "bundle": "org.example.harbour"}},
///  "packages": [{"version": "878123456789", …}], "withdrawn": ["878123456700"],
///  "plimsoll": {"app": "harbour", "sequence": 17, …}}
/// ```
package struct PackagesDocument: Equatable, Sendable {
    /// By the app that the marketplace is.
    package let listings: [AppSlug: Listing]
    /// Those that are offered, in the order in which people see them.
    package let packages: [Package]
    /// The versions that are not handed out any more, the newest first.
    package let withdrawn: [AppleVersionID]
    package let stamp: AppStamp

    package init(
        listings: [AppSlug: Listing],
        packages: [Package],
        withdrawn: [AppleVersionID],
        stamp: AppStamp
    ) {
        (self.listings, self.packages) = (listings, packages)
        (self.withdrawn, self.stamp) = (withdrawn, stamp)
    }

    package init(
        _ distribution: Distribution,
        offering list: [AppleVersionID],
        _ stamp: AppStamp
    ) {
        self.init(
            listings: distribution.listings,
            packages: distribution.packages.available(list).compactMap {
                distribution.packages[$0]
            },
            withdrawn: distribution.packages.withdrawn,
            stamp: stamp
        )
    }

    package var bytes: [UInt8] {
        JSONObject([
            .init(
                key: "listings",
                value: .object(
                    JSONObject(
                        listings.map { .init(key: $0.key.text, value: .object($0.value.data)) }
                    )
                )
            ),
            .init(key: "packages", value: .array(packages.map { .object($0.data) })),
            .init(key: "withdrawn", value: .array(withdrawn.map { .string($0.text) })),
            .init(key: "plimsoll", value: .object(stamp.json)),
        ]).canonicalBytes()
    }

    /// A later program may say more: nobody may miss a withdrawal for that.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: limits)
        let listings = reader.member("listings", needing: "listings by their marketplaces") {
            $0.object.flatMap(Self.listings)
        }
        let packages = reader.member("packages", needing: "a list of packages") {
            $0.array.flatMap { all($0, Package.init(json:)) }
        }
        let withdrawn = reader.member("withdrawn", needing: "a list of AppleVersionIDs") {
            $0.array.flatMap { all($0) { $0.string.flatMap { AppleVersionID($0) } } }
        }
        let stamp = reader.object("plimsoll", AppStamp.read)
        self = try reader.finish(.ignored) {
            guard let listings, let packages, let withdrawn, let stamp else { return nil }
            return PackagesDocument(
                listings: listings,
                packages: packages,
                withdrawn: withdrawn,
                stamp: stamp
            )
        }
    }
}

extension PackagesDocument {
    private static func listings(_ object: JSONObject) -> [AppSlug: Listing]? {
        var listings: [AppSlug: Listing] = [:]
        for member in object.members {
            guard let slug = AppSlug(member.key), let listing = Listing(json: member.value) else {
                return nil
            }
            listings[slug] = listing
        }
        return listings
    }
}

/// What a list holds; `nil` where one entry makes no sense.
private func all<Element>(
    _ list: [JSONValue],
    _ read: (JSONValue) -> Element?
) -> [Element]? {
    let elements = list.compactMap(read)
    return elements.count == list.count ? elements : nil
}

private let limits = JSONLimits(sizeMaximum: Manifest.fileSizeMaximum)
