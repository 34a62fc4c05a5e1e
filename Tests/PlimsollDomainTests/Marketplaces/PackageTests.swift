import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Packages are known, offered through changes, and withdrawn for ever.
@Suite struct PackageTests {
    private func ingest(_ package: Package) -> IngestPackage {
        IngestPackage(package, of: harbour, reason: nil, by: .system)
    }

    private func withdraw(
        _ versions: [UInt64] = [],
        ids: [String] = [],
        by principal: PrincipalID = .system
    ) -> WithdrawPackages {
        WithdrawPackages(
            PackageWithdrawal(
                versions: versions.map(versionID),
                ids: ids.map(packageID),
                isDemanded: true
            ),
            of: harbour,
            reason: nil,
            by: principal
        )
    }

    private func offer(_ versions: [UInt64], _ given: Given) throws -> ProposeChange {
        try given.proposal([Operation(.ios, .packages(.set(versions.map(versionID))))])
    }

    private func offered(_ given: Given) -> [UInt64] {
        given.logState.app(harbour)?.document(.ios).packages.map(\.number) ?? []
    }

    private let second = change(2)

    /// Three packages are known, and the first two are offered.
    private func given() throws -> Given {
        var given = try Given.harbourApp()
        for number in [1, 2, 3] { given = given.when(ingest(samplePackage(UInt64(number)))) }
        given = given.when(try offer([1, 2], given))
        return given.when(given.approve(.first))
    }

    @Test func `what is offered is decided by a change`() throws {
        let given = try given()
        #expect(offered(given) == [1, 2])
        let app = try #require(given.logState.app(harbour))
        let states = app.distribution.packages.all.map { app.state(of: $0) }
        #expect(states == [.available, .offered, .offered])
    }

    @Test func `a package that is unknown, incomplete or withdrawn is not proposed`() throws {
        let given = try given().when(ingest(samplePackage(4, isComplete: false)))
            .when(withdraw([3]))
        given.when(
            try offer([1, 3, 4, 5], given),
            refusedBy: .packageRefused(.withdrawn(versionID(3)), at: "/operations/0/packages/1"),
            .packageRefused(.incomplete(versionID(4)), at: "/operations/0/packages/2"),
            .packageRefused(.unknown(versionID(5)), at: "/operations/0/packages/3")
        )
        given.when(
            try offer([1, 2, 1], given),
            refusedBy: .repeated("1", at: "/operations/0/packages/2")
        )
    }

    @Test func `edits follow each other, and speak of what is there`() throws {
        let given = try given()
        let edits: [PackageEdit] = [
            .insert(versionID(3), at: 0), .move(versionID(1), to: 2), .remove(versionID(2)),
        ]
        let change = try given.proposal(edits.map { Operation(.ios, .packages($0)) })
        let proposed = given.when(change)
        let after = proposed.when(proposed.approve(second))
        #expect(offered(after) == [3, 1])
        let bad: [PackageEdit] = [
            .insert(versionID(1), at: nil), .move(versionID(3), to: 0), .remove(versionID(9)),
            .insert(versionID(3), at: 9),
        ]
        given.when(
            try given.proposal(bad.map { Operation(.ios, .packages($0)) }),
            refusedBy: .packageRefused(
                .offeredAlready(versionID(1)),
                at: "/operations/0/version"
            ),
            .packageRefused(.notOffered(versionID(3)), at: "/operations/1/version"),
            .packageRefused(.notOffered(versionID(9)), at: "/operations/2/version"),
            .numberOutside(0...2, at: "/operations/3/at")
        )
    }

    @Test func `a withdrawal takes away what is offered, in the same append`() throws {
        let given = try given()
        given.when(
            withdraw([2]),
            then: [
                .app(.marketplace(.packagesWithdrawn(withdraw([2]).withdrawal))),
                .app(.packagesOffered([versionID(1)])),
                .app(.marketplace(.withdrawalReviewOrdered(review(by: .system)))),
            ]
        )
        let after = given.when(withdraw([2]))
        #expect(offered(after) == [1])
        after.when(withdraw([2]), refusedBy: .nothingChanges)
    }

