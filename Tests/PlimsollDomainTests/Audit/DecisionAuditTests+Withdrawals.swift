import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Whatever reviews a withdrawal ordered in its time, it follows.
extension DecisionAuditTests {
    private func withdrawal(of id: String) throws -> AppleNotification {
        let body = #"""
            {"data": {"type": "AppVersionsUnavailable", "version": 1, "attributes": {
            "marketplaceAppId": "\#(sampleMarketplace().item)", "appId": "\#(sampleListing().item)",
            "alternativeDistributionPackageIds": ["\#(id)"]}}}
            """#
        return try #require(AppleNotification(Array(body.utf8)))
    }

    private var listing: ListApp {
        ListApp(harbour, in: harbour, as: sampleListing(), reason: nil, by: .system)
    }

    private mutating func openMarketplace() throws {
        let command = SetMarketplace(
            of: harbour,
            to: sampleMarketplace(),
            seen: nil,
            reason: nil,
            by: .system
        )
        try perform(command, service)
    }

    // Goal: logs in which every withdrawal of an append has a review, or none has, are not doubted.
    @Test(arguments: [(Strictness.full, 1), (.reviewingEach, 2), (.original, 0)])
    mutating func `what a listing takes up is reviewed by the rules of its time`(
        strictness: Strictness,
        reviews: Int
    ) throws {
        try openMarketplace()
        for id in ["p-1", "p-2"] { try perform(TakeNotification(withdrawal(of: id)), service) }
        try decide(listing, by: strictness)
        #expect(logState.openReviews.count == reviews)
        #expect(doubt() == nil)
    }

    // Goal: logs in which what came after an app had gone went with it are not doubted, and lead to the
    // same. Method: the notification waits, and is sent again once the app is listed.
    @Test(arguments: [(Strictness.full, false), (.countingLast, true)])
    mutating func `what goes with its app goes by the rules of its time`(
        strictness: Strictness,
        isGone: Bool
    ) throws {
        let body = #"""
            {"data": {"type": "AppUnavailable", "version": 1, "attributes": {
            "marketplaceAppId": "\#(sampleMarketplace().item)", "appId": "\#(sampleListing().item)",
            "eventTimestamp": "2026-11-01T08:00:00Z"}}}
            """#
        let notification = try #require(AppleNotification(Array(body.utf8)))
        let packages = [1, 2].map {
            IngestPackage(samplePackage($0), of: harbour, reason: nil, by: .system)
        }
        try openMarketplace()
        try perform(TakeNotification(notification), service)
        try perform(packages[0], service)
        try decide(listing, by: strictness)
        try perform(packages[1], service)
        if isGone { try decide(TakeNotification(notification), by: strictness) }
        let catalog = try #require(logState.app(harbour)).distribution.packages
        #expect(catalog.withdrawn.count == (isGone ? 2 : 0))
        #expect(doubt() == nil)
    }

    // Goal: logs in which a minimum rose that only those can satisfy who have a newer system than they
    // have to are not doubted.
    @Test mutating func `a minimum is held against packages by the rules of its time`() throws {
        try openMarketplace()
        try perform(listing, service)
        for (id, version, system) in [(1, "3.1.0", "17.0"), (2, "3.2.0", "17.4")] {
            let package = samplePackage(UInt64(id), minimumSystem: system, shortVersion: version)
            try perform(IngestPackage(package, of: harbour, reason: nil, by: .system), service)
        }
        let offered = Operation(.ios, .packages(.set([versionID(1), versionID(2)])))
        try propose([offered] + minimum(.minimumOS, "17.0"))
        try approve(.first, by: bob)
        try propose(minimum(.minimumApp, "3.2"))
        #expect(throws: Refusal.self) { try approve(change(2), by: bob) }
        try approve(change(2), by: bob, under: .ignoringSystems)
        #expect(doubt() == nil)
    }

    // Goal: a revert of what a package was offered with is not doubted once the package is withdrawn:
    // what the withdrawal took away does not go back, and was not kept either.
    @Test mutating func `what was taken away since is no part of what a revert keeps`() throws {
        for id in [1, 2] as [UInt64] {
            let package = samplePackage(id)
            try perform(IngestPackage(package, of: harbour, reason: nil, by: .system), service)
        }
        let one = Operation(.ios, .packages(.set([versionID(1)])))
        try propose([one] + minimum(.minimumApp, "1.0"))
        try approve(.first, by: bob)
        let both = Operation(.ios, .packages(.set([versionID(1), versionID(2)])))
        try propose([both] + minimum(.minimumApp, "2.0"))
        let before = try present
        try approve(change(2), by: bob)
        let after = try present
        let withdrawal = PackageWithdrawal(versions: [versionID(2)], ids: [], isDemanded: false)
        try perform(
            WithdrawPackages(
                withdrawal,
                of: harbour,
                reason: try Reason(validating: "It leaks"),
                by: bob.principal
            ),
            bob.origin
        )
        let revert = RevertChange(
            change(2),
            of: harbour,
            before: before,
            after: after,
            reason: try Reason(validating: "Because."),
            by: bob.principal
        )
        try perform(revert, bob.origin)
        #expect(doubt() == nil)
    }

    private func minimum(
        _ name: ThresholdName,
        _ version: String
    ) throws -> [PlimsollDomain.Operation] {
        [
            Operation(.ios, name, .setValue(dotted(version))),
            Operation(.ios, name, .setText(.description, tag("en"), try text("Update."))),
        ]
    }

    private var present: PastState {
        get throws {
            let app = try #require(logState.app(harbour))
            return PastState(position: logState.position, documents: app.documents)
        }
    }

    private mutating func propose(_ operations: [PlimsollDomain.Operation]) throws {
        let proposal = try PlimsollTestSupport.propose(
            operations,
            base: logState.position,
            by: alice.principal
        )
        try perform(proposal, alice.origin)
    }

    private mutating func decide(_ command: some Command, by strictness: Strictness) throws {
        let decision = try command.decide(in: logState.deciding(by: strictness), at: now)
        record(decision.events.map { ($0.stream, $0.event) }, service)
    }

    // Method: the parts say which review is theirs: none, the one of the part before, and one that
    // there is not.
    @Test mutating func `parts of a notification share the review of the first`() throws {
        try openMarketplace()
        try perform(listing, service)
        try perform(TakeNotification(withdrawal(of: "p-1")), service)
        let review = try #require(logState.openReviews.first).position
        try perform(TakeNotification(withdrawal(of: "p-2"), reviewedAs: review), service)
        #expect(logState.openReviews.map(\.position) == [review])
        try perform(TakeNotification(withdrawal(of: "p-3"), reviewedAs: .start), service)
        #expect(logState.openReviews.count == 2)
        #expect(logState.openReviews.allSatisfy { $0.actor == .system })
        #expect(doubt() == nil)
    }
}
