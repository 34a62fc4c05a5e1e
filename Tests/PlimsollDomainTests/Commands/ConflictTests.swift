import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Revising a change of which others wrote some fields after its base.
@Suite struct ConflictTests {
    private let value = Field(.ios, .minimumApp, .value)
    private let words = Field(.ios, .minimumApp, .text(.description, tag("en")))

    /// Change 1 raises to 3.2.0; change 2, of the same base, went to 3.3.0 first.
    private func overtaken() throws -> Given {
        let given = try Given.harbourApp()
        let base = given.logState.position
        let both = given.when(try raise(to: "3.2.0", base: base))
            .when(try raise(to: "3.3.0", base: base))
        return both.when(both.approve(change(2)))
    }

    private func revision(
        in given: Given,
        _ operations: [Operation],
        _ resolve: [Field: ConflictChoice] = [:],
        base: Position? = nil
    ) -> ReviseChange {
        ReviseChange(
            change: change(1),
            seen: given.digest(change(1)),
            title: nil,
            base: base ?? given.logState.position,
            operations: operations,
            resolve: resolve,
            reason: nil,
            by: alice,
            hash: testHash
        )
    }

    @Test func `a field that others wrote is not written over unless somebody says so`() throws {
        let given = try overtaken()
        let base = try #require(given.logState.openChange(change(1))).base
        let app = try #require(given.logState.app(harbour))
        let operations = try raise(to: "3.4.0", base: base).operations
        let conflicts = try [words, value].map { field in
            Objection.changedSince(field, try #require(app.lastWrite(of: field)), base: base)
        }
        do throws(Refusal) {
            _ = try revision(in: given, operations).decide(in: given.logState, at: testNow)
            Issue.record("it was accepted")
        } catch {
            #expect(error.objections == conflicts)
        }
        let answered = revision(in: given, operations, [value: .mine])
        given.when(answered, refusedBy: conflicts[0])
        let old = revision(in: given, operations, [value: .mine], base: base)
        given.when(old, refusedBy: conflicts[0])
    }

    @Test func `mine is what the change says, theirs is what is live`() throws {
        let given = try overtaken()
        let base = try #require(given.logState.openChange(change(1))).base
        let operations = try raise(to: "3.4.0", base: base).operations
        for base in [base, given.logState.position] {
            let choices = [value: ConflictChoice.mine, words: .theirs]
            let revised = given.when(revision(in: given, operations, choices, base: base))
            let applied = revised.when(revised.approve(change(1)))
            #expect(applied.minimum?.value == dotted("3.4.0"))
            #expect(applied.minimum?.descriptions == [tag("en"): try text("Update to 3.3.0.")])
        }
        let clear = [Operation(.ios, .minimumApp, .clearThreshold)]
        let kept = given.when(revision(in: given, clear, [value: .mine, words: .theirs]))
        let cleared = kept.when(kept.approve(change(1)))
        #expect(cleared.minimum?.value == nil)
        #expect(cleared.minimum?.descriptions.count == 1)
        given.when(
            revision(in: given, operations, [value: .theirs, words: .theirs]),
            refusedBy: .nothingChanges
        )
    }

    @Test func `a fault is told where it was sent, whatever is left to others`() throws {
        let given = try overtaken()
        let base = given.logState.position
        let first = Operation(.ios, .minimumApp, .setValue(dotted("3.4.0")))
        let wrong = Operation(.ios, .recommendedApp, .setValue(code(7)))
        given.when(
            revision(in: given, [first, wrong], [value: .theirs, words: .theirs], base: base),
            refusedBy: .valueOfWrongKind(.dotted, at: "/operations/1/value")
        )
        let none = Operation(.ios, offers: .remove(0))
        given.when(
            revision(in: given, [first, none], [value: .theirs, words: .theirs], base: base),
            refusedBy: .offerPlaceMissing(
                .ios,
                OfferPlaceMissing(place: 0, count: 0),
                at: "/operations/1"
            )
        )
        given.when(
            revision(in: given, [], base: base),
            refusedBy: .listEmpty(at: "/operations")
        )
    }

    // Whoever asks for the document at the base of a revision sees what was answered for.
    @Test func `the base of an answered revision ends an append`() throws {
        let given = try overtaken()
        let base = try #require(given.logState.openChange(change(1))).base
        let operations = try raise(to: "3.4.0", base: base).operations
        let choices = [value: ConflictChoice.mine, words: .mine]
        let revised = given.when(revision(in: given, operations, choices, base: base))
        #expect(revised.logState.openChange(change(1))?.base == given.logState.position)
        let plain = try Given.harbourApp().when(raise(to: "3.2.0", base: .start))
        let kept = plain.when(revision(in: plain, operations, base: .start))
        #expect(kept.logState.openChange(change(1))?.base == .start)
    }

    @Test func `what was answered for once is in conflict again when others write it again`()
        throws
    {
        let given = try overtaken()
        let operations = try raise(to: "3.4.0", base: given.logState.position).operations
        let revised = given.when(
            revision(in: given, operations, [value: .mine, words: .mine])
        )
        let moved = revised.when(try block(below: "3.3.5"))
        let write = try #require(moved.logState.app(harbour)?.lastWrite(of: value))
        let base = try #require(moved.logState.openChange(change(1))).base
        moved.when(
            revision(in: moved, operations),
            refusedBy: .changedSince(value, write, base: base)
        )
    }

    @Test func `a conflict is told with who wrote the field, and why`() throws {
        let write = FieldWrite(
            position: Position(9),
            actor: rita,
            recordedAt: testNow,
            reason: try Reason(validating: "3.1 loses bookings")
        )
        let conflict = Objection.changedSince(value, write, base: Position(4))
        #expect(conflict.detail.contains("\(rita) (3.1 loses bookings), after the position 4"))
        #expect(conflict.remedy.contains("mine"))
    }

    // Goal: only what is different is a conflict. Method: another change goes first, and is taken
    // back; what it wrote stands there as it did when this one was made.
    @Test func `a field that holds again what it held is no conflict`() throws {
        let given = try overtaken()
        let base = try #require(given.logState.openChange(change(1))).base
        let app = try #require(given.logState.app(harbour))
        #expect(app.hasMoved(under: try #require(given.logState.openChange(change(1)))))
        let empty = PastState(position: base, documents: [:])
        let after = given.present
        let revert = reversal(of: change(2), before: empty, after: after)
        // Nothing stood there before; something else has to, so that the document is not emptied.
        let other = given.when(
            .system,
            (.app(harbour), .app(.thresholdSet(.ios, .minimumOS, dotted("12"))))
        )
        let back = other.when(revert)
        let restored = try #require(back.logState.app(harbour))
        #expect(!restored.hasMoved(under: try #require(back.logState.openChange(change(1)))))
        let applied = back.when(back.approve(change(1)))
        #expect(applied.minimum?.value == dotted("3.2.0"))
    }

    // Goal: nobody is surprised at the time of a change. Method: a block writes the minimum of one
    // that waits for its time; the block is taken back, and the change comes into force after all.
    @Test func `a block says which scheduled change it overtakes, and taking it back mends that`()
        throws
    {
        let given = try Given.settled().when(try raise(to: "3.0.0", base: .start))
        let raised = given.when(given.approve(change(1)))
        let proposal = try propose(minimum("3.3.0"), base: raised.logState.position, at: noon)
        let proposed = raised.when(proposal)
        let waiting = proposed.when(proposed.approve(change(2)))
        let command = try block(below: "3.2.0")
        let events = try command.decide(in: waiting.logState, at: testNow).events
        #expect(events.count { $0.event == .change(.changeOvertaken(by: change(3))) } == 1)
        let blocked = waiting.when(command)
        let due = ApplyDueChange(change: change(2), hash: testHash)
        blocked.at(noon).when(due, then: [.change(.changeSuspended(.conflict))])
        // A second block finds it in conflict already.
        let again = try block(below: "3.2.1").decide(in: blocked.logState, at: testNow).events
        #expect(!again.contains { $0.event == .change(.changeOvertaken(by: change(4))) })
        let reverted = blocked.when(
            reversal(of: change(3), before: waiting.present, after: blocked.present)
        )
        #expect(reverted.logState.openChange(change(2))?.state == .proposed)
        let applied = reverted.at(noon).when(due)
        #expect(applied.minimum?.value == dotted("3.3.0"))
    }

    @Test func `what was scheduled on top of what is reverted waits for somebody's word`() throws {
        let given = try Given.settled().when(try raise(to: "3.0.0", base: .start))
        let first = given.when(given.approve(change(1)))
        let raised = first.when(try raise(to: "3.1.0", base: first.logState.position))
        let second = raised.when(raised.approve(change(2)))
        let proposal = try propose(minimum("3.3.0"), base: second.logState.position, at: noon)
        let reverted = second.when(proposal).when(
            reversal(of: change(2), before: first.present, after: second.present)
        )
        #expect(reverted.logState.openChange(change(3))?.suspension == .rollback)
    }

    // Goal: a proposal made on an old base compares what stands, not who wrote. Method: the minimum
    // goes up and comes back after the base; only with what stood there then is that known.
    @Test func `a field that holds again what it held at an old base may be proposed and revised`()
        throws
    {
        let given = try Given.settled().raised(1, to: "3.0.0")
        let (base, past) = (given.logState.position, given.present)
        let back = try given.raised(2, to: "3.5.0").raised(3, to: "3.0.0")
        func proposal(_ past: PastState?) throws -> ProposeChange {
            ProposeChange(
                app: harbour,
                title: try Title(validating: "Old base"),
                reason: nil,
                base: base,
                operations: try minimum("3.2.0"),
                past: past,
                by: alice
            )
        }
        let conflicts = try [words, value].map { field in
            let write = try #require(back.logState.app(harbour)?.lastWrite(of: field))
            return Objection.changedSince(field, write, base: base)
        }
        back.when(try proposal(nil), refusedBy: conflicts[0], conflicts[1])
        let original = back.logState.deciding(by: .original)
        #expect(throws: Refusal(conflicts)) {
            try proposal(past).decide(in: original, at: testNow)
        }
        let proposed = back.when(try proposal(past))
        #expect(proposed.logState.openChange(change(4))?.base == base)
        let revision = ReviseChange(
            change: change(4),
            seen: proposed.digest(change(4)),
            title: nil,
            base: base,
            operations: try minimum("3.3.0"),
            past: past,
            reason: nil,
            by: alice,
            hash: testHash
        )
        let revised = proposed.when(revision)
        #expect(revised.logState.openChange(change(4))?.base == base)
        #expect(revised.when(revised.approve(change(4))).minimum?.value == dotted("3.3.0"))
        // What really moved is a conflict with it as without.
        let moved = try given.raised(2, to: "3.5.0")
        #expect(throws: Refusal.self) { try proposal(past).decide(in: moved.logState, at: testNow) }
    }

