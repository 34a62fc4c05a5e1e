import FoundationEssentials
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

/// Random people do random things to changes: what the rules permit is accepted, and nothing else.
///
/// `PLIMSOLL_SEED` repeats the walk of a failure, `PLIMSOLL_STEPS` makes walks longer or shorter.
@Suite struct ModelTests {
    private static let steps =
        ProcessInfo.processInfo.environment["PLIMSOLL_STEPS"].flatMap { Int($0) } ?? 2000

    // Goal: no change is ever applied without the approvals that its policy asks for, and nothing
    // that is right is refused. Method: a model of the rules that knows nothing of the domain
    // foretells what becomes of every command; after each the two are compared. Now and then the
    // state is made anew from the entries of the log, and at the end the whole log is audited.
    @Test(arguments: SeededGenerator.seeds)
    func `whatever people do, the service does what the rules say`(_ seed: UInt64) async throws {
        let start = Instant(millisecondsSince1970: 1_795_000_000_000)
        var walk = try await ModelWalk(seed: seed, start: start, on: MemoryGround(start: start))
        try await walk.run(steps: Self.steps, restartEvery: 250)
        try audit(try walk.ground.recordedEvents(), leadingTo: walk.ground.logState)
        Attachment.record(report(walk.tally, seed), named: "model-\(seed).txt")
        for act in ["approve", "apply", "comeDue", "end", "rollBack", "emergency", "schedule"] {
            #expect(walk.tally["\(act) accepted"] ?? 0 > 0, "seed \(seed): no \(act) was accepted")
        }
    }

    private func report(_ tally: [String: Int], _ seed: UInt64) -> String {
        "seed \(seed)\n"
            + tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined()
    }
}

/// The same through the writer and PostgreSQL.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct WrittenModelTests {
    @Test func `the same is true of what is written to the database`() async throws {
        let seed = SeededGenerator.seeds.last ?? 1
        let clock = StandingClock()
        try await House.with(.untouched, clock: clock) { house in
            let ground = WriterGround(house)
            var walk = try await ModelWalk(seed: seed, start: clock.now, on: ground)
            try await walk.run(steps: 400, restartEvery: 100)
            let events = try await house.log.events(
                after: .start,
                limit: Int(walk.ground.logState.position.rawValue)
            )
            try audit(events, leadingTo: house.writer.logState)
        }
    }
}

/// Fails the test unless everything that was recorded follows from what its actor might do.
private func audit(_ events: [RecordedEvent], leadingTo logState: LogState) throws {
    var audit = DecisionAudit(hash: ChangeDigest.init(of:))
    for event in events { try audit.take(event) }
    try audit.end()
    #expect(audit.logState == logState)
}
