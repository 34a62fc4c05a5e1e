import PlimsollDocuments
import PlimsollDomain
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// What a device gets of an app, row by row.
@Suite struct SelectionTests {
    /// Packages as `version:minimum system`, what the device says, and what it is answered: a
    /// version, a reason, or nothing.
    struct Row: Sendable, CustomTestStringConvertible {
        let packages: String
        let version: String
        let system: String
        let platform: String
        let expected: String

        init(
            _ packages: String,
            _ version: String,
            _ system: String,
            _ expected: String,
            on platform: String = "iOS"
        ) {
            (self.packages, self.version, self.system) = (packages, version, system)
            (self.platform, self.expected) = (platform, expected)
        }

        var testDescription: String { "\(packages) for \(version) on \(platform) \(system)" }
    }

    private static let greatest = "18446744073709551615"
    private static let beyondDoubles = "9007199254740993"
    private static let systems = ["9.3", "17", "17.0", "17.4", "17.4.0", "17.4.1", "18.0", "26"]

    // MARK: Updates

    /// Every system against every minimum, written in one, two and three numbers.
    private static let systemRows: [Row] = systems.flatMap { system in
        systems.map { minimum in
            let (device, needed) = (numbers(system), numbers(minimum))
            let runs = !device.lexicographicallyPrecedes(needed)
            return Row("2:\(minimum)", "1", system, runs ? "2" : "")
        }
    }

    private static func numbers(_ text: String) -> [Int] {
        let numbers = text.split(separator: ".").compactMap { Int($0) }
        return numbers + Array(repeating: 0, count: 3 - numbers.count)
    }

    private static let updateRows: [Row] = [
        // The newest that the device can run, whatever the order of the list.
        Row("1:17.0 2:17.0 3:17.0", "1", "17.4", "3"),
        Row("3:17.0 1:17.0 2:17.0", "1", "17.4", "3"),
        Row("1:17.0 2:17.0 3:26", "1", "17.4", "2"), Row("1:17.0 2:26 3:26", "1", "17.4", ""),
        Row("1:17.0 2:26 3:18.0", "1", "18.1", "3"), Row("3:26 2:18.0 1:9.0", "1", "18.0", "2"),
        // Never what is installed, nor anything before it.
        Row("1:17.0", "1", "17.4", ""), Row("1:17.0", "2", "17.4", ""),
        Row("1:17.0 2:17.0", "2", "26", ""), Row("1:17.0 2:17.0", "3", "26", ""),
        Row("1:17.0 2:26", "2", "17.4", ""), Row("5:17.0 4:17.0", "4", "17.4", "5"),
        Row("5:17.0 4:17.0", "5", "17.4", ""), Row("5:17.0 4:17.0", "6", "17.4", ""),
        // A device that says 0 has none.
        Row("1:17.0", "0", "17.4", "1"), Row("1:17.0 2:17.0", "0", "17.4", "2"),
        Row("1:26", "0", "17.4", ""),
        // One that is not offered any more may be installed.
        Row("3:17.0", "2", "17.4", "3"), Row("1:17.0 3:17.0", "2", "17.4", "3"),
        // Nothing is offered.
        Row("", "1", "17.4", ""), Row("", "0", "17.4", ""), Row("!8", "7", "17.4", ""),
        // The app was taken down, other than a version of it.
        Row("!8", "8", "17.4", "withdrawn"), Row("!7 !8", "7", "17.4", "withdrawn"),
        Row("!8", "0", "17.4", ""), Row("7:17.0 !8", "8", "17.4", ""),
        Row("9:26 !8", "8", "17.4", ""), Row("9:17.0 !8", "8", "17.4", "9"),
        // Numbers beyond those that a Double can count.
        Row("\(beyondDoubles):17.0", "9007199254740992", "17.4", beyondDoubles),
        Row("9007199254740992:17.0", beyondDoubles, "17.4", ""),
        Row("\(greatest):17.0", "18446744073709551614", "17.4", greatest),
        Row("18446744073709551614:17.0", greatest, "17.4", ""),
        Row("10:17.0 9:17.0", "8", "17.4", "10"), Row("100:17.0 99:17.0", "9", "17.4", "100"),
        // Platforms, in capitals or not.
        Row("2:17.0", "1", "17.4", "2", on: "ios"), Row("2:17.0", "1", "17.4", "2", on: "IOS"),
        Row("2:17.0", "1", "17.4", "", on: "visionOS"), Row("2:17.0", "1", "17.4", "", on: "macOS"),
    ]

    @Test(arguments: systemRows + updateRows)
    func `an update is the newest that the device can run, and newer`(_ row: Row) throws {
        let outcome = try storefront(row).update(
            sampleListing().item,
            installed: AppleVersionID(row.version),
            on: device(row)
        )
        #expect(text(outcome) == row.expected)
    }

    // MARK: Restores

