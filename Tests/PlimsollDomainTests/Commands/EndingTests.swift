import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What an end takes back, and what it leaves.
@Suite struct EndingTests {
    @Test func `texts that came with a change stay for a minimum that was raised since`() throws {
        let given = try Given.harbourApp().at(testNow)
        let (applied, end) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let ended = applied.when(try block(below: "4.0")).at(noon).when(end)
        #expect(ended.minimum?.value == dotted("4.0"))
        #expect(ended.minimum?.descriptions == [tag("en"): try text("Update to 3.0.0.")])
        let plain = applied.at(noon).when(end)
        #expect(plain.minimum?.isEmpty == true)
    }

    @Test func `what a rollback takes back in part still ends at its time`() throws {
        let given = try Given.settled()
        let words = try text("Update.")
        let android = [
            Operation(.android, .minimumApp, .setValue(code(300))),
            Operation(.android, .minimumApp, .setText(.description, tag("en"), words)),
        ]
        let (applied, end) = try given.boxed(1, try minimum("3.0.0") + android, until: noon)
        let value = Field(.ios, .minimumApp, .value)
        let part = Field(.ios, .minimumApp, .text(.description, tag("en")))
        let parts = [
            try rollBack(to: end.past, platforms: [.ios]),
            try rollBack(to: end.past, fields: [value, part]),
        ]
        for rollback in parts {
            let back = applied.when(rollback)
            #expect(back.minimum?.isEmpty == true)
            #expect(back.logState.endingChange(change(1)) != nil)
            let ended = back.at(noon).when(end)
            #expect(
                ended.logState.app(harbour)?.documents == given.logState.app(harbour)?.documents
            )
        }
        let whole = applied.when(try rollBack(to: end.past, platforms: [.ios, .android]))
        #expect(whole.logState.endingChange(change(1)) == nil)
        whole.at(noon).when(end, refusedBy: .nothingChanges)
    }

    @Test func `what a rollback brought back of a change goes back at its end`() throws {
        let given = try Given.harbourApp().at(testNow)
        let (applied, end) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let back = applied.when(try block(below: "4.0")).when(try rollBack(to: applied.present))
        #expect(back.minimum?.value == dotted("3.0.0"))
        #expect(back.at(noon).when(end).minimum?.isEmpty == true)
    }

    // Goal: a freeze alone keeps nothing for good. Method: rollbacks take a change back and bring it
    // back after its time, in a freeze that its time fell into, at its very beginning too, and in one
    // that came later.
    @Test func `what a freeze has kept from ending ends after it, though it went and came back`()
        throws
    {
        let given = try Given.settled()
        let (applied, end) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let reason = try Reason(validating: "INC-731 is being looked into")
        let freeze = StartFreeze(of: .app(harbour), reason: reason, by: rita)
        let (back, forth) = (try rollBack(to: end.past), try rollBack(to: applied.present))
        for start in [soon, noon] {
            let frozen = applied.at(start).when(freeze).at(evening)
            let restored = frozen.when(back).when(forth)
            #expect(restored.minimum?.value == dotted("3.0.0"))
            let thawed = restored.when(EndFreeze(of: .app(harbour), reason: nil, by: rita))
            #expect(thawed.logState.appointments(dueBy: evening).due.map(\.act) == [.end])
            #expect(thawed.when(end).minimum?.isEmpty == true)
        }
        let late = applied.when(back).at(evening).when(freeze).when(forth)
        #expect(late.minimum?.value == dotted("3.0.0"))
        #expect(late.logState.endingChange(change(1)) == nil)
    }

    @Test func `of two changes with an end, the inner one ends first, and nothing stays`() throws {
        let given = try Given.harbourApp().at(testNow)
        let (outer, end) = try given.boxed(1, try minimum("3.0.0"), until: evening)
        let (inner, innerEnd) = try outer.boxed(2, try minimum("4.0"), until: noon)
        let first = inner.at(noon).when(innerEnd)
        #expect(first.logState.app(harbour)?.documents == outer.logState.app(harbour)?.documents)
        let second = first.at(evening).when(end)
        #expect(second.minimum?.isEmpty == true)
    }

    @Test func `what somebody decided for good stays, though it is what the change had put there`()
        throws
    {
        let given = try Given.harbourApp().at(testNow)
        let (applied, end) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        var decided = applied
        for (id, version) in [(Int64(2), "4.0"), (3, "3.0.0")] {
            decided = decided.when(try raise(to: version, base: decided.logState.position))
            decided = decided.when(decided.approve(change(id)))
        }
        let ended = decided.at(noon).when(end)
        #expect(ended.minimum?.value == dotted("3.0.0"))
    }

    // It would let go of nothing, since nothing is written anew, and be over without a word.
    @Test func `a block does not rest on a minimum that goes back by itself`() throws {
        let given = try Given.harbourApp().at(testNow)
        let (applied, _) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        // Nor on one that is higher: the remedy is the same.
        for version in ["3.0.0", "2.0.0"] {
            applied.when(try block(below: version), refusedBy: .minimumEnds(change(1), noon))
        }
        let revert = reversal(of: change(1), before: given.present, after: applied.present)
        let again = applied.when(revert).when(try block(below: "3.0.0"))
        #expect(again.minimum?.value == dotted("3.0.0"))
        #expect(again.logState.endingChange(change(1)) == nil)
        again.when(try block(below: "3.0.0"), refusedBy: .nothingChanges)
    }

    /// Harbour with offers that ask for 2.0.0, and a change that has them ask for 4.0.0 until noon.
    private func offered(minimum: String? = nil) throws -> (Given, EndChange) {
        var given = try Given.settled().when(
            .system,
            (.app(harbour), .app(.offersReplaced(.ios, [Offer(required: try apple("2.0.0"))])))
        )
        if let minimum {
            let set = AppEvent.thresholdSet(.ios, .minimumApp, dotted(minimum))
            given = given.when(.system, (.app(harbour), .app(set)))
        }
        let raised = Operation(.ios, offers: .set([Offer(required: try apple("4.0.0"))]))
        return try given.boxed(1, [raised], until: noon)
    }

    // Goal: what was blocked stays blocked when offers go back that the block had nothing to do at.
    @Test func `offers that come back ask for no less than what was blocked meanwhile`() throws {
        let (applied, end) = try offered()
        #expect(try applied.at(noon).when(end).offers == [Offer(required: apple("2.0.0"))])
        let blocked = applied.when(try block(below: "3.0"))
        #expect(try blocked.offers == [Offer(required: apple("4.0.0"))])
        let ended = blocked.at(noon).when(end)
        #expect(ended.offers == [Offer(required: OfferVersion(dotted("3.0")))])
        // Whoever repeats the block is told that it holds, and it does.
        blocked.when(try block(below: "3.0"), refusedBy: .nothingChanges)
        let higher = blocked.present
        let raised = blocked.when(try block(below: "3.5")).when(try rollBack(to: higher))
        #expect(raised.at(noon).when(end).offers == ended.offers)
        // A minimum that goes back itself raises nothing that would stay.
        let (boxed, _) = try applied.boxed(2, try minimum("3.0"), until: evening)
        #expect(try boxed.at(noon).when(end).offers == [Offer(required: apple("2.0.0"))])
    }

    // Goal: offers that asked for less than the minimum before are not raised for good by an end
    // or a rollback, which decide nothing.
    @Test func `offers that come back are left alone by a minimum that only came back`() throws {
        let (applied, end) = try offered(minimum: "3.0")
        let (boxed, boxedEnd) = try applied.boxed(2, try minimum("3.5"), until: soon)
        let mistaken = applied.when(try block(below: "3.5"))
        let revert = RevertChange(
            change(2),
            of: harbour,
            before: applied.present,
            after: mistaken.present,
            reason: try Reason(validating: "It was another version"),
            by: rita
        )
        for back in [boxed.at(soon).when(boxedEnd), mistaken.when(revert)] {
            #expect(back.minimum?.value == dotted("3.0"))
            #expect(try back.at(noon).when(end).offers == [Offer(required: apple("2.0.0"))])
            let objection = Objection.offersEnd(.offers(of: .ios), change(1), noon)
            back.when(try block(below: "3.0"), refusedBy: objection)
        }
        // The same minimum, decided on anew.
        let lowered = applied.when(
            .system,
            (.app(harbour), .app(.thresholdSet(.ios, .minimumApp, dotted("2.5"))))
        )
        let ended = lowered.when(try block(below: "3.0")).at(noon).when(end)
        #expect(ended.offers == [Offer(required: OfferVersion(dotted("3.0")))])
    }

    @Test func `a block does not rest on offers that go back by themselves`() throws {
        let (applied, _) = try offered(minimum: "3.0")
        applied.when(
            try block(below: "3.0"),
            refusedBy: .offersEnd(.offers(of: .ios), change(1), noon)
        )
    }

    @Test func `at one time what ends goes back before anything else begins`() throws {
        let given = try Given.harbourApp().at(testNow)
        let next = try given.proposal(
            [Operation(.android, .minimumApp, .setText(.title, tag("en"), text("A")))],
            at: noon
        )
        let (applied, _) = try given.when(next).boxed(2, try minimum("3.0.0"), until: noon)
        let expected = [
            Appointment(at: noon, change: change(2), act: .end),
            Appointment(at: noon, change: change(1), act: .apply),
        ]
        #expect(applied.logState.appointments == expected)
        #expect(applied.logState.appointments(dueBy: noon).due == expected)
    }

    /// Harbour with 3.0.0, and a change that has 3.2.0 there until noon.
    private func raisedUntilNoon() throws -> (Given, EndChange) {
        try Given.settled().raised(1, to: "3.0.0").boxed(2, try minimum("3.2.0"), until: noon)
    }

    // Goal: what is to follow on a change that ends does, without a moment between them.
    @Test func `what was made on a change comes into force when that ends, and stays`() throws {
        let (boxed, end) = try raisedUntilNoon()
        let proposed = boxed.when(try boxed.proposal(try minimum("3.3.0"), at: noon))
        let waiting = proposed.when(proposed.approve(change(3)))
        let follower = try #require(waiting.logState.openChange(change(3)))
        #expect(waiting.logState.changesEnding(under: follower) == [])
        let due = waiting.logState.appointments(dueBy: noon).due
        #expect(due.map(\.change) == [change(3), change(2)])
        let applied = waiting.at(noon).when(ApplyDueChange(change: change(3), hash: testHash))
        let ended = applied.when(end)
        #expect(ended.minimum == applied.minimum)
        #expect(ended.minimum?.value == dotted("3.3.0"))
    }

    // Goal: nobody waits for a change that cannot come. Method: it begins after the end of what it was
    // made on, or just then for a time of its own, which would bring that back.
    @Test func `a change says which one takes back before its time what it was made on`() throws {
        let (boxed, end) = try raisedUntilNoon()
        let times = [(evening, nil), (noon, evening)] as [(Instant, Instant?)]
        for (start, until) in times {
            let proposed = boxed.when(
                try boxed.proposal(try minimum("3.3.0"), at: start, until: until)
            )
            let waiting = proposed.when(proposed.approve(change(3)))
            let follower = try #require(waiting.logState.openChange(change(3)))
            #expect(waiting.logState.changesEnding(under: follower) == [change(2)])
            #expect(waiting.logState.appointments.first?.act == .end)
            let due = ApplyDueChange(change: change(3), hash: testHash)
            waiting.at(noon).when(end).at(start)
                .when(due, then: [.change(.changeSuspended(.conflict))])
        }
        let other = Operation(.android, .minimumApp, .setText(.title, tag("en"), try text("A")))
        let beside = boxed.when(try boxed.proposal([other], at: evening))
        let unconcerned = try #require(beside.logState.openChange(change(3)))
        #expect(beside.logState.changesEnding(under: unconcerned) == [])
    }

    @Test func `what was made before a change comes into force behind its end`() throws {
        let given = try Given.settled().raised(1, to: "3.0.0")
        let proposed = given.when(try given.proposal(try minimum("3.3.0"), at: noon))
        let waiting = proposed.when(proposed.approve(change(2)))
        let (boxed, end) = try waiting.boxed(3, try minimum("3.2.0"), until: noon)
        let due = boxed.logState.appointments(dueBy: noon).due
        #expect(due.map(\.change) == [change(3), change(2)])
        let applied = boxed.at(noon).when(end)
            .when(ApplyDueChange(change: change(2), hash: testHash))
        #expect(applied.minimum?.value == dotted("3.3.0"))
    }

    // Goal: nobody takes a block for a mark that is passed by itself later. Method: the minimum is lower
    // until noon, and a block lies between the two.
    @Test func `what is blocked stays for good, and it is known what does not come back`() throws {
        let given = try Given.settled().raised(1, to: "3.0.0")
        let lower = [Operation(.ios, .minimumApp, .setValue(dotted("2.0.0")))]
        let (lowered, end) = try given.boxed(2, lower, until: noon)
        #expect(lowered.at(noon).when(end).minimum?.value == dotted("3.0.0"))
        let blocked = lowered.when(try block(below: "2.5.0"))
        func overruled(since given: Given) -> [[Field]] {
            blocked.logState.endingsOverruled(of: harbour, since: given.logState.position)
                .map(\.fields)
        }
        #expect(overruled(since: lowered) == [[Field(.ios, .minimumApp, .value)]])
        #expect(overruled(since: blocked) == [])
        #expect(blocked.at(noon).when(end).minimum?.value == dotted("2.5.0"))
    }
}
