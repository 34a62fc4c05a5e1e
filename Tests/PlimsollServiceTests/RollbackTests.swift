import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct RollbackTests {
    /// Change 1 sets 3.1.0, and an hour later change 2 sets 3.2.0.
    struct Story {
        let house: House
        let responder: Caller
        let registered: Position
        let first: Position
        let between: Instant

        init(_ house: House) async throws {
            self.house = house
            responder = try await house.caller(.responder)
            try await house.register()
            registered = house.head
            first = try await house.apply("3.1.0").position
            house.clock.advance(by: .seconds(1800))
            between = house.clock.now
            house.clock.advance(by: .seconds(1800))
            try await house.apply("3.2.0")
        }

        @discardableResult
        func rollBack(
            to target: RollbackTarget,
            _ platforms: [Platform]? = nil,
            _ mode: WriteOptions.Mode = .commit
        ) async throws -> RollbackAnswer {
            try await house.useCases.rollBack(
                RollbackForm(
                    target: target,
                    platforms: platforms,
                    reason: Reason(validating: "3.2.0 is not in the store")
                ),
                of: harbour,
                house.request(by: responder, mode)
            )
        }
    }

    @Test func `a change of another app is no point to go back to`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let change = change(1)
            try await house.register(slug("quay"))
            let found = try await objections {
                _ = try await house.useCases.rollBack(
                    RollbackForm(
                        target: .beforeChange(change),
                        platforms: nil,
                        reason: Reason(validating: "it was quiet then")
                    ),
                    of: slug("quay"),
                    house.request(by: story.responder)
                )
            }
            #expect(found == [.changeNeverApplied(change)])
        }
    }

    // Goal: a responder sees what else happens before it does. Method: beside the two applied
    // changes one that waits for its time, one that is only proposed, and one of another field.
    @Test func `a rollback says which changes it touches, tried or not`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let author = try await house.caller(.proposer)
            let schedule = Schedule(
                at: house.clock.now.advanced(by: .seconds(3600)),
                until: nil,
                timeZone: .utc
            )
            let waiting = try await house.propose(
                try house.proposal("3.3.0").scheduled(schedule),
                by: author
            )
            let stale = try await house.propose("3.4.0", by: author)
            let other = try await house.propose(
                try house.proposal("3.4.0").with([
                    Operation(.ios, .minimumOS, .setText(.title, tag("en"), try text("New")))
                ]),
                by: author
            )
            let expected = RollbackOutlook.SideEffects(
                suspended: [waiting.id],
                undone: [change(2)],
                undoneOfOthers: [change(2)],
                endsCalledOff: [],
                endsResumed: [],
                stale: [waiting.id, stale.id],
                overtaken: []
            )
            let tried = try await story.rollBack(to: .event(story.first), nil, .dryRun)
            #expect(tried.outlook.sideEffects == expected)
            let done = try await story.rollBack(to: .event(story.first))
            #expect(done.outlook.sideEffects == expected)
            #expect(done.outlook.devices == tried.outlook.devices)
            #expect(house.writer.logState.openChange(waiting.id)?.suspension == .rollback)
            #expect(house.writer.logState.openChange(other.id)?.state == .proposed)
            let devices = done.outlook.devices.filter { $0.typical.device.platform == .ios }
            let below = try #require(devices.first { $0.typical.kind == .belowMinimum })
            #expect(below.typical.device.app == dotted("3.1.0"))
            #expect(below.before.shown.verdict == .appTooOldUpdateAvailable)
            #expect(below.after.shown.verdict == .available)
            #expect(done.outlook.review == nil)
            #expect(done.outlook.reach == .usual)
        }
    }

    @Test func `what a policy wants reviewed is told with its time`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let policy = Policy(rollbackReview: ReviewRule(role: .approver, withinSeconds: 3600))
            let command = ChangePolicy(
                of: .all,
                to: policy,
                seen: nil,
                reason: nil,
                by: house.administrator.principal
            )
            _ = try await house.writer.perform(CommandRequest(command))
            let tried = try await story.rollBack(to: .event(story.first), nil, .dryRun)
            let due = house.clock.now.advanced(by: .seconds(3600))
            #expect(tried.outlook.review?.due == due)
            #expect(tried.outlook.review?.role == .approver)
            #expect(tried.outlook.review?.owner == story.responder.principal)
        }
    }

    @Test func `an event, a time and a change lead to the same place`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            for target in [
                RollbackTarget.event(story.first), .time(story.between), .beforeChange(change(2)),
            ] {
                let trial = try await story.rollBack(to: target, nil, .dryRun)
                #expect(trial.position == nil && trial.sequence == nil)
                #expect(trial.changes.contains { $0.after == .version(dotted("3.1.0")) })
                #expect(house.minimum == "3.2.0")
            }
            let receipt = try await story.rollBack(to: .beforeChange(change(2)))
            #expect(receipt.position == house.head)
            #expect(house.minimum == "3.1.0")
            #expect(receipt.changes.count == 2)
        }
    }

    @Test func `a rollback can be rolled back, and its goal may be a rollback`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let before = house.head
            let there = try await story.rollBack(to: .beforeChange(change(2)))
            try await story.rollBack(to: .event(before))
            #expect(house.minimum == "3.2.0")
            try await story.rollBack(to: .event(try #require(there.position)))
            #expect(house.minimum == "3.1.0")
        }
    }

    @Test func `an event in the middle of an append names what was after it`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let receipt = try await story.rollBack(to: .event(story.first.before))
            #expect(receipt.target == story.first)
            #expect(house.minimum == "3.1.0")
        }
    }

    // Goal: whoever types the number that phones show gets what was published under it, although a
    // rollback's append goes on behind the event that gives the number.
    @Test func `the number of a rollback's snapshot is an event to go to`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let before = house.head
            let there = try await story.rollBack(to: .beforeChange(change(2)))
            let sequence = try #require(there.sequence)
            #expect(sequence.rawValue < house.head.rawValue)
            try await story.rollBack(to: .event(before))
            try await story.rollBack(to: .event(Position(Int(sequence.rawValue))))
            #expect(house.minimum == "3.1.0")
        }
    }

    @Test func `what was before the first change is no document to go back to`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            for target in [RollbackTarget.beforeChange(change(1)), .event(story.registered)] {
                #expect(
                    try await objections { try await story.rollBack(to: target, [.ios]) }
                        == [.documentEmptied(.ios)]
                )
            }
            #expect(house.minimum == "3.2.0")
        }
    }

    @Test func `a goal before the app is refused`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let targets = [
                RollbackTarget.event(.start), .event(.start.advanced(by: 1)),
                .time(Instant(millisecondsSince1970: 0)),
                .time(Instant(millisecondsSince1970: -62_135_596_800_000)),
            ]
            let before = house.head
            for target in targets {
                let found = try await objections { try await story.rollBack(to: target) }
                #expect(found == [.targetBeforeApp(harbour)], "\(target)")
            }
            #expect(house.head == before)
        }
    }

    @Test func `a goal ahead of the log is refused, and the present changes nothing`()
        async throws
    {
        try await House.with { house in
            let story = try await Story(house)
            let head = house.head
            for ahead in [head.advanced(by: 1), Position(Int.max)] {
                #expect(
                    try await objections { try await story.rollBack(to: .event(ahead)) }
                        == [.targetAhead(ahead, head: head)]
                )
            }
            let now = house.clock.now
            let later = Instant(millisecondsSince1970: 253_402_300_799_999)
            #expect(
                try await objections { try await story.rollBack(to: .time(later)) }
                    == [.timeAhead(later, now: now)]
            )
            for target in [RollbackTarget.event(head), .time(now)] {
                #expect(
                    try await objections { try await story.rollBack(to: target) }
                        == [.nothingChanges],
                    "\(target)"
                )
            }
        }
    }

    @Test func `before a change that was never applied there is nothing`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let open = try await house.propose("3.3.0", by: try await house.caller(.proposer))
            for id in [open.id, change(99), change(Int64.max)] {
                #expect(
                    try await objections { try await story.rollBack(to: .beforeChange(id)) }
                        == [.changeNeverApplied(id)]
                )
            }
        }
    }

    @Test func `platforms are checked one by one`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let target = RollbackTarget.beforeChange(change(2))
            #expect(
                try await objections { try await story.rollBack(to: target, []) }
                    == [.listEmpty(at: "/platforms")]
            )
            #expect(
                try await objections { try await story.rollBack(to: target, [.ios, .ios]) }
                    == [.repeated("ios", at: "/platforms/1")]
            )
            #expect(
                try await objections { try await story.rollBack(to: target, [.android]) }
                    == [.nothingChanges]
            )
        }
    }

    @Test func `of two at once one rolls back and the other has nothing left to do`()
        async throws
    {
        try await House.with { house in
            let story = try await Story(house)
            async let one = Result { try await story.rollBack(to: .beforeChange(change(2))) }
            async let other = Result { try await story.rollBack(to: .beforeChange(change(2))) }
            let failures = await [one, other].compactMap { result in
                if case .failure(let error) = result { error as? UseCaseError } else { nil }
            }
            #expect(failures == [UseCaseError(.nothingChanges)])
            #expect(house.minimum == "3.1.0")
        }
    }

    @Test func `whoever goes back does not wait for the read models`() async throws {
        try await House.with(.withoutProjector) { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let before = try await house.propose("3.0.0", by: author)
            _ = try? await house.approve(before, by: try await house.caller(.approver))
            let proposed = try await house.propose("3.1.0", by: author)
            let then = house.clock.now
            house.clock.advance(by: .seconds(60))
            // Its answer needs the read models; what it does does not.
            _ = try? await house.approve(proposed, by: try await house.caller(.approver))
            #expect(house.minimum == "3.1.0")
            let receipt = try await house.useCases.rollBack(
                RollbackForm(
                    target: .time(then),
                    platforms: nil,
                    reason: Reason(validating: "back")
                ),
                of: harbour,
                house.request(by: try await house.caller(.responder))
            )
            #expect(receipt.changes.count == 2)
            #expect(house.minimum == "3.0.0")
        }
    }

    @Test func `a document is shown as it was, at the same odd places`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            func minimum(_ moment: DocumentMoment) async throws -> String? {
                try await house.useCases.document(
                    of: harbour,
                    on: .ios,
                    at: moment,
                    for: story.responder
                ).document[.minimumApp].value?.description
            }
            #expect(try await minimum(.live) == "3.2.0")
            #expect(try await minimum(.event(story.first)) == "3.1.0")
            #expect(try await minimum(.event(story.first.before)) == "3.1.0")
            #expect(try await minimum(.event(story.registered)) == nil)
            #expect(try await minimum(.time(story.between)) == "3.1.0")
            #expect(
                try await objections { _ = try await minimum(.event(.start)) }
                    == [.targetBeforeApp(harbour)]
            )
            #expect(
                try await objections { _ = try await minimum(.event(house.head.advanced(by: 1))) }
                    == [.targetAhead(house.head.advanced(by: 1), head: house.head)]
            )
        }
    }
}

extension Result where Failure == any Error {
    /// What an asynchronous body came to.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

extension ProposalForm {
    fileprivate func scheduled(_ schedule: Schedule) -> ProposalForm {
        ProposalForm(
            title: title,
            reason: reason,
            base: base,
            operations: operations,
            schedule: schedule
        )
    }

    func with(_ operations: [PlimsollDomain.Operation]) -> ProposalForm {
        ProposalForm(title: title, reason: reason, base: base, operations: operations)
    }
}