    private static let restoreRows: [Row] = [
        Row("1:17.0 2:17.0", "1", "17.4", "1"), Row("1:17.0 2:17.0", "2", "17.4", "2"),
        Row("1:17.0 2:17.0", "3", "17.4", "notOffered"), Row("", "1", "17.4", "notOffered"),
        Row("1:17.0", "0", "17.4", "notOffered"), Row("1:26", "1", "17.4", "systemTooOld"),
        Row("1:17.4.1", "1", "17.4", "systemTooOld"), Row("1:17.4.0", "1", "17.4", "1"),
        Row("1:17.4", "1", "17.4.0", "1"), Row("1:17", "1", "17.0.0", "1"),
        Row("1:9.3", "1", "17", "1"), Row("1:17", "1", "9.3", "systemTooOld"),
        Row("1:17.10", "1", "17.9", "systemTooOld"), Row("1:17.9", "1", "17.10", "1"),
        Row("1:17.0", "1", "17.4", "platformMissing", on: "visionOS"),
        Row("1:17.0", "1", "17.4", "1", on: "IoS"),
        Row("\(greatest):17.0", greatest, "17.4", greatest),
        Row("\(beyondDoubles):17.0", beyondDoubles, "17.4", beyondDoubles),
        Row("\(beyondDoubles):17.0", "9007199254740992", "17.4", "notOffered"),
        Row("7:17.0 !8", "8", "17.4", "withdrawn"), Row("7:17.0 !8", "7", "17.4", "7"),
        Row("!8", "8", "17.4", "withdrawn"), Row("!8", "9", "17.4", "notOffered"),
    ]

    /// The same of systems: the very version, or the reason.
    private static let restoreSystemRows: [Row] = systemRows.map {
        Row($0.packages, "2", $0.system, $0.expected.isEmpty ? "systemTooOld" : "2")
    }

    @Test(arguments: restoreRows + restoreSystemRows)
    func `a restore is the very version, or says why not`(_ row: Row) throws {
        let outcome = try storefront(row).restore(
            sampleListing().item,
            AppleVersionID(row.version),
            to: device(row)
        )
        #expect(text(outcome) == row.expected)
    }

    @Test func `there are as many rows as were promised`() {
        let rows =
            Self.systemRows + Self.updateRows + Self.restoreRows + Self.restoreSystemRows
        #expect(rows.count >= 150)
    }

    @Test func `an app that is not listed is not sold here`() throws {
        let storefront = try storefront(Row("1:17.0", "1", "17.4", ""))
        let device = try device(Row("", "1", "17.4", ""))
        #expect(storefront.restore(item(9), versionID(1), to: device) == .failed(.unlisted))
        #expect(storefront.update(item(9), installed: nil, on: device) == .failed(.unlisted))
    }

    // Goal: with a lower number of its bundle, what came later is newer all the same.
    @Test func `what is newer is told by AppleVersionIDs alone`() throws {
        let earlier = samplePackage(1)
        let later = Package(
            version: versionID(2),
            id: nil,
            shortVersion: try Label(validating: "1.0"),
            bundleVersion: try Label(validating: "1"),
            minimumSystems: earlier.minimumSystems,
            address: earlier.address,
            manifest: earlier.manifest,
            revision: 1,
            isComplete: true
        )
        let storefront = storefront([earlier, later])
        let row = Row("", "1", "17.4", "")
        let outcome = storefront.update(
            sampleListing().item,
            installed: versionID(1),
            on: try device(row)
        )
        #expect(text(outcome) == "2")
    }

    // Goal: devices get the packages of the app that came, not of the one that left. Method: both
    // orders, since that of the apps is no matter.
    @Test(arguments: [[5, 7], [7, 5]] as [[UInt64]])
    func `of two apps under one AppleItemID the one counts that was published later`(
        _ versions: [UInt64]
    ) throws {
        // Version 7 is the one of the app that was published a second after the other.
        let apps = versions.map { version in
            document(
                [samplePackage(version)],
                at: testNow.advanced(by: .seconds(version == 7 ? 1 : 0))
            )
        }
        let storefront = Storefront(marketplace, apps)
        let device = try device(Row("", "", "17.4", ""))
        let answers = [5, 7].map { (version: UInt64) in
            text(storefront.restore(sampleListing().item, versionID(version), to: device))
        }
        #expect(answers == ["notOffered", "7"])
    }

    // MARK: Steps

    private func device(_ row: Row) throws -> InstallingDevice {
        InstallingDevice(
            platform: try #require(PackagePlatform(row.platform)),
            system: try #require(AppleVersion(row.system))
        )
    }

    private func text(_ outcome: Outcome) -> String {
        switch outcome {
        case .offered(let offer): offer.package.version.text
        case .failed(let reason): reason.rawValue
        case .current: ""
        }
    }

    private func storefront(_ row: Row) throws -> Storefront {
        var (packages, withdrawn): ([Package], [AppleVersionID]) = ([], [])
        for part in row.packages.split(separator: " ").map(String.init) {
            if part.hasPrefix("!") {
                withdrawn.append(try #require(AppleVersionID(String(part.dropFirst()))))
                continue
            }
            let parts = part.split(separator: ":").map(String.init)
            let number = try #require(UInt64(parts[0]))
            packages.append(samplePackage(number, minimumSystem: parts[1]))
        }
        return storefront(packages, withdrawn)
    }

    private func storefront(
        _ packages: [Package],
        _ withdrawn: [AppleVersionID] = []
    ) -> Storefront {
        Storefront(marketplace, [document(packages, withdrawn)])
    }

    private var marketplace: MarketplaceDocument {
        MarketplaceDocument(
            marketplace: sampleMarketplace(),
            stamp: sampleStamp(slug("tidewater"))
        )
    }

    private func document(
        _ packages: [Package],
        _ withdrawn: [AppleVersionID] = [],
        at time: Instant = testNow
    ) -> PackagesDocument {
        let issue = SnapshotIssue(
            sequence: SnapshotSequence(orderedBy: Position(7)),
            position: Position(7),
            issuedAt: time,
            expiresAt: time.advanced(by: .seconds(60))
        )
        return PackagesDocument(
            listings: [slug("tidewater"): sampleListing()],
            packages: packages,
            withdrawn: withdrawn,
            stamp: AppStamp(app: harbour, issue: issue)
        )
    }
}
