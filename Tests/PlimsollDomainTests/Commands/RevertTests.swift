import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What taking one change back takes back, and what it leaves alone.
@Suite struct RevertTests {
    private let value = Field(.ios, .minimumApp, .value)
    private let words = Field(.ios, .minimumApp, .text(.description, tag("en")))
    private let title: Operation
    private let settled: Given
    private let raised: Given

    /// Change 1 sets 3.0.0, and change 2 sets 3.1.0.
    init() throws {
        title = Operation(.ios, .minimumApp, .setText(.title, tag("en"), try text("Update")))
        let first = Self.applied(try Given.settled(), 1, try minimum("3.0.0"))
        settled = first
        raised = Self.applied(first, 2, try minimum("3.1.0"))
    }

    private static func applied(
        _ given: Given,
        _ number: Int64,
        _ operations: [Operation],
        by author: PrincipalID = alice
    ) -> Given {
        guard let proposal = try? propose(operations, base: given.logState.position, by: author)
        else { preconditionFailure("the operations can be proposed") }
        let proposed = given.when(proposal)
        return proposed.when(proposed.approve(change(number)))
    }

    private func revert(
        _ keep: [Field] = [],
        by principal: PrincipalID = rita
    ) throws
        -> RevertChange
    {
        RevertChange(
            change(2),
            of: harbour,
            before: settled.present,
            after: raised.present,
            keep: keep,
            reason: try Reason(validating: "3.1.0 is not in the store"),
            by: principal
        )
    }