    @Test func `whether there is an app is told to nobody who may withdraw nothing of it`() throws {
        for app in [harbour, slug("nowhere")] {
            try given().when(
                WithdrawPackages(withdraw([2]).withdrawal, of: app, reason: nil, by: alice),
                refusedBy: .roleMissing(.responder, .app(app))
            )
        }
    }

    private func review(by principal: PrincipalID) -> ReviewOrder {
        Policy.builtIn.emergencyReview.order(owner: principal, at: testNow)
    }

    @Test func `somebody else looks at a withdrawal again`() throws {
        let command = WithdrawPackages(
            withdraw([2]).withdrawal,
            of: harbour,
            reason: nil,
            by: rita
        )
        let given = try given().when(command)
        let review = try #require(given.logState.openReviews.first)
        #expect(review.subject == .withdrawal && review.actor == rita)
        #expect(given.logState.reviewers(of: review).contains(bob))
        let close = { (principal: PrincipalID) in
            CloseReview(
                review: review.position,
                verdict: ReviewVerdict(.confirmed, comment: nil),
                by: principal
            )
        }
        #expect(throws: Refusal.self) { try close(rita).decide(in: given.logState, at: testNow) }
        #expect(given.when(close(bob)).logState.openReviews.isEmpty)
    }

    // Goal: a review that nobody can close does not stay overdue for ever. Method: the service withdrew
    // something by itself, and everybody was let in by somebody whom it had let in.
    @Test func `somebody looks again at what Apple took down`() throws {
        let given = try given().when(withdraw([2]))
        let review = try #require(given.logState.openReviews.first)
        #expect(review.actor == .system)
        #expect(given.logState.access.depends(bob, on: .system))
        #expect(given.logState.reviewers(of: review).contains(bob))
        let close = CloseReview(
            review: review.position,
            verdict: ReviewVerdict(.confirmed, comment: nil),
            by: bob
        )
        #expect(given.when(close).logState.openReviews.isEmpty)
    }

    // Goal: what a change offered for a time is not offered for ever because something of it was
    // withdrawn meanwhile.
    @Test func `a change that offers for a time ends, whatever was withdrawn meanwhile`() throws {
        let end = testNow.advanced(by: .seconds(3600))
        var given = try given()
        given = given.when(
            try given.proposal(
                [Operation(.ios, .packages(.set([3, 2, 1].map { versionID($0) })))],
                until: end
            )
        )
        given = given.when(given.approve(second))
        #expect(offered(given) == [3, 2, 1])
        given = given.when(withdraw([2]))
        #expect(offered(given) == [3, 1])
        let ending = try #require(given.logState.endingChange(second))
        let past = PastState(position: ending.before, documents: [.ios: document([1, 2])])
        let ended = given.at(end).when(EndChange(change: second, past: past))
        #expect(offered(ended) == [1])
    }

    private func document(_ versions: [UInt64]) -> Document {
        var document = Document(platform: .ios)
        document.packages = versions.map(versionID)
        return document
    }

    @Test func `a change is reverted though something that it offered was withdrawn`() throws {
        var given = try given()
        given = given.when(try offer([3, 2, 1], given))
        given = given.when(given.approve(second)).when(withdraw([3]))
        let revert = RevertChange(
            second,
            of: harbour,
            before: PastState(position: .start, documents: [.ios: document([1, 2])]),
            after: PastState(position: .start, documents: [.ios: document([3, 2, 1])]),
            reason: try Reason(validating: "Back"),
            by: rita
        )
        #expect(offered(given.when(revert)) == [1, 2])
    }

