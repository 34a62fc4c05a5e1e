import PlimsollDomain
import PlimsollTestSupport
import Testing

extension DecisionAuditTests {
    @Test mutating func `a revision that wrote over what others wrote follows`() throws {
        try propose("15.0")
        try propose("16.0")
        try approve(ChangeID.first.next, by: bob)
        let fields = [
            Field(.ios, .minimumApp, .value),
            Field(.ios, .minimumApp, .text(.description, tag("en"))),
        ]
        let revision = ReviseChange(
            change: .first,
            seen: try hash(of: .first),
            title: nil,
            base: .start,
            operations: try raise(to: "17.0", base: .start).operations,
            resolve: Dictionary(uniqueKeysWithValues: fields.map { ($0, .mine) }),
            reason: alice.origin.reason,
            by: alice.principal,
            hash: testHash
        )
        try perform(revision, alice.origin)
        #expect(doubt() == nil)
    }

    @Test mutating func `a proposal that takes the place of another from its source follows`()
        throws
    {
        let source = try Title(validating: "github.com/acme/app")
        for version in ["15.0", "16.0"] {
            let proposal = ProposeChange(
                app: harbour,
                title: source,
                reason: alice.origin.reason,
                base: logState.position,
                operations: try raise(to: version, base: .start).operations,
                source: source,
                by: alice.principal
            )
            try perform(proposal, alice.origin)
        }
        #expect(logState.openChanges(of: harbour).count == 1)
        #expect(doubt() == nil)
        // Nobody takes another one's change away like that.
        try admit(bob, [.proposer])
        record(
            [
                (
                    .change(change(3)),
                    .change(.changeProposed(app: harbour, title: source, base: .start))
                ),
                (
                    .change(change(3)),
                    .change(.operationsAdded(try raise(to: "17.0", base: .start).operations))
                ),
                (.change(change(2)), .change(.changeSuperseded(by: change(3)))),
                (.change(change(3)), .change(.changeSourced(source))),
            ],
            bob.origin
        )
        #expect(doubt() != nil)
    }

