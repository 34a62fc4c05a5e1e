import PlimsollDomain
import PlimsollTestSupport
import Testing

/// An app becomes a marketplace, and others are listed in it.
@Suite struct MarketplaceTests {
    private let tidewater = slug("tidewater")

    private func given() throws -> Given {
        let registered = Event.app(.appRegistered(try settings([.ios])))
        return try Given.harbourApp().when(.system, (.app(tidewater), registered))
    }

    private func set(
        _ marketplace: Marketplace?,
        of app: AppSlug = slug("tidewater"),
        seen: Position? = nil,
        by principal: PrincipalID = root
    ) -> SetMarketplace {
        SetMarketplace(of: app, to: marketplace, seen: seen, reason: nil, by: principal)
    }

    @Test func `a marketplace is set, changed by who saw it, and removed`() throws {
        let given = try given().when(set(sampleMarketplace()))
        let since = try #require(given.logState.app(tidewater)?.distribution.marketplaceSince)
        let slower = sampleMarketplace(pollingInterval: 48)
        given.when(set(slower), refusedBy: .marketplaceUnseen(tidewater, current: since))
        given.when(
            set(slower, seen: .start),
            refusedBy: .marketplaceDiffers(tidewater, seen: .start, current: since)
        )
        given.when(set(slower, seen: since), then: [.app(.marketplace(.set(slower)))])
        given.when(set(sampleMarketplace(), seen: since), refusedBy: .nothingChanges)
        let gone = given.when(set(nil, seen: since))
        #expect(gone.logState.app(tidewater)?.distribution.marketplace == nil)
        gone.when(
            set(slower, seen: since),
            refusedBy: .marketplaceDiffers(tidewater, seen: since, current: nil)
        )
    }

    @Test func `only an administrator says what a marketplace is`() throws {
        for principal in [alice, bob, rita] {
            try given().when(
                set(sampleMarketplace(), by: principal),
                refusedBy: .roleMissing(.admin, .app(tidewater))
            )
        }
    }

