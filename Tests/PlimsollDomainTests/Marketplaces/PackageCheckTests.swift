import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What marketplaces offer has to fit the minima of the document, and the releases of the App Store.
@Suite struct PackageCheckTests {
    /// What stands there, what a change does, and what is found.
    struct Row: Sendable, CustomTestStringConvertible {
        /// As `id:short version:oldest iOS`.
        let packages: String
        let before: [Operation]
        let change: [Operation]
        let expected: [CheckName]
        var isListed = true

        var testDescription: String { "\(packages): \(change)" }
    }

    private static func app(_ version: String) -> Operation {
        Operation(.ios, .minimumApp, .setValue(dotted(version)))
    }

    private static func system(_ version: String) -> Operation {
        Operation(.ios, .minimumOS, .setValue(dotted(version)))
    }

    private static func offer(_ versions: UInt64...) -> Operation {
        Operation(.ios, .packages(.set(versions.map { versionID($0) })))
    }

    private static let two = "1:3.1.0:17.0 2:3.2.0:17.4"

    private static let rows: [Row] = [
        // A minimum that nothing offered satisfies.
        Row(
            packages: two,
            before: [offer(1)],
            change: [app("3.2")],
            expected: [.minimumNotOffered]
        ),
        Row(packages: two, before: [offer(1, 2)], change: [app("3.2")], expected: []),
        Row(packages: two, before: [offer(1, 2)], change: [app("3.2.0")], expected: []),
        Row(
            packages: two,
            before: [offer(2, 1)],
            change: [app("3.2.1")],
            expected: [.minimumNotOffered]
        ),
        Row(packages: two, before: [], change: [app("3.0")], expected: [.minimumNotOffered]),
        Row(packages: two, before: [], change: [app("0")], expected: []),
        Row(packages: two, before: [offer(1)], change: [app("3.2"), offer(1, 2)], expected: []),
        Row(packages: two, before: [offer(1), app("3.2")], change: [offer(2)], expected: []),
        Row(
            packages: two,
            before: [offer(1, 2), app("3.2")],
            change: [offer(1)],
            expected: [.minimumNotOffered]
        ),
        Row(packages: two, before: [offer(1)], change: [app("3.2")], expected: [], isListed: false),
        Row(packages: "1:spring:17.0", before: [offer(1)], change: [app("3.2")], expected: []),
        // A minimum that only those can satisfy who have a newer system than they have to.
        Row(
            packages: two,
            before: [offer(1, 2), system("17.0")],
            change: [app("3.2")],
            expected: [.minimumNotOffered]
        ),
        Row(
            packages: two,
            before: [offer(1, 2), system("17.4")],
            change: [app("3.2")],
            expected: []
        ),
        Row(
            packages: two,
            before: [offer(1, 2), system("17.0")],
            change: [app("3.1")],
            expected: []
        ),
        Row(
            packages: two,
            before: [offer(1, 2), system("17.0")],
            change: [app("3.2"), system("17.4")],
            expected: []
        ),
        Row(
            packages: two,
            before: [offer(1, 2), system("17.4"), app("3.2")],
            change: [system("17.0")],
            expected: [.minimumLowered, .minimumNotOffered, .packageNeedsNewerSystem]
        ),
        Row(
            packages: two + " 3:3.3.0:17.0",
            before: [offer(1, 2, 3), system("17.0"), app("3.2")],
            change: [offer(1, 2)],
            expected: [.minimumNotOffered]
        ),
        Row(
            packages: two + " 3:spring:17.0",
            before: [offer(1, 2, 3), system("17.0")],
            change: [app("3.2")],
            expected: []
        ),
        // What makes it better for some is refused to nobody.
        Row(
            packages: two,
            before: [system("17.0"), app("3.2")],
            change: [offer(1, 2)],
            expected: [.packageNeedsNewerSystem]
        ),
        Row(
            packages: two,
            before: [offer(1, 2), system("17.0"), app("3.2")],
            change: [system("17.2")],
            expected: [.packageNeedsNewerSystem]
        ),
        // What was there before is not looked at again.
        Row(packages: two, before: [offer(1), app("3.2")], change: [system("17.4")], expected: []),
        // A system that the document lets in and the package does not run on.
        Row(
            packages: two,
            before: [system("17.0")],
            change: [offer(1, 2)],
            expected: [.packageNeedsNewerSystem]
        ),
        Row(packages: two, before: [system("17.0")], change: [offer(1)], expected: []),
        Row(packages: two, before: [system("17.4.0")], change: [offer(1, 2)], expected: []),
        Row(packages: two, before: [], change: [offer(1, 2)], expected: []),
        Row(
            packages: two,
            before: [offer(1, 2), system("17.4")],
            change: [system("17.2")],
            expected: [.minimumLowered, .packageNeedsNewerSystem]
        ),
        Row(packages: two, before: [offer(2), system("17")], change: [offer(2, 1)], expected: []),
    ]

    @Test(arguments: rows)
    func `what is offered is held against the minima`(_ row: Row) throws {
        #expect(try found(row).map(\.check) == row.expected)
    }

    @Test(arguments: [
        ("412", "17.4", 0), ("412", "17.4.0", 0), (nil, nil, 0), ("411", "17.4", 1),
        ("412", "17.0", 1), ("411", "17.0", 1), ("0412", nil, 1),
    ])
    func `a package that is not what the App Store has is warned of`(
        _ build: String?,
        _ needed: String?,
        _ count: Int
    ) throws {
        let release = Release(
            platform: .ios,
            version: dotted("3.2"),
            facts: ReleaseFacts(
                build: try build.map { try Label(validating: $0) },
                system: needed.map(dotted),
                liveSince: Instant(millisecondsSince1970: 0)
            )
        )
        let row = Row(
            packages: Self.two,
            before: [],
            change: [Self.offer(1, 2)],
            expected: []
        )
        let found = try found(row, among: [release])
        #expect(found.map(\.check) == Array(repeating: .packageDiffersFromRelease, count: count))
        #expect(found.allSatisfy { $0.sentence.contains("3.2.0 (2)") })
    }

    private func found(_ row: Row, among releases: [Release] = []) throws -> [CheckFinding] {
        var given = try Given.harbourApp()
        let listing = MarketplaceEvent.listed(slug("tidewater"), sampleListing())
        if row.isListed {
            given = given.when(.system, (.app(harbour), .app(.marketplace(listing))))
        }
        for release in releases {
            given = given.when(.system, (.app(harbour), .app(.releaseRegistered(release))))
        }
        for text in row.packages.split(separator: " ") {
            let parts = text.split(separator: ":").map(String.init)
            let package = samplePackage(
                try #require(UInt64(parts[0])),
                minimumSystem: parts[2],
                shortVersion: parts[1]
            )
            given = given.when(
                IngestPackage(package, of: harbour, reason: nil, by: .system)
            )
        }
        for operation in row.before {
            given = given.when(.system, (.app(harbour), .app(AppEvent(operation))))
        }
        let app = try #require(given.logState.app(harbour))
        return app.findings(applying: row.change, under: .builtIn, at: testNow)
    }
}