    // Goal: the auditor compares what stood at the base of a proposal, as the service does.
    @Test mutating func `a proposal on an old base follows where its fields hold what they held`()
        throws
    {
        try propose("15.0")
        try approve(.first, by: bob)
        let (base, past) = (logState.position, try present())
        for version in ["16.0", "15.0"] {
            try propose(version)
            try approve(try #require(logState.openChanges(of: harbour).last).id, by: bob)
        }
        let proposal = ProposeChange(
            app: harbour,
            title: try Title(validating: "Old base"),
            reason: alice.origin.reason,
            base: base,
            operations: try raise(to: "17.0", base: .start).operations,
            past: past,
            by: alice.principal
        )
        try perform(proposal, alice.origin)
        #expect(doubt() == nil)
    }

    // Goal: the record of a revert says what was taken back of which change, and nothing more.
    @Test mutating func `a revert that kept a field follows, and one that goes further does not`()
        throws
    {
        try propose("15.0")
        try approve(.first, by: bob)
        let before = try present()
        try propose("16.0")
        try approve(ChangeID.first.next, by: bob)
        let words = Field(.ios, .minimumApp, .text(.description, tag("en")))
        let revert = RevertChange(
            ChangeID.first.next,
            of: harbour,
            before: before,
            after: try present(),
            keep: [words],
            reason: bob.origin.reason,
            by: bob.principal
        )
        try perform(revert, bob.origin)
        #expect(doubt() == nil)
        let record = RollbackRecord(
            target: before.position,
            request: .revert(ChangeID.first.next),
            platforms: [.ios],
            fields: [words, Field(.ios, .minimumApp, .value), Field(.ios, .minimumOS, .value)]
        )
        self.record(
            [
                (.app(harbour), .app(.rolledBack(record))),
                (.app(harbour), .app(.thresholdSet(.ios, .minimumOS, dotted("12")))),
            ],
            bob.origin
        )
        #expect(doubt()?.reason == .another)
    }

    private func present() throws -> PastState {
        PastState(
            position: logState.position,
            documents: try #require(logState.app(harbour)).documents
        )
    }

    // Goal: a log of before compares positions, and says nothing of what was overtaken. Method: a
    // scheduled change is suspended although its field holds again what it held.
    @Test mutating func `what was decided before values were compared follows`() throws {
        try propose("15.0")
        try approve(.first, by: bob)
        let due = now.advanced(by: .seconds(7200))
        let proposal = ProposeChange(
            app: harbour,
            title: try Title(validating: "Later"),
            reason: alice.origin.reason,
            base: logState.position,
            operations: try raise(to: "17.0", base: .start).operations,
            schedule: Schedule(at: due, until: nil, timeZone: .utc),
            by: alice.principal
        )
        try perform(proposal, alice.origin)
        for version in ["16.0", "15.0"] {
            try propose(version)
            let id = try #require(logState.openChanges(of: harbour).last).id
            try approve(id, by: bob, under: .original)
        }
        #expect(doubt() == nil)
        let suspended = Event.change(.changeSuspended(.conflict))
        record([(.change(ChangeID.first.next), suspended)], service, due)
        #expect(doubt() == nil)
    }

    // Method: what it wants to end after finds again what stood at its base, put there by a change
    // with an end that comes sooner.
    @Test mutating func `what outlived another before that was asked follows`() throws {
        func end(in hours: Int) -> Instant { now.advanced(by: .seconds(hours * 3600)) }
        try propose("15.0")
        try approve(.first, by: bob)
        let raised = try raise(to: "17.0", base: .start).operations
        try proposeUntil(end(in: 2), raised)
        try propose("16.0")
        try approve(change(3), by: bob)
        try proposeUntil(end(in: 1), try raise(to: "15.0", base: .start).operations)
        try approve(change(4), by: bob)
        #expect(throws: Refusal.self) { try approve(change(2), by: bob) }
        try approve(change(2), by: bob, under: .ignoringEnds)
        #expect(doubt() == nil)
    }

    // Method: a block finds offers that ask for enough, and an end brings back those of before.
    @Test mutating func `an end that let offers ask for less than a block follows as it was`()
        throws
    {
        let offers = try ["2.0.0", "4.0.0"].map { version in
            Operation(.ios, offers: .set([Offer(required: try apple(version))]))
        }
        try perform(
            PlimsollTestSupport.propose(
                [offers[0]],
                base: logState.position,
                by: alice.principal
            ),
            alice.origin
        )
        try approve(.first, by: bob)
        let end = now.advanced(by: .seconds(3600))
        try proposeUntil(end, [offers[1]])
        let past = PastState(
            position: logState.position,
            documents: logState.app(harbour)?.documents ?? [:]
        )
        try approve(change(2), by: bob)
        try perform(try block(below: "3.0", by: bob.principal), bob.origin)
        let before = (events, logState)
        for strictness in [Strictness.full, .forgettingBlocks] {
            (events, logState) = before
            let ended = try EndChange(change: change(2), past: past)
                .decide(in: logState.deciding(by: strictness), at: end).events
            record(ended.map { ($0.stream, $0.event) }, service, end)
            #expect(doubt() == nil)
        }
        let live = logState.app(harbour)?.document(.ios).offers
        #expect(try live == [Offer(required: apple("2.0.0"))])
    }

    // Goal: what an older program let stay stays. Method: rollbacks take a change back and bring it
    // back, after its time and in a freeze that its time fell into.
    @Test mutating func `a rollback that says of no freeze is read as it was`() throws {
        try propose("15.0")
        try approve(.first, by: bob)
        let before = try present()
        let end = now.advanced(by: .seconds(3600))
        try proposeUntil(end, try raise(to: "17.0", base: .start).operations)
        try approve(change(2), by: bob)
        let states = [before, try present()]
        let reason = try Reason(validating: "Because.")
        let freeze = StartFreeze(of: .app(harbour), reason: reason, by: bob.principal)
        try perform(freeze, bob.origin)
        let frozen = (events, logState)
        for (strictness, ends) in [(Strictness.full, true), (.droppingEnds, false)] {
            (events, logState) = frozen
            for past in states {
                let rollback = RollBack(
                    app: harbour,
                    request: .event(past.position),
                    past: past,
                    reason: bob.origin.reason,
                    by: bob.principal
                )
                let decided = try rollback.decide(in: logState.deciding(by: strictness), at: end)
                record(decided.events.map { ($0.stream, $0.event) }, bob.origin, end)
            }
            #expect(doubt() == nil)
            #expect((logState.endingChange(change(2)) != nil) == ends)
        }
    }

    /// An approval as it was given by rules of before.
    mutating func approve(
        _ id: ChangeID,
        by person: Person,
        under strictness: Strictness
    ) throws {
        let approval = try approval(of: id, seen: hash(of: id), by: person.principal)
        let decided = try approval.decide(in: logState.deciding(by: strictness), at: now)
        record(decided.events.map { ($0.stream, $0.event) }, person.origin)
    }

    private mutating func proposeUntil(_ end: Instant, _ operations: [Operation]) throws {
        let proposal = try PlimsollTestSupport.propose(
            operations,
            base: logState.position,
            until: end,
            by: alice.principal
        )
        try perform(proposal, alice.origin)
    }
}