    @Test func `nothing brings a withdrawn package back`() throws {
        let before = try given()
        let given = before.when(withdraw([2]))
        // A rollback to when it was offered.
        let rollback = try rollBack(to: before.present, platforms: [.ios])
        given.when(rollback, refusedBy: .nothingChanges)
        // Apple makes it anew, or says late that it will come.
        let anew = given.when(ingest(samplePackage(2, revision: 2)))
        let packages = try #require(anew.logState.app(harbour)).distribution.packages
        #expect(!packages.isAvailable(versionID(2)))
        anew.when(
            try offer([1, 2], anew),
            refusedBy: .packageRefused(.withdrawn(versionID(2)), at: "/operations/0/packages/1")
        )
    }

    @Test func `a change that was proposed before a withdrawal applies without it`() throws {
        var given = try given()
        given = given.when(try offer([1, 2, 3], given)).when(withdraw([3, 2]))
        #expect(offered(given) == [1])
        // What it would do is another thing now: there is nothing left to approve.
        let effect = try given.logState.examined(second, by: .system, testHash).content.effect
        #expect(effect.isEmpty)
    }

    @Test func `a package is withdrawn by its id before anybody has seen it`() throws {
        let given = try Given.harbourApp().when(withdraw(ids: ["p-9"]))
            .when(ingest(samplePackage(9, id: "p-9")))
        let packages = try #require(given.logState.app(harbour)).distribution.packages
        #expect(packages.isWithdrawn(versionID(9)) && !packages.isAvailable(versionID(9)))
    }

    @Test func `what is offered without an id goes when it comes under one that was withdrawn`()
        throws
    {
        let given = try given().when(withdraw(ids: ["p-2"]))
        #expect(offered(given) == [1, 2])
        let after = given.when(ingest(samplePackage(2, id: "p-2", revision: 2)))
        #expect(offered(after) == [1])
    }

    // Method: what was withdrawn by its id is sent again without one, and under another.
    @Test func `another id does not bring a withdrawn package back`() throws {
        var given = try Given.harbourApp().when(withdraw(ids: ["p-9"]))
            .when(ingest(samplePackage(9, id: "p-9")))
        given = given.when(ingest(samplePackage(9, revision: 2)))
            .when(ingest(samplePackage(9, id: "p-10", revision: 3)))
        let packages = try #require(given.logState.app(harbour)).distribution.packages
        #expect(packages.isWithdrawn(versionID(9)) && packages.withdrawn == [versionID(9)])
    }

    // Goal: Apple names ids only, so none that a version had may be forgotten. Method: the id comes
    // late, and is left out and replaced afterwards.
    @Test(arguments: ["p-1", "p-2"])
    func `a version is withdrawn by any id it ever had`(id: String) throws {
        var given = try given().when(ingest(samplePackage(1, id: "p-1")))
        given = given.when(ingest(samplePackage(1, revision: 2)))
            .when(ingest(samplePackage(1, id: "p-2", revision: 3)))
            .when(ingest(samplePackage(1, revision: 4)))
        let known = try #require(given.logState.app(harbour)).distribution.packages
        #expect(known[versionID(1)]?.id == packageID("p-2"))
        #expect(offered(given.when(withdraw(ids: [id]))) == [2])
    }

    // Goal: nothing that is offered vanishes because Apple has not made a key yet.
    @Test func `a revision without all keys takes no place, and is fetched again`() throws {
        let announcement = PackageAnnouncement(id: packageID("p-1"), versionID: packageID("v-2"))
        let given = try given()
            .when(AnnouncePackage(announcement, of: harbour, by: .system))
        let half = samplePackage(1, id: "p-1", revision: 2, isComplete: false)
        given.when(
            ingest(half),
            refusedBy: .packageRefused(.lacksKeys(versionID(1), revision: 2), at: "/complete")
        )
        let first = samplePackage(9, id: "p-1", isComplete: false)
        let awaiting = given.when(ingest(first))
        awaiting.when(ingest(first), refusedBy: .nothingChanges)
        #expect(awaiting.logState.app(harbour)?.distribution.packages.awaited == [announcement])
        let whole = awaiting.when(ingest(samplePackage(9, id: "p-1")))
        #expect(whole.logState.app(harbour)?.distribution.packages.awaited.isEmpty == true)
    }

