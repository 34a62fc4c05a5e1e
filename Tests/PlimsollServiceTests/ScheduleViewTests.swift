import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

/// What people are told of a change that has a time of its own.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct ScheduleViewTests {
    @Test func `the beginning and the end of a change are told together`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            let id = try await house.approved("3.2.0", Schedule(in: 60, until: 120, of: house))
            try await house.withScheduler {
                house.clock.advance(by: .seconds(60))
                await house.waits { $0.endOfChange(id) == .applied }
                let running = try await house.useCases.change(id, for: house.administrator)
                #expect(running.course.term?.state == .running)
                house.clock.advance(by: .seconds(60))
                await house.waits(until: \.appointments.isEmpty)
            }
            let history = try await house.log.history(of: .change(id))
            let applied = try #require(history.first { $0.event.type == .changeApplied })
            let ended = try #require(history.first { $0.event.type == .changeEnded })
            let view = try await house.useCases.change(id, for: house.administrator)
            #expect(
                view.course.term
                    == ChangeTerm(
                        state: .ended,
                        applied: applied.position,
                        ended: ended.position,
                        endedAt: ended.recordedAt
                    )
            )
            #expect(ended.origin.correlation == applied.origin.correlation)
            #expect(ended.origin.causation == applied.id)
        }
    }

    @Test func `a rollback is told to whom it suspends, and to whom it undoes`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            let before = house.head
            let undone = try await house.approved("3.2.0", Schedule(in: 60, until: 120, of: house))
            let waiting = try await house.approvedText("Later.", Schedule(in: 600, of: house))
            let untimed = try await house.propose("3.4.0", by: try await house.caller(.proposer))
            try await house.withScheduler {
                house.clock.advance(by: .seconds(60))
                await house.waits { $0.endOfChange(undone) == .applied }
            }
            let ahead = house.head
            _ = try await house.useCases.rollBack(
                RollbackForm(
                    target: .event(before),
                    platforms: nil,
                    reason: Reason(validating: "It never shipped")
                ),
                of: harbour,
                house.request(by: try await house.caller(.responder))
            )
            let first = try await house.useCases.change(undone, for: house.administrator)
            #expect(first.course.term?.state == .undone)
            let second = try await house.useCases.change(waiting, for: house.administrator)
            #expect(second.state == .suspended)
            #expect(second.summary.suspension == .rollback)
            var query = ChangeQuery(app: harbour)
            query.states = [.suspended]
            let listed = try await house.useCases.changes(query, for: house.administrator)
            #expect(listed.elements.map(\.suspension) == [.rollback])
            func ids(_ state: ChangeState, at end: Position) async throws -> [ChangeID] {
                query.states = [state]
                let moment = DocumentMoment.event(end)
                return try await house.useCases.changes(query, at: moment, for: house.administrator)
                    .elements.map(\.id)
            }
            #expect(try await ids(.suspended, at: ahead) == [])
            #expect(try await ids(.proposed, at: ahead) == [untimed.id, waiting])
            #expect(try await ids(.suspended, at: house.head) == [waiting])
            #expect(try await ids(.proposed, at: house.head) == [untimed.id])
        }
    }

    @Test(arguments: [(70, true), (59, false)])
    func `an approval that ends before the change's time is no promise`(
        _ seconds: Int,
        _ isExpiring: Bool
    ) async throws {
        try await House.with { house in
            try await house.register()
            let need = ApprovalRequirement(1, of: .approver)
            let policy = Policy(
                rules: Dictionary(
                    uniqueKeysWithValues: ChangeKind.allCases.map {
                        ($0, ApprovalRule(requirements: [need], validSeconds: 60))
                    }
                )
            )
            let by = house.administrator.principal
            try await house.perform(
                ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: by)
            )
            let id = try await house.approved("3.2.0", Schedule(in: seconds, of: house))
            let view = try await house.useCases.change(id, for: house.administrator)
            #expect(view.state == .scheduled)
            #expect(view.course.missing.isEmpty)
            #expect(view.course.missingAtTime.map(\.requirement) == (isExpiring ? [need] : []))
        }
    }

    @Test func `nothing is applied whose end has passed`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            let author = try await house.caller(.proposer)
            let plain = try house.proposal("3.2.0")
            let until = house.clock.now.advanced(by: .seconds(60))
            let proposed = try await house.propose(
                ProposalForm(
                    title: plain.title,
                    reason: nil,
                    base: plain.base,
                    operations: plain.operations,
                    schedule: Schedule(at: nil, until: until, timeZone: .utc)
                ),
                by: author
            )
            house.clock.advance(by: .seconds(60))
            let approver = try await house.caller(.approver)
            let objections = try await objections {
                _ = try await house.approve(proposed, by: approver)
            }
            #expect(objections == [.timeOver(proposed.id, until)])
        }
    }

    // Goal: nobody waits for what cannot come, nor expects back what will not. Method: the minimum is lower
    // for a minute; a change on top of it waits for longer, and a block lies between the two minima.
    @Test func `what an end will take back is told, and what it leaves because of a block`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            let until = house.clock.now.advanced(by: .seconds(60))
            let lower = Schedule(at: nil, until: until, timeZone: .utc)
            let running = try await house.approved("2.0.0", lower)
            let waiting = try await house.approved("3.5.0", Schedule(in: 120, of: house))
            let view = try await house.useCases.change(waiting, for: house.administrator)
            #expect(view.state == .scheduled && view.course.endsBefore == [running])
            let block = BlockForm(
                platform: .ios,
                below: dotted("2.5.0"),
                reason: try Reason(validating: "2.4 loses bookings")
            )
            let responder = try await house.caller(.responder)
            for mode in [WriteOptions.Mode.dryRun, .commit] {
                let request = house.request(by: responder, mode)
                let receipt = try await house.useCases.block(block, in: harbour, request)
                let minimum = Field(.ios, .minimumApp, .value)
                #expect(receipt.stays.map(\.field) == [minimum])
                #expect(receipt.stays.first?.before == .version(dotted("3.0.0")))
                #expect(receipt.stays.first?.after == .version(dotted("2.5.0")))
                #expect(receipt.overtaken == [waiting])
            }
        }
    }
}
