package import PlimsollDomain
package import PlimsollJSON

/// What an app offers in marketplaces, as a source that AltStore reads.
///
/// It has the members that are known here and no others: neither a date nor a size. A reader of such
/// sources takes the first version that its device can run, so the newest comes first, whatever order
/// people see: it gets what restores and updates get.
package enum AltStoreSource {
    /// One app for each AppleItemID and bundle under which it is listed.
    package static func source(
        of app: AppSlug,
        _ distribution: Distribution,
        offering list: [AppleVersionID]
    ) -> JSONObject {
        let packages = distribution.packages.available(list).sorted(by: >).compactMap {
            distribution.packages[$0]
        }
        let versions = JSONValue.array(packages.map { .object(version($0)) })
        let listings = Set(distribution.listings.values).sorted {
            ($0.item, $0.bundle.text) < ($1.item, $1.bundle.text)
        }
        return [
            "name": .string(app.text),
            "apps": .array(
                listings.map {
                    [
                        "name": .string(app.text),
                        "bundleIdentifier": .string($0.bundle.text),
                        "marketplaceID": .string($0.item.text),
                        "versions": versions,
                    ]
                }
            ),
        ]
    }

    private static func version(_ package: Package) -> JSONObject {
        var json: JSONObject = [
            "version": .string(package.shortVersion.text),
            "buildVersion": .string(package.bundleVersion.text),
            "downloadURL": .string(package.address.text),
        ]
        json["minOSVersion"] = package.minimumSystems[.ios].map { .string($0.written) }
        return json
    }
}