    // Goal: what one change did can be taken back also where nothing held anybody back before it:
    // by an app's first block, and by one beside offers alone.
    @Test func `a change before which there were offers alone, or nothing, is taken back`() throws {
        let offers = [Operation(.ios, offers: .set([Offer(required: try apple("3.0.0"))]))]
        let empty = try Given.harbourApp().at(testNow)
        for given in [empty, Self.applied(empty, 1, offers)] {
            let number: Int64 = given.logState.position == empty.logState.position ? 1 : 2
            let held = Self.applied(given, number, try minimum("3.0.0"))
            let revert = reversal(of: change(number), before: given.present, after: held.present)
            #expect(
                held.when(revert).logState.app(harbour)?.documents
                    == given.logState.app(harbour)?.documents
            )
        }
    }

    @Test func `a rollback to offers alone takes a minimum away`() throws {
        let offers = [Operation(.ios, offers: .set([Offer(required: try apple("3.0.0"))]))]
        let given = Self.applied(try Given.harbourApp().at(testNow), 1, offers)
        let held = Self.applied(given, 2, try minimum("3.0.0"))
        let back = RollBack(
            app: harbour,
            request: .beforeChange(change(2)),
            past: given.present,
            reason: nil,
            by: rita
        )
        #expect(
            held.when(back).logState.app(harbour)?.documents
                == given.logState.app(harbour)?.documents
        )
        // Yesterday's log left the platform as it was.
        let original = held.logState.deciding(by: .original)
        #expect(throws: Refusal.self) { try back.decide(in: original, at: testNow) }
    }

    // Goal: nobody takes back in silence what somebody else decided later, if it says the same.
    @Test func `what another change wrote again since is in conflict`() throws {
        let other = Self.applied(raised, 3, try minimum("3.2.0"))
        let again = Self.applied(other, 4, try minimum("3.1.0"))
        let app = try #require(again.logState.app(harbour))
        again.when(
            try revert(),
            refusedBy: .overwritten(words, app.lastWrite(of: words), change(2)),
            .overwritten(value, app.lastWrite(of: value), change(2))
        )
        let original = again.logState.deciding(by: .original)
        #expect(try !revert().decide(in: original, at: testNow).events.isEmpty)
        again.when(try revert([value, words]), refusedBy: .nothingChanges)
    }

    @Test func `it takes back what the change wrote, and nothing that came after it`() throws {
        let later = Self.applied(raised, 3, [title])
        let reverted = later.when(try revert())
        let threshold = try #require(reverted.minimum)
        #expect(threshold.value == dotted("3.0.0"))
        #expect(threshold.descriptions[tag("en")]?.text == "Update to 3.0.0.")
        #expect(threshold.titles[tag("en")]?.text == "Update")
        let app = reverted.logState.app(harbour)
        #expect(app?.undoing(of: change(2))?.actor == rita)
        #expect(app?.undoing(of: change(1)) == nil && app?.undoing(of: change(3)) == nil)
    }

    @Test func `the log says which fields of which change went back`() throws {
        let app = StreamName.app(harbour)
        let record = RollbackRecord(
            target: settled.logState.position,
            request: .revert(change(2)),
            platforms: [.ios],
            fields: [words, value]
        )
        let decision = try revert().decide(in: raised.logState, at: testNow)
        #expect(decision.events.first?.event == .app(.rolledBack(record)))
        #expect(decision.events.allSatisfy { $0.stream == app })
    }

    @Test func `a field that others wrote since is named, and stays where it is to be kept`()
        throws
    {
        let later = Self.applied(
            raised,
            3,
            [Operation(.ios, .minimumApp, .setValue(dotted("3.2.0")))]
        )
        let write = later.logState.app(harbour)?.lastWrite(of: value)
        later.when(try revert(), refusedBy: .overwritten(value, write, change(2)))
        let reverted = later.when(try revert([value]))
        #expect(reverted.minimum?.value == dotted("3.2.0"))
        #expect(reverted.minimum?.descriptions[tag("en")]?.text == "Update to 3.0.0.")
        #expect(reverted.logState.app(harbour)?.undoing(of: change(2)) != nil)
    }

    @Test func `what went back already is no conflict, and twice changes nothing`() throws {
        let back = raised.when(try rollBack(to: settled.present, fields: [value]))
        let reverted = back.when(try revert())
        #expect(reverted.minimum == settled.minimum)
        reverted.when(try revert(), refusedBy: .nothingChanges)
        raised.when(try revert([value, words]), refusedBy: .nothingChanges)
    }

    @Test func `only a responder does it, and keeps what the change wrote`() throws {
        raised.when(try revert(by: alice), refusedBy: .roleMissing(.responder, .app(harbour)))
        let other = Field(.ios, .minimumOS, .value)
        raised.when(try revert([other]), refusedBy: .notWritten(other, change(2), at: "/keep/0"))
    }

    @Test func `a change of more fields than a rollback names goes back with everything`() throws {
        // Reserved for private use, so that no two of them are one language.
        let languages =
            ["en"]
            + "abcdefghijklmnopqrst".flatMap { second in
                "abcdefghijklmnopqrstuvwxyz".map { "q\(second)\($0)" }
            }
        let edits = try languages.prefix(RollBack.fieldsMaximum / 2 + 1).flatMap { language in
            try [TextPart.title, .description].map { part in
                Operation(
                    .ios,
                    .recommendedApp,
                    .setText(part, tag(language), try text("New: \(language)"))
                )
            }
        }
        let given = Self.applied(settled, 2, edits)
        let revert = reversal(of: change(2), before: settled.present, after: given.present)
        given.when(revert, refusedBy: .listTooLong(maximum: RollBack.fieldsMaximum, at: "/to"))
    }

    @Test func `a later rollback brings back what was reverted`() throws {
        let reverted = raised.when(try revert())
        let restored = reverted.when(try rollBack(to: raised.present))
        #expect(restored.minimum == raised.minimum)
        #expect(restored.logState.app(harbour)?.undoing(of: change(2)) == nil)
    }

    @Test func `a change that was reverted does not end any more`() throws {
        let (boxed, _) = try settled.boxed(2, try minimum("3.1.0"), until: noon)
        let command = reversal(of: change(2), before: settled.present, after: boxed.present)
        let reverted = boxed.when(command)
        #expect(boxed.logState.endingChange(change(2)) != nil)
        #expect(reverted.logState.endingChange(change(2)) == nil)
    }

    // Goal: nobody takes back other people's work unknowingly. Method: beside the change that is
    // named, one of the responder's own and one of somebody else's.
    @Test func `a rollback over changes of others is refused where they were counted wrongly`()
        throws
    {
        let own = raised.when(
            .system,
            (.access, .access(.roleGranted(rita, RoleGrant(.proposer, in: .app(harbour)))))
        )
        let mine = Self.applied(own, 3, try minimum("3.2.0"), by: rita)
        let given = Self.applied(mine, 4, try minimum("3.3.0"))
        func back(_ count: Int?, to request: RollbackTarget) throws -> RollBack {
            RollBack(
                app: harbour,
                request: request,
                past: settled.present,
                undoing: count,
                reason: try Reason(validating: "Back"),
                by: rita
            )
        }
        let event = RollbackTarget.event(settled.logState.position)
        let both = [change(2), change(4)]
        given.when(try back(0, to: event), refusedBy: .undoesOthers(both, counted: 0))
        given.when(try back(3, to: event), refusedBy: .undoesOthers(both, counted: 3))
        let named = RollbackTarget.beforeChange(change(2))
        given.when(try back(2, to: named), refusedBy: .undoesOthers([change(4)], counted: 2))
        for (count, request) in [(nil, event), (2, event), (1, named)] as [(Int?, RollbackTarget)] {
            #expect(given.when(try back(count, to: request)).minimum == settled.minimum)
        }
    }

    // Goal: nobody believes to have got rid of what comes back at the end of another change. Method: a
    // change lies over the one that is reverted until noon, and what it says is kept.
    @Test func `what is kept under a change that ends goes back with that, and is known to`()
        throws
    {
        let higher = [Operation(.ios, .minimumApp, .setValue(dotted("3.2.0")))]
        let (boxed, end) = try raised.boxed(3, higher, until: noon)
        let reverted = boxed.when(try revert([value]))
        #expect(reverted.minimum?.value == dotted("3.2.0"))
        #expect(reverted.logState.changesHolding([value], of: harbour) == [change(3)])
        #expect(reverted.logState.changesHolding([], of: harbour) == [])
        #expect(reverted.at(noon).when(end).minimum?.value == dotted("3.1.0"))
        // What lies over it for good brings nothing back.
        let permanent = Self.applied(raised, 3, higher)
        #expect(permanent.logState.changesHolding([value], of: harbour) == [])
    }

    // Goal: a minimum that comes back says which offers it puts in conflict, as any other does.
    @Test func `what is in conflict with a minimum that comes back is known`() throws {
        let given = try settled.raised(2, to: "2.0.0")
        let lower = Operation(.ios, offers: .set([Offer(required: try apple("2.0.0"))]))
        let waiting = given.when(try given.proposal([lower], at: noon))
        let back = waiting.when(try rollBack(to: settled.present, fields: [value]))
        for (field, moved) in [(value, [change(3)]), (words, [])] {
            let found = waiting.logState.changesMoved(by: [field], of: harbour, in: back.logState)
            #expect(found == moved)
        }
    }
}
