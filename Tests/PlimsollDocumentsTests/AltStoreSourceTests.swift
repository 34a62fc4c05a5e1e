import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// What AltStore reads of an app that is listed.
@Suite struct AltStoreSourceTests {
    private func distribution(_ packages: [Package], withdrawn: [UInt64] = []) -> Distribution {
        var distribution = Distribution()
        let withdrawal = PackageWithdrawal(
            versions: withdrawn.map(versionID),
            ids: [],
            isDemanded: false
        )
        let events: [MarketplaceEvent] =
            [.listed(slug("tidewater"), sampleListing()), .packagesWithdrawn(withdrawal)]
            + packages.map { .packageIngested($0, announcedAs: nil) }
        for event in events {
            distribution.evolve(recordedEvent(.app(.marketplace(event)), at: testNow))
        }
        return distribution
    }

    // Goal: the first version that a device can run is the one that it is updated to.
    @Test func `the newest comes first, and only what devices may get`() throws {
        let packages = [
            samplePackage(1, minimumSystem: "17.0"), samplePackage(2), samplePackage(3),
            samplePackage(4, isComplete: false),
        ]
        let source = AltStoreSource.source(
            of: harbour,
            distribution(packages, withdrawn: [3]),
            offering: [1, 2, 3, 4].map { versionID($0) }
        )
        let app = try #require(JSONValue.object(source)["apps"]?.array?.first)
        #expect(app["bundleIdentifier"] == "org.example.harbour")
        #expect(app["marketplaceID"] == "10737747186")
        #expect(
            app["versions"] == [
                [
                    "version": "3.2.0", "buildVersion": "412", "minOSVersion": "17.4",
                    "downloadURL": "https://market.example.com/packages/2/",
                ],
                [
                    "version": "3.2.0", "buildVersion": "412", "minOSVersion": "17.0",
                    "downloadURL": "https://market.example.com/packages/1/",
                ],
            ]
        )
    }

    @Test func `an app that offers nothing has no versions`() {
        let source = AltStoreSource.source(of: harbour, distribution([]), offering: [])
        #expect(JSONValue.object(source)["apps"]?.array?.first?["versions"] == [])
    }

    // Goal: a document of a later program is read, whatever more it says.
    @Test func `members that are not known yet are passed over, wherever they stand`() throws {
        let marketplace = sampleMarketplace()
        var data = marketplace.data
        data["later"] = 1
        data["authorization"] = .object(adding(to: data["authorization"]))
        data["overrides"] = .object(
            JSONObject(
                (data["overrides"]?.object?.members ?? []).map {
                    .init(key: $0.key, value: .object(adding(to: $0.value)))
                }
            )
        )
        #expect(Marketplace(json: .object(data)) == marketplace)
        let package = samplePackage(7)
        #expect(Package(json: .object(adding(to: .object(package.data)))) == package)
        #expect(
            Listing(json: .object(adding(to: .object(sampleListing().data)))) == sampleListing()
        )
        var broken = package.data
        broken["revision"] = "1"
        #expect(Package(json: .object(broken)) == nil)
    }

    private func adding(to value: JSONValue?) -> JSONObject {
        var object = value?.object ?? [:]
        object["later"] = ["x"]
        return object
    }
}