    // Method: a newer one is announced before the older one is fetched by hand.
    @Test func `an older version that is fetched leaves the newer one awaited`() throws {
        let newer = PackageAnnouncement(id: packageID("p-1"), versionID: packageID("v-2"))
        let older = IngestPackage(
            samplePackage(1, id: "p-1"),
            of: harbour,
            announcedAs: packageID("v-1"),
            reason: nil,
            by: .system
        )
        let given = try given().when(AnnouncePackage(newer, of: harbour, by: .system)).when(older)
        #expect(given.logState.app(harbour)?.distribution.packages.awaited == [newer])
    }

    @Test func `a revision that is known becomes complete, and nothing else`() throws {
        let half = samplePackage(1, isComplete: false)
        let given = try Given.harbourApp().when(ingest(half))
        given.when(
            ingest(samplePackage(1)),
            then: [.app(.marketplace(.packageIngested(samplePackage(1))))]
        )
        let moved = samplePackage(1, minimumSystem: "9.0")
        given.when(ingest(moved), refusedBy: .packageOutdated(half, given: 1))
        let whole = given.when(ingest(samplePackage(1)))
        whole.when(ingest(half), refusedBy: .packageOutdated(samplePackage(1), given: 1))
    }

    @Test func `an earlier revision that comes late takes no place`() throws {
        let newer = samplePackage(1, revision: 3)
        let given = try Given.harbourApp().when(ingest(newer))
        given.when(ingest(newer), refusedBy: .nothingChanges)
        given.when(
            ingest(samplePackage(1, revision: 2)),
            refusedBy: .packageOutdated(newer, given: 2)
        )
    }

    @Test func `responders withdraw alone, and others do not`() throws {
        let given = try given()
        let command = { (principal: PrincipalID) in
            WithdrawPackages(withdraw([2]).withdrawal, of: harbour, reason: nil, by: principal)
        }
        #expect(throws: Never.self) { try command(rita).decide(in: given.logState, at: testNow) }
        for principal in [alice, bob] {
            given.when(command(principal), refusedBy: .roleMissing(.responder, .app(harbour)))
        }
    }

    // Goal: whatever is accepted fits into one event.
    @Test func `lists have an end`() throws {
        let given = try given()
        let many = (1...201).map { UInt64($0) }
        given.when(withdraw(many), refusedBy: .listTooLong(maximum: 200, at: "/versions"))
        given.when(
            withdraw(ids: many.map { "p-\($0)" }, by: rita),
            refusedBy: .listTooLong(maximum: 200, at: "/packages")
        )
        given.when(
            try offer(many, given),
            refusedBy: .listTooLong(maximum: 200, at: "/operations/0")
        )
    }

    @Test func `only iOS has packages`() throws {
        let given = try given()
        given.when(
            try given.proposal([Operation(.android, .packages(.remove(versionID(1))))]),
            refusedBy: .packageRefused(.platform(.android), at: "/operations/0")
        )
    }

    @Test func `no more packages are announced than may be there`() throws {
        let announce = { (number: Int, version: String) in
            AnnouncePackage(
                PackageAnnouncement(
                    id: packageID("p-\(number)"),
                    versionID: packageID("v-\(number)\(version)")
                ),
                of: harbour,
                by: .system
            )
        }
        var given = try given()
        for number in 4...PackageCatalog.packagesMaximum {
            given = given.when(announce(number, ""))
        }
        let most = PackageCatalog.packagesMaximum
        let full = Objection.packagesFull(harbour, maximum: most)
        given.when(announce(most + 1, ""), refusedBy: full)
        // Another version of one that is awaited takes no room.
        given = given.when(announce(most, "-b"))
        _ = given.when(withdraw(ids: ["p-4"])).when(announce(most + 1, ""))
    }
}