    // Method: every address lies on another host, and the interval is nothing.
    @Test func `all that is wrong with a marketplace is said at once`() throws {
        let other = sampleMarketplace(at: "elsewhere.example.org", pollingInterval: 0)
        let marketplace = Marketplace(
            item: other.item,
            domains: [domain("market.example.com"), domain("market.example.com")],
            endpoints: other.endpoints,
            overrides: [
                ItemOverrides(item(2), EndpointOverrides(pollingInterval: -1)),
                ItemOverrides(item(1), EndpointOverrides()),
                ItemOverrides(item(2), EndpointOverrides(pollingInterval: 48)),
            ],
            authorization: other.authorization,
            landingPage: other.landingPage
        )
        let codes = try refusal(set(marketplace)).map { ($0.pointer?.text ?? "", $0.code) }
        let places = codes.filter { $0.1 == "marketplaceRefused" }.map(\.0)
        #expect(
            Set(places) == [
                "/restore", "/updates", "/dynamicLicense", "/licenseRenewal",
                "/signingCertificate", "/encryptionCertificate", "/authorization/issuer",
                "/authorization/authorization", "/authorization/token", "/landingPage",
                "/pollingInterval", "/overrides/1", "/overrides/0/pollingInterval",
            ]
        )
        #expect(codes.contains { $0 == ("/domains/1", "repeated") })
        #expect(codes.contains { $0 == ("/overrides/2/item", "repeated") })
    }

    // Goal: whatever is accepted fits into one event.
    @Test func `a marketplace that does not fit into an event is refused`() throws {
        let path = String(repeating: "a", count: 1900)
        let url = endpoint("https://market.example.com/\(path)")
        let sample = sampleMarketplace()
        let marketplace = Marketplace(
            item: sample.item,
            domains: sample.domains,
            endpoints: sample.endpoints,
            overrides: (1...30).map {
                ItemOverrides(item($0), EndpointOverrides(restore: url, signingCertificate: url))
            }
        )
        let found = try refusal(set(marketplace))
        #expect(found.map(\.code) == ["marketplaceRefused"])
        #expect(found.map(\.pointer?.text) == ["/overrides"])
    }

    @Test(arguments: [(23, 1), (24, 0), (720, 0), (721, 1), (43_200, 1)])
    func `an interval without effect, or in seconds, is warned of`(
        _ hours: Int64,
        _ warnings: Int
    ) {
        #expect(sampleMarketplace(pollingInterval: hours).warnings.count == warnings)
    }

    @Test func `two marketplaces share neither a domain nor an AppleItemID`() throws {
        let given = try given().when(set(sampleMarketplace()))
        let below = Marketplace(
            item: sampleMarketplace().item,
            domains: [domain("eu.market.example.com")],
            endpoints: sampleMarketplace(1, at: "eu.market.example.com").endpoints
        )
        given.when(
            set(below, of: harbour),
            refusedBy: .itemTaken(below.item, tidewater, at: "/item"),
            .domainTaken(domain("eu.market.example.com"), tidewater, at: "/domains/0")
        )
    }

    // Goal: of two instances that decide at once, one has to decide again.
    @Test func `who takes a domain relies on what all apps are`() throws {
        let given = try given().when(set(sampleMarketplace()))
        let other = set(sampleMarketplace(1, at: "other.example.com"), of: harbour)
        let list = ListApp(harbour, in: tidewater, as: sampleListing(), reason: nil, by: root)
        for command in [other, list] as [any Command] {
            let reads = try command.decide(in: given.logState, at: testNow).reads
            #expect(reads.isSuperset(of: [.app(harbour), .app(tidewater)]))
        }
    }

    @Test func `a domain covers what lies under it, and nothing that only ends alike`() {
        let market = domain("market.example.com")
        #expect(market.covers("market.example.com") && market.covers("a.b.market.example.com"))
        #expect(!market.covers("blackmarket.example.com") && !market.covers("example.com"))
    }

    @Test(arguments: [
        "", "localhost", "Market.example.com", "market.example.com.", "market..example.com",
        "127.0.0.1", "market.example.com:8443", "market.example.com/", "mä.example.com",
    ])
    func `what is no domain is refused`(_ text: String) { #expect(DomainName(text) == nil) }

    @Test(arguments: [
        "http://market.example.com/", "https://user@market.example.com/", "market.example.com",
        "https://market.example.com/#top", "https://127.0.0.1/", "https://Market.example.com/", "",
        "https://market.example.com:0/", "https://[::1]/",
    ])
    func `what is no endpoint is refused`(_ text: String) { #expect(EndpointURL(text) == nil) }

    @Test(arguments: ["0", "01", "-1", "+1", "1.0", "1e3", " 1", "", "18446744073709551616", "x"])
    func `what is no identifier of Apple's is refused`(_ text: String) {
        #expect(AppleItemID(text) == nil && AppleVersionID(text) == nil)
    }

    @Test func `identifiers are counted to the last`() throws {
        let greatest = try #require(AppleVersionID("18446744073709551615"))
        #expect(greatest > versionID(9_007_199_254_740_993))
        #expect(greatest.text == "18446744073709551615")
    }

    @Test func `an app is listed once under an AppleItemID, where there is a marketplace`() throws {
        let listing = sampleListing()
        let list = ListApp(harbour, in: tidewater, as: listing, reason: nil, by: root)
        try given().when(list, refusedBy: .marketplaceUnknown(tidewater))
        let given = try given().when(set(sampleMarketplace())).when(list)
        given.when(list, refusedBy: .nothingChanges)
        given.when(
            ListApp(tidewater, in: tidewater, as: listing, reason: nil, by: root),
            refusedBy: .itemTaken(listing.item, harbour, at: "/item")
        )
        let out = given.when(ListApp(harbour, in: tidewater, as: nil, reason: nil, by: root))
        #expect(out.logState.app(listedAs: listing.item, in: tidewater) == nil)
    }

    @Test func `overrides are kept by their AppleItemIDs, in whatever order they are said`() throws
    {
        let overrides = [2, 1].map {
            ItemOverrides(item($0), EndpointOverrides(pollingInterval: Int64($0) + 48))
        }
        let sample = sampleMarketplace()
        let said = { (overrides: [ItemOverrides]) in
            Marketplace(
                item: sample.item,
                domains: sample.domains,
                endpoints: sample.endpoints,
                overrides: overrides
            )
        }
        let given = try given().when(set(said(overrides)))
        let kept = try #require(given.logState.app(tidewater)?.distribution)
        #expect(kept.marketplace == said(overrides.reversed()))
        given.when(set(said(overrides), seen: kept.marketplaceSince), refusedBy: .nothingChanges)
    }

    // Goal: a request is told by its address. Method: updates where restores are asked, in an override
    // as well, and licences where Plimsoll serves something else.
    @Test func `every question has an address of its own`() throws {
        let usual = sampleMarketplace()
        let restore = usual.endpoints.restore
        let taken = endpoint("https://market.example.com/.well-known/licenses")
        let marketplace = Marketplace(
            item: usual.item,
            domains: usual.domains,
            endpoints: usual.endpoints.with(EndpointOverrides(updates: restore, dynamic: taken)),
            overrides: [
                ItemOverrides(item(1), EndpointOverrides(restore: restore)),
                ItemOverrides(item(2), EndpointOverrides(renewal: restore)),
            ]
        )
        #expect(
            try refusal(set(marketplace)) == [
                .marketplaceRefused(.addressShared(restore, with: "restore"), at: "/updates"),
                .marketplaceRefused(.addressTaken(taken), at: "/dynamicLicense"),
                .marketplaceRefused(
                    .addressShared(restore, with: "restore"),
                    at: "/overrides/1/licenseRenewal"
                ),
            ]
        )
    }

    // Goal: no take-down is lost because the marketplace was registered under another AppleItemID.
    @Test func `what Apple said before is done once the marketplace has its AppleItemID`() throws {
        let body = #"""
            {"data": {"type": "AppVersionsUnavailable", "version": 1, "id": "n-1", "attributes": {
            "marketplaceAppId": "\#(sampleMarketplace().item)", "appId": "\#(sampleListing().item)",
            "alternativeDistributionPackageIds": ["p-1"]}}}
            """#
        let notification = try #require(AppleNotification(Array(body.utf8)))
        let package = IngestPackage(
            samplePackage(1, id: "p-1"),
            of: harbour,
            reason: nil,
            by: .system
        )
        let given = try given().when(set(sampleMarketplace(1))).when(package)
            .when(ListApp(harbour, in: tidewater, as: sampleListing(), reason: nil, by: root))
            .when(TakeNotification(notification))
        #expect(given.logState.notifications.waiting.count == 1)
        let since = given.logState.app(tidewater)?.distribution.marketplaceSince
        let corrected = given.when(set(sampleMarketplace(), seen: since))
        let packages = corrected.logState.app(harbour)?.distribution.packages
        #expect(packages?.isWithdrawn(versionID(1)) == true)
        #expect(corrected.logState.notifications.waiting.isEmpty)
    }

    // Goal: no listing outlives its marketplace, and nobody is kept in one.
    @Test func `a marketplace goes once nothing is listed in it`() throws {
        let list = ListApp(harbour, in: tidewater, as: sampleListing(), reason: nil, by: root)
        let given = try given().when(set(sampleMarketplace())).when(list)
        let since = given.logState.app(tidewater)?.distribution.marketplaceSince
        given.when(
            set(nil, seen: since),
            refusedBy: .marketplaceInUse(tidewater, [harbour])
        )
        let host = RoleGrant(.admin, in: .app(tidewater))
        let granted = given.when(.system, (.access, .access(.roleGranted(bob, host))))
        let unlist = { ListApp(harbour, in: tidewater, as: nil, reason: nil, by: $0) }
        granted.when(unlist(alice), refusedBy: .roleMissing(.admin, .app(harbour)))
        let out = granted.when(unlist(bob))
        #expect(out.when(set(nil, seen: since)).logState.app(harbour)?.distribution.listings == [:])
    }

    @Test func `packages lie on a domain of a marketplace that lists the app`() throws {
        func ingest(_ package: Package) -> IngestPackage {
            IngestPackage(package, of: harbour, reason: nil, by: .system)
        }
        let list = ListApp(harbour, in: tidewater, as: sampleListing(), reason: nil, by: root)
        let domains = sampleMarketplace().domains
        let (near, far) = (samplePackage(1), samplePackage(2, at: "cdn.example.org"))
        let given = try given().when(set(sampleMarketplace())).when(ingest(near))
        given.when(ingest(far)).when(ingest(samplePackage(3, at: "cdn.example.org"))).when(
            list,
            refusedBy: .packageRefused(
                .elsewhere([versionID(3), versionID(2)], "cdn.example.org", domains),
                at: ""
            )
        )
        given.when(list).when(
            ingest(far),
            refusedBy: .packageRefused(
                .elsewhere([versionID(2)], "cdn.example.org", domains),
                at: "/address"
            )
        )
        let below = given.when(list).when(
            ingest(samplePackage(2, at: "cdn.market.example.com"))
        )
        #expect(below.logState.app(harbour)?.distribution.packages[versionID(2)] != nil)
        let since = below.logState.app(tidewater)?.distribution.marketplaceSince
        let moved = sampleMarketplace(at: "cdn.market.example.com")
        below.when(
            set(moved, seen: since),
            refusedBy: .packageRefused(
                .elsewhere([versionID(1)], "market.example.com", moved.domains),
                at: ""
            )
        )
    }

    // Goal: whoever edits a marketplace is not held up by packages that it did not have before. Method:
    // an app whose packages lie on the domain of another marketplace is taken out of that.
    @Test func `what lies elsewhere already holds up no edit of a marketplace`() throws {
        let other = sampleMarketplace(1, at: "other.example.com")
        let list = { ListApp(harbour, in: $0, as: $1, reason: nil, by: root) }
        let package = samplePackage(1, at: "other.example.com")
        let given = try given().when(set(sampleMarketplace())).when(set(other, of: harbour))
            .when(list(tidewater, sampleListing())).when(list(harbour, sampleListing()))
            .when(IngestPackage(package, of: harbour, reason: nil, by: .system))
            .when(list(harbour, nil))
        let since = given.logState.app(tidewater)?.distribution.marketplaceSince
        let slower = sampleMarketplace(pollingInterval: 48)
        given.when(set(slower, seen: since), then: [.app(.marketplace(.set(slower)))])
        let renamed = sampleListing(9)
        given.when(
            list(tidewater, renamed),
            then: [.app(.marketplace(.listed(tidewater, renamed)))]
        )
        given.when(list(tidewater, nil)).when(
            list(tidewater, sampleListing()),
            refusedBy: .packageRefused(
                .elsewhere([versionID(1)], "other.example.com", sampleMarketplace().domains),
                at: ""
            )
        )
    }

    private func refusal(_ command: some Command) throws -> [Objection] {
        let logState = try given().logState
        do throws(Refusal) {
            _ = try command.decide(in: logState, at: testNow)
            return []
        } catch {
            return error.objections
        }
    }
}
