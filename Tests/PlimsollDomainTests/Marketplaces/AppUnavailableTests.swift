import PlimsollDomain
import PlimsollTestSupport
import Testing

/// An app that goes takes with it what was known until then, whenever Apple's word of it arrives.
@Suite struct AppUnavailableTests {
    private let list = ListApp(harbour, in: harbour, as: sampleListing(), reason: nil, by: .system)

    /// Harbour is a marketplace that lists nothing yet.
    private func unlisted() throws -> Given {
        try Given.harbourApp().when(
            SetMarketplace(
                of: harbour,
                to: sampleMarketplace(),
                seen: nil,
                reason: nil,
                by: .system
            )
        )
    }

    private func clock(_ hour: Int) throws -> Instant {
        try #require(Instant(rfc3339: "2026-11-20T\(hour):00:00Z"))
    }

    private func notification(
        _ type: String,
        at hour: Int?,
        _ more: String = ""
    ) throws -> TakeNotification {
        let time = try hour.map { #", "eventTimestamp": "\#(try clock($0))""# } ?? ""
        let body = #"""
            {"data": {"type": "\#(type)", "version": 1, "attributes": {
            "marketplaceAppId": "\#(sampleMarketplace().item)",
            "appId": "\#(sampleListing().item)"\#(time)\#(more)}}}
            """#
        return TakeNotification(try #require(AppleNotification(Array(body.utf8))))
    }

    private func gone(at hour: Int?) throws -> TakeNotification {
        try notification("AppUnavailable", at: hour)
    }

    private func announced(_ number: Int, at hour: Int?) throws -> TakeNotification {
        let more = #"""
            , "alternativeDistributionPackageId": "p-1",
            "alternativeDistributionPackageVersionId": "v-\#(number)",
            "alternativeDistributionPackageVersionNum": \#(number)
            """#
        return try notification("AlternativeDistributionPackageVersionAvailable", at: hour, more)
    }

    private func ingest(_ number: UInt64, id: String? = nil) -> IngestPackage {
        IngestPackage(samplePackage(number, id: id), of: harbour, reason: nil, by: .system)
    }

    private func packages(_ given: Given) throws -> PackageCatalog {
        try #require(given.logState.app(harbour)).distribution.packages
    }

    // Method: the app comes back by hand, and Apple's word of when it went arrives a second time.
    @Test func `what came after the app had gone stays when that is said again`() throws {
        let given = try unlisted().when(list).at(clock(15)).when(announced(1, at: 15))
            .when(ingest(1, id: "p-1")).at(clock(17)).when(gone(at: 16))
        #expect(try packages(given).isWithdrawn(versionID(1)))
        let back = try given.at(clock(20)).when(ingest(2))
        try back.at(clock(21)).when(gone(at: 16), refusedBy: .nothingChanges)
        #expect(try packages(back).isAvailable(versionID(2)))
        let again = try back.at(clock(23)).when(gone(at: 22))
        #expect(try packages(again).isWithdrawn(versionID(2)))
    }

    // Method: Apple says when the app went, or nothing; then it is when that was heard.
    @Test(arguments: [16, nil] as [Int?])
    func `what waited for a listing takes nothing that came after it`(hour: Int?) throws {
        let given = try unlisted().at(clock(17)).when(gone(at: hour)).at(clock(20))
            .when(ingest(1)).when(ingest(2, id: "p-2")).at(clock(21)).when(list)
        let packages = try packages(given)
        #expect(packages.available([versionID(1), versionID(2)]).count == 2)
        #expect(given.logState.notifications.waiting.isEmpty)
    }

    @Test func `what waited for a listing takes what was heard before it`() throws {
        let given = try unlisted().at(clock(17)).when(announced(1, at: nil)).at(clock(19))
            .when(gone(at: 18)).at(clock(21)).when(list)
        #expect(try packages(given).awaited.isEmpty)
    }

    // Goal: no take-down is lost because more was announced before it arrived. Method: Apple keeps the
    // notification for a while.
    @Test func `a package that is announced anew goes all the same`() throws {
        var given = try unlisted().when(list).at(clock(15)).when(announced(1, at: 15))
            .when(ingest(1, id: "p-1"))
        given = given.when(try given.proposal([Operation(.ios, .packages(.set([versionID(1)])))]))
        given = given.when(given.approve(.first))
        #expect(given.logState.app(harbour)?.document(.ios).packages == [versionID(1)])
        given = try given.at(clock(17)).when(announced(2, at: 17)).at(clock(18))
            .when(gone(at: 16))
        #expect(try packages(given).isWithdrawn(versionID(1)))
        #expect(try packages(given).awaited.isEmpty)
        #expect(given.logState.app(harbour)?.document(.ios).packages == [])
    }
}
