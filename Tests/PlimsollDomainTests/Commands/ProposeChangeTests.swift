import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct ProposeChangeTests {
    @Test func `a proposal is recorded with its operations behind it`() throws {
        let given = try Given.harbourApp()
        let command = try raise(to: "3.2.0", base: given.logState.position)
        given.when(
            command,
            then: [
                .change(
                    .changeProposed(app: harbour, title: command.title, base: command.base)
                ),
                .change(.operationsAdded(command.operations)),
            ]
        )
    }

    @Test func `what a proposal or a revision may say depends on the policy of all apps`() throws {
        let given = try Given.harbourApp()
        let proposal = try raise(to: "3.2.0", base: given.logState.position)
        let proposed = try proposal.decide(in: given.logState, at: testNow)
        #expect(proposed.reads.isSuperset(of: [.access, .service, .app(harbour)]))
        let next = given.when(proposal)
        let revised = try next.revise(change(1), to: "3.3.0", by: alice)
            .decide(in: next.logState, at: testNow)
        #expect(revised.reads.isSuperset(of: [.access, .service, .app(harbour)]))
    }

    @Test func `changes are numbered from 1`() throws {
        var given = try Given.harbourApp()
        given = given.when(try raise(to: "3.2.0", base: given.logState.position))
        given = given.when(try raise(to: "3.3.0", base: given.logState.position))
        #expect(given.logState.openChange(change(1))?.author == alice)
        #expect(given.logState.openChange(change(2)) != nil)
        #expect(given.logState.nextChange == change(3))
    }

    @Test func `two platforms in twelve languages are split into parts that fit an entry`() throws {
        let given = try Given.harbourApp()
        let long = try text(String(repeating: "\u{1F6A2}", count: 4000))
        let tags = ["ar", "bn", "cy", "en", "gu", "pa", "pl", "ro", "so", "tr", "ur", "zh"]
        let operations = [Platform.ios, .android].flatMap { platform in
            tags.map { Operation(platform, .minimumApp, .setText(.description, tag($0), long)) }
        }
        let events = try propose(operations, base: given.logState.position)
            .decide(in: given.logState, at: testNow).events
        let parts = events.compactMap { event -> [PlimsollDomain.Operation]? in
            guard case .change(.operationsAdded(let part)) = event.event else { return nil }
            return part
        }
        #expect(parts.flatMap { $0 } == operations)
        let sizes = parts.map { $0.count * long.text.utf8.count }
        // An entry has 65 535 bytes, of which the reason may take 16 000 and each frame some 200.
        #expect(sizes.allSatisfy { $0 <= 48_000 })
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 + $1 > 48_000 }, "\(sizes)")
    }

    @Test func `everything in the way is said at once, each at its place`() throws {
        let given = try Given.harbourApp()
        let command = try propose(
            [
                Operation(.macos, .minimumApp, .setValue(dotted("1"))),
                Operation(.android, .recommendedOS, .clearThreshold),
                Operation(.ios, .minimumApp, .setValue(code(3))),
                Operation(.ios, .minimumApp, .setValue(dotted("3"))),
            ],
            base: given.logState.position.advanced(by: 1)
        )
        given.when(
            command,
            refusedBy: .platformUnknown(harbour, .macos, at: "/operations/0/platform"),
            .thresholdUnknown(.android, .recommendedOS, at: "/operations/1/threshold"),
            .valueOfWrongKind(.dotted, at: "/operations/2/value"),
            .repeated("ios.minimumApp.value", at: "/operations/3"),
            .baseAhead(
                base: given.logState.position.advanced(by: 1),
                head: given.logState.position
            )
        )
    }

    @Test func `clearing a threshold and writing it in one change is ambiguous`() throws {
        let given = try Given.harbourApp()
        let set = Operation(.ios, .minimumApp, .setValue(dotted("3")))
        let clear = Operation(.ios, .minimumApp, .clearThreshold)
        given.when(
            try propose([set, clear], base: given.logState.position),
            refusedBy: .repeated("ios.minimumApp", at: "/operations/1")
        )
        given.when(
            try propose([clear, set], base: given.logState.position),
            refusedBy: .repeated("ios.minimumApp.value", at: "/operations/1")
        )
    }

    @Test func `a change of nothing is refused`() throws {
        let given = try Given.harbourApp()
        given.when(try propose([], base: .start), refusedBy: .listEmpty(at: "/operations"))
        given.when(
            try propose([Operation(.ios, .minimumApp, .clearThreshold)], base: .start),
            refusedBy: .nothingChanges
        )
    }

    @Test func `a value needs the texts a phone will show with it`() throws {
        let given = try Given.harbourApp()
        let minimum = Operation(.ios, .minimumApp, .setValue(dotted("3")))
        let recommended = Operation(.android, .recommendedApp, .setValue(code(3)))
        given.when(
            try propose([minimum, recommended], base: .start),
            refusedBy: .textMissing(
                Field(.android, .recommendedApp, .text(.description, tag("en")))
            ),
            .textMissing(Field(.android, .recommendedApp, .text(.title, tag("en")))),
            .textMissing(Field(.ios, .minimumApp, .text(.description, tag("en"))))
        )
    }

    @Test func `a text in one language needs the required ones beside it`() throws {
        let given = try Given.harbourApp()
        let welsh = Operation(
            .ios,
            .minimumApp,
            .setText(.title, tag("cy"), try text("Diweddaru"))
        )
        given.when(
            try propose([welsh], base: .start),
            refusedBy: .textMissing(Field(.ios, .minimumApp, .text(.title, tag("en"))))
        )
    }

    @Test func `the value 0 blocks nobody and needs no text`() throws {
        let given = try Given.harbourApp()
        _ = given.when(
            try propose([Operation(.ios, .minimumApp, .setValue(dotted("0")))], base: .start)
        )
    }

    @Test func `only a proposer of the app proposes`() throws {
        let given = try Given.harbourApp()
        for other in [bob, rita, root] {
            given.when(
                try raise(to: "3", base: .start, by: other),
                refusedBy: .roleMissing(.proposer, .app(harbour))
            )
        }
    }

    @Test(arguments: [harbour, slug("nowhere")])
    func `an app that somebody may not see is refused as one that is not`(app: AppSlug) throws {
        let stranger = PrincipalID(UUID())
        let proposal = ProposeChange(
            app: app,
            title: try Title(validating: "A change"),
            reason: nil,
            base: .start,
            operations: [],
            by: stranger
        )
        try Given.harbourApp().when(proposal, refusedBy: .roleMissing(.proposer, .app(app)))
        let past = PastState(position: .start, documents: [:])
        let rollback = RollBack(
            app: app,
            platforms: nil,
            request: .event(.start),
            past: past,
            reason: try Reason(validating: "back"),
            by: stranger
        )
        try Given.harbourApp().when(rollback, refusedBy: .roleMissing(.responder, .app(app)))
    }

    @Test func `an app has so many open changes and no more, until one is decided`() throws {
        var given = try Given.harbourApp()
        let most = ProposeChange.openChangesMaximum
        for number in 1...10 {
            given = given.when(try raise(to: "3.\(number)", base: given.logState.position))
        }
        for number in 11...most { given = given.when(bob, try proposed(number)) }
        #expect(given.logState.openChangeCount(of: harbour) == most)
        given.when(
            try raise(to: "4", base: .start),
            refusedBy: .openChangesFull(harbour, maximum: most)
        )
        let withdrawal = WithdrawChange(
            change: change(7),
            seen: given.digest(change(7)),
            by: alice,
            hash: testHash
        )
        _ = given.when(withdrawal).when(try raise(to: "4", base: .start))
    }

    @Test func `an author has so many open changes of an app, and others have room`() throws {
        var given = try Given.harbourApp()
        let most = ProposeChange.ownChangesMaximum
        for number in 1..<most { given = given.when(alice, try proposed(number)) }
        given = given.when(bob, try proposed(most))
        given = given.when(try raise(to: "3.1", base: .start))
        let refused = try raise(to: "3.2", base: .start)
        given.when(refused, refusedBy: .ownChangesFull(harbour, maximum: most))
        // What an earlier program let through is found permitted still.
        let earlier = given.logState.deciding(by: .original)
        #expect(try !refused.decide(in: earlier, at: testNow).events.isEmpty)
        let withdrawal = WithdrawChange(
            change: change(7),
            seen: given.digest(change(7)),
            by: alice,
            hash: testHash
        )
        _ = given.when(withdrawal).when(refused)
    }

    private func proposed(_ number: Int) throws -> (StreamName, Event) {
        let title = try Title(validating: "Raise the line")
        let event = ChangeEvent.changeProposed(app: harbour, title: title, base: .start)
        return (.change(change(Int64(number))), .change(event))
    }

    @Test func `what somebody else changed since is not undone in silence`() throws {
        var given = try Given.harbourApp()
        let base = given.logState.position
        given = given.when(try raise(to: "3.2.0", base: base))
        given = given.when(given.approve(change(1)))
        let field = Field(.ios, .minimumApp, .value)
        let write = try #require(given.logState.app(harbour)?.lastWrite(of: field))
        #expect(write.actor == bob)
        let stale = try propose(
            [Operation(.ios, .minimumApp, .setValue(dotted("3.1.0")))],
            base: base
        )
        given.when(stale, refusedBy: .changedSince(field, write, base: base))
        let elsewhere = try propose(
            [Operation(.android, .minimumApp, .setText(.title, tag("en"), text("Old")))],
            base: base
        )
        _ = given.when(elsewhere)
    }

    // Goal: a job that imports the same file again and again leaves one open change. Method: the same
    // twice, then another, by the same and by another author, with the places of an app nearly full.
    @Test func `a proposal from the same source takes the place of the author's earlier ones`()
        throws
    {
        let source = try Title(validating: "github.com/acme/app:availability-ios.json")
        func importing(
            _ version: String,
            _ given: Given,
            _ source: Title?,
            by author: PrincipalID = alice
        ) throws -> ProposeChange {
            ProposeChange(
                app: harbour,
                title: try Title(validating: "Import \(version)"),
                reason: nil,
                base: given.logState.position,
                operations: try raise(to: version, base: .start).operations,
                source: source,
                by: author
            )
        }
        let start = try Given.harbourApp()
        let first = start.when(try importing("3.1.0", start, source))
        #expect(first.logState.openChange(change(1))?.source == source)
        first.when(try importing("3.1.0", first, source), refusedBy: .proposedAlready(change(1)))
        let second = first.when(try importing("3.2.0", first, source))
        #expect(second.logState.endOfChange(change(1)) == .withdrawn)
        #expect(second.events.contains { $0.event == .change(.changeSuperseded(by: change(2))) })
        #expect(second.logState.openChanges(of: harbour).map(\.id) == [change(2)])
        #expect(second.logState.openChangeCount(of: harbour) == 1)
        // Neither another source nor none nor another author's is touched.
        let other = try Title(validating: "github.com/acme/app:availability-android.json")
        let third = second.when(try importing("3.3.0", second, other))
        let fourth = third.when(try importing("3.3.0", third, nil))
        let carol = PrincipalID(UUID())
        let joined = fourth.when(
            .system,
            (.access, .access(.principalAdded(carol))),
            (.access, .access(.roleGranted(carol, RoleGrant(.proposer, in: .app(harbour)))))
        )
        let fifth = joined.when(try importing("3.2.0", joined, source, by: carol))
        #expect(fifth.logState.openChanges(of: harbour).count == 4)
        // What is in conflict says the same no more, even in the same words.
        let raised = fifth.when(fifth.approve(change(3)))
        let again = raised.when(try importing("3.2.0", raised, source))
        #expect(again.logState.endOfChange(change(2)) == .withdrawn)
        // A full list has room for what takes another's place.
        var full = again
        while full.logState.openChanges(of: harbour).count(where: { $0.author == alice }) < 100 {
            full = full.when(try importing("9.0.0", full, nil))
        }
        full.when(
            try importing("3.5.0", full, nil),
            refusedBy: .ownChangesFull(harbour, maximum: 100)
        )
        #expect(
            full.when(try importing("3.5.0", full, source)).logState.openChangeCount(of: harbour)
                == 101
        )
    }
}
