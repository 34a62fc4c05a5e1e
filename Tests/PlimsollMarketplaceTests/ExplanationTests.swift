import PlimsollDomain
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// Why a device gets what it gets.
@Suite struct ExplanationTests {
    private let harbour = sampleListing()

    private func explain(
        installed: UInt64? = 1,
        system: String = "17.4",
        platform: String = "iOS",
        packages: [Package],
        withdrawn: [UInt64] = [],
        offered: [UInt64],
        isListed: Bool = true
    ) throws -> Explanation {
        var distribution = Distribution()
        var events = packages.map { MarketplaceEvent.packageIngested($0, announcedAs: nil) }
        if !withdrawn.isEmpty {
            events.append(
                .packagesWithdrawn(
                    PackageWithdrawal(
                        versions: withdrawn.map(versionID),
                        ids: [],
                        isDemanded: false
                    )
                )
            )
        }
        for event in events {
            distribution.evolve(recordedEvent(.app(.marketplace(event)), at: testNow))
        }
        return Explanation(
            of: harbour.item,
            installed: installed.map(versionID),
            on: InstallingDevice(
                platform: try #require(PackagePlatform(platform)),
                system: try #require(AppleVersion(system))
            ),
            in: sampleMarketplace(),
            listedAs: isListed ? harbour : nil,
            knowing: distribution.packages,
            offering: offered.map(versionID)
        )
    }

    // Method: one version of every standing, each newer than what is installed.
    @Test func `every newer version has a reason of its own`() throws {
        let explanation = try explain(
            packages: [
                samplePackage(1), samplePackage(2), samplePackage(3),
                samplePackage(4, minimumSystem: "26"), samplePackage(5, isComplete: false),
                samplePackage(6), samplePackage(7, at: "cdn.example.org"), samplePackage(8),
            ],
            withdrawn: [8, 9],
            offered: [1, 2, 3, 4, 7]
        )
        #expect(explanation.updates == .init(.offered, versionID(3), nil))
        #expect(explanation.restore == .init(.offered, versionID(1), nil))
        let standings = explanation.newer.map { "\($0.version.number) \($0.standing.rawValue)" }
        #expect(
            standings == [
                "9 withdrawn", "8 withdrawn", "7 elsewhere", "6 notOffered", "5 incomplete",
                "4 systemTooOld", "3 answered", "2 surpassed",
            ]
        )
        #expect(explanation.newer[5].sentence.contains("26"))
    }

    @Test func `the newest is current, and an older system is told why`() throws {
        let packages = [samplePackage(1), samplePackage(2)]
        let current = try explain(installed: 2, packages: packages, offered: [1, 2])
        #expect(current.updates.verdict == .current && current.newer.isEmpty)
        let old = try explain(system: "17.3", packages: packages, offered: [1, 2])
        #expect(old.restore?.reason == .systemTooOld && old.updates.verdict == .current)
        #expect(old.newer.map(\.standing) == [.systemTooOld])
    }

    @Test func `another platform and an app that is not listed are named`() throws {
        let packages = [samplePackage(2)]
        let other = try explain(platform: "visionOS", packages: packages, offered: [2])
        #expect(other.newer.map(\.standing) == [.platformMissing])
        let unlisted = try explain(packages: packages, offered: [2], isListed: false)
        #expect(unlisted.updates.reason == .unlisted && unlisted.restore?.reason == .unlisted)
        #expect(unlisted.newer.map(\.standing) == [.unlisted])
    }

    @Test func `without an installed version all are told of, and nothing is restored`() throws {
        let explanation = try explain(
            installed: nil,
            packages: [samplePackage(1), samplePackage(2)],
            offered: [1]
        )
        #expect(explanation.restore == nil && explanation.updates.version == versionID(1))
        #expect(explanation.newer.map(\.standing) == [.notOffered, .answered])
        #expect(explanation.hours == 24)
    }
}