    // Goal: whoever waits for a time is told as well where a change ends by itself.
    @Test func `the end of a change says which scheduled change it overtakes`() throws {
        let start = try Given.settled().raised(1, to: "3.0.0")
        let (boxed, end) = try start.boxed(2, try minimum("3.2.0"), until: noon)
        let proposal = try propose(minimum("3.3.0"), base: boxed.logState.position, at: evening)
        let proposed = boxed.when(proposal)
        let waiting = proposed.when(proposed.approve(change(3)))
        let events = try end.decide(in: waiting.logState, at: noon).events.map(\.event)
        #expect(events.last == .change(.changeEnded(app: harbour)))
        #expect(events.contains(.change(.changeOvertaken(by: change(2)))))
        let original = try end.decide(in: waiting.logState.deciding(by: .original), at: noon)
        #expect(!original.events.map(\.event).contains(.change(.changeOvertaken(by: change(2)))))
    }

    @Test func `a change that would clear the threshold is overtaken too`() throws {
        let raised = try Given.settled().raised(1, to: "3.0.0")
        let proposed = raised.when(
            try raised.proposal([Operation(.ios, .minimumApp, .clearThreshold)], at: noon)
        )
        let waiting = proposed.when(proposed.approve(change(2)))
        let events = try block(below: "3.2.0").decide(in: waiting.logState, at: testNow).events
        #expect(events.map(\.event).contains(.change(.changeOvertaken(by: change(3)))))
    }
}
