import PlimsollDomain
import PlimsollTestSupport
import Testing

extension DecisionAuditTests {
    // A version of iOS in an offer for Android can only have been put there behind the service's
    // back; a known release has the checks look at what the minimum and the offers say together.
    @Test mutating func `an offer that another platform writes is named, not compared`() throws {
        let facts = ReleaseFacts(liveSince: Instant(millisecondsSince1970: 0))
        let release = Release(platform: .android, version: code(320), facts: facts)
        try perform(
            RegisterRelease(release, of: harbour, reason: nil, by: alice.principal),
            alice.origin
        )
        let foreign = try apple("3.2.0")
        let operations = [
            Operation(.android, .minimumApp, .setValue(code(320))),
            Operation(
                .android,
                .minimumApp,
                .setText(.description, tag("en"), try text("Update."))
            ), Operation(.android, offers: .set([Offer(required: foreign)])),
        ]
        let title = try Title(validating: "Slipped in")
        let (stream, base) = (StreamName.change(.first), logState.position)
        record(
            [
                (stream, .change(.changeProposed(app: harbour, title: title, base: base))),
                (stream, .change(.operationsAdded(operations))),
            ],
            alice.origin
        )
        let fault = OfferFault.foreignVersion(0, foreign)
        let objection = Objection.offerRefused(fault, at: "/operations/2/offers/0")
        #expect(doubt()?.reason == .refused(Refusal(objection)))
    }

    // Goal: logs in which an offer went that held people back, or one came before it, are not
    // doubted, where the policy refuses that a minimum falls.
    @Test(arguments: [Strictness.ignoringOffersTaken, .ignoringOffersInFront])
    mutating func `an offer is taken away, or another put before it, by the rules of its time`(
        strictness: Strictness
    ) throws {
        let policy = Policy(checks: [.minimumLowered: CheckRule(.refuse, overridableBy: .approver)])
        try perform(
            ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: .system),
            service
        )
        let requiring = Offer(required: try apple("3.2.0"))
        let newer = OfferRequirements(system: try apple("15.0.0"))
        let inFront = Offer(required: try apple("3.1.0"), requirements: newer)
        let isTaken = strictness == .ignoringOffersTaken
        for (number, offers) in [[requiring], isTaken ? [] : [inFront, requiring]].enumerated() {
            let edit = Operation(.ios, offers: .set(offers))
            try perform(
                PlimsollTestSupport.propose([edit], base: logState.position, by: alice.principal),
                alice.origin
            )
            if number == 0 { try approve(.first, by: bob) }
        }
        #expect(throws: Refusal.self) { try approve(change(2), by: bob) }
        try approve(change(2), by: bob, under: strictness)
        #expect(doubt() == nil)
    }

    // Goal: a log in which a block said nothing of offers that waited for their time is not doubted,
    // nor one in which it did.
    @Test(arguments: [Strictness.full, .hidingUndercutting])
    mutating func `a block says by the rules of its time which offers it undercuts`(
        strictness: Strictness
    ) throws {
        let lower = Operation(.ios, offers: .set([Offer(required: try apple("2.0.0"))]))
        try perform(
            PlimsollTestSupport.propose(
                [lower],
                base: logState.position,
                at: now.advanced(by: .seconds(3600)),
                by: alice.principal
            ),
            alice.origin
        )
        try approve(.first, by: bob)
        let decided = try block(below: "3.0", by: bob.principal)
            .decide(in: logState.deciding(by: strictness), at: now).events
        let isTold = decided.contains { $0.event == .change(.changeOvertaken(by: change(2))) }
        #expect(isTold == (strictness == .full))
        record(decided.map { ($0.stream, $0.event) }, bob.origin)
        #expect(doubt() == nil)
    }
}
