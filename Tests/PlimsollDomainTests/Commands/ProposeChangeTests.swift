import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct ProposeChangeTests {
    @Test func `a proposal is recorded with its operations behind it`() throws {
        let given = try Given.harbourApp()
        let command = try raise(to: "3.2.0", base: given.world.position)
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
        let proposal = try raise(to: "3.2.0", base: given.world.position)
        let proposed = try proposal.decide(in: given.world, at: testNow)
        #expect(proposed.reads.isSuperset(of: [.access, .service, .app(harbour)]))
        let next = given.when(proposal)
        let revised = try next.revise(change(1), to: "3.3.0", by: alice)
            .decide(in: next.world, at: testNow)
        #expect(revised.reads.isSuperset(of: [.access, .service, .app(harbour)]))
    }

    @Test func `changes are numbered from 1`() throws {
        var given = try Given.harbourApp()
        given = given.when(try raise(to: "3.2.0", base: given.world.position))
        given = given.when(try raise(to: "3.3.0", base: given.world.position))
        #expect(given.world.openChange(change(1))?.author == alice)
        #expect(given.world.openChange(change(2)) != nil)
        #expect(given.world.nextChange == change(3))
    }

    @Test func `two platforms in twelve languages are split into parts that fit an entry`() throws {
        let given = try Given.harbourApp()
        let long = try text(String(repeating: "\u{1F6A2}", count: 4000))
        let tags = ["ar", "bn", "cy", "en", "gu", "pa", "pl", "ro", "so", "tr", "ur", "zh"]
        let operations = tags.map {
            Operation(.ios, .minimumApp, .setText(.description, tag($0), long))
        }
        let events = try propose(operations, base: given.world.position)
            .decide(in: given.world, at: testNow).events
        let parts = events.compactMap { event -> [PlimsollDomain.Operation]? in
            guard case .change(.operationsAdded(let part)) = event.event else { return nil }
            return part
        }
        #expect(parts.flatMap { $0 } == operations)
        #expect(parts.allSatisfy { $0.count <= 3 })
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
            base: given.world.position.advanced(by: 1)
        )
        given.when(
            command,
            refusedBy: .platformUnknown(harbour, .macos, at: "/operations/0/platform"),
            .thresholdUnknown(.android, .recommendedOS, at: "/operations/1/threshold"),
            .valueOfWrongKind(.dotted, at: "/operations/2/value"),
            .repeated("ios.minimumApp.value", at: "/operations/3"),
            .baseAhead(
                base: given.world.position.advanced(by: 1),
                head: given.world.position
            )
        )
    }

    @Test func `clearing a threshold and writing it in one change is ambiguous`() throws {
        let given = try Given.harbourApp()
        let set = Operation(.ios, .minimumApp, .setValue(dotted("3")))
        let clear = Operation(.ios, .minimumApp, .clearThreshold)
        given.when(
            try propose([set, clear], base: given.world.position),
            refusedBy: .repeated("ios.minimumApp", at: "/operations/1")
        )
        given.when(
            try propose([clear, set], base: given.world.position),
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
            given = given.when(try raise(to: "3.\(number)", base: given.world.position))
        }
        for number in 11...most { given = given.when(bob, try proposed(number)) }
        #expect(given.world.openChangeCount(of: harbour) == most)
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
        let earlier = given.world.deciding(by: .original)
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
        let base = given.world.position
        given = given.when(try raise(to: "3.2.0", base: base))
        given = given.when(given.approve(change(1)))
        let field = Field(.ios, .minimumApp, .value)
        let write = try #require(given.world.app(harbour)?.lastWrite(of: field))
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
}
