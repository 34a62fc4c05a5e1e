import PlimsollDomain
import PlimsollProjection
import PlimsollStore
import PlimsollTestSupport
import PlimsollUseCases
import ServiceLifecycle
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(2)))
struct SchedulerTests {
    // Goal: whoever sends, each change is applied once and in time. Method: two instances on one
    // database, each with a scheduler, and a clock that goes.
    @Test func `of two instances one applies each of a hundred changes, within a second`()
        async throws
    {
        let clock = StandingClock()
        try await House.with(clock: clock) { one in
            try await House.with(.untouched, clock: clock) { other in
                let start = clock.now.advanced(by: .seconds(60))
                let changes = try await one.proposeTexts(100, at: start)
                other.writer.ring()
                await other.waits { $0.appointments.count == changes.count }
                clock.advance(by: .seconds(59))
                clock.go()
                try await one.withScheduler {
                    try await other.withScheduler {
                        await one.waits(until: \.appointments.isEmpty)
                    }
                }
                var delays: [Int64] = []
                for change in changes {
                    let history = try await one.log.history(of: .change(change))
                    delays += history.filter { $0.event.type == .changeApplied }
                        .map { $0.recordedAt.millisecondsSince1970 - start.millisecondsSince1970 }
                    #expect(history.allSatisfy { $0.event.type != .changeSuspended })
                }
                #expect(delays.count == changes.count)
                #expect(delays.allSatisfy { (0..<1000).contains($0) }, "\(delays.sorted())")
            }
        }
    }

    @Test(arguments: [(899, SuspensionCause?.none), (901, .missed)])
    func `what came due while nothing ran is applied within its grace, or suspended`(
        late: Int,
        cause: SuspensionCause?
    ) async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            let change = try await house.approved("3.2.0", Schedule(in: 60, of: house))
            house.clock.advance(by: .seconds(60 + late))
            try await house.withScheduler {
                await house.waits(until: \.appointments.isEmpty)
            }
            #expect(house.writer.world.openChange(change)?.suspension == cause)
            #expect(house.minimum == (cause == nil ? "3.2.0" : "3.0.0"))
        }
    }

    @Test func `a clock that is set forward is noticed`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            _ = try await house.approved("3.2.0", Schedule(in: 3600, of: house))
            try await house.withScheduler {
                house.clock.advance(by: .seconds(3600))
                await house.waits(until: \.appointments.isEmpty)
            }
            #expect(house.minimum == "3.2.0")
        }
    }

    @Test func `nothing happens before its time`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            let later = try await house.approved("3.3.0", Schedule(in: 120, of: house))
            _ = try await house.approved("3.2.0", Schedule(in: 60, of: house))
            try await house.withScheduler {
                house.clock.advance(by: .seconds(60))
                await house.waits { $0.appointments.map(\.change) == [later] }
                #expect(house.minimum == "3.2.0")
                house.clock.advance(by: .seconds(60))
                await house.waits(until: \.appointments.isEmpty)
            }
            #expect(house.writer.world.openChange(later)?.suspension == .conflict)
            #expect(house.minimum == "3.2.0")
        }
    }

    @Test func `a change ends at its time, though not during a freeze`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            _ = try await house.approved("3.2.0", Schedule(in: 60, until: 120, of: house))
            let second = try await house.approved("3.3.0", Schedule(in: 150, of: house))
            let responder = try await house.caller(.responder).principal
            try await house.withScheduler {
                house.clock.advance(by: .seconds(60))
                await house.waits { $0.endOfChange(change(2)) == .applied }
                #expect(house.minimum == "3.2.0")
                try await house.perform(
                    StartFreeze(of: .all, reason: Reason(validating: "Christmas"), by: responder)
                )
                house.clock.advance(by: .seconds(90))
                await house.waits { $0.openChange(second)?.suspension == .freeze }
                #expect(house.minimum == "3.2.0")
                #expect(house.writer.world.endingChange(change(2)) != nil)
                try await house.perform(EndFreeze(of: .all, reason: nil, by: responder))
                await house.waits { $0.endingChange(change(2)) == nil }
            }
            #expect(house.minimum == "3.0.0")
            let history = try await house.log.history(of: .change(change(2)))
            #expect(history.last?.event.type == .changeEnded)
        }
    }
}

extension House {
    /// Runs a scheduler as a service while the body runs, and shuts it down.
    fileprivate func withScheduler(_ body: () async throws -> Void) async throws {
        let scheduler = Scheduler(useCases, logger: silent)
        let group = ServiceGroup(services: [scheduler], logger: silent)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask(name: "scheduler") { try await group.run() }
            try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Returns once the world is so.
    fileprivate func waits(until isSo: (World) -> Bool) async {
        for await _ in writer.growth() where isSo(writer.world) { return }
    }

    fileprivate func perform(_ command: some Command) async throws {
        _ = try await writer.perform(CommandRequest(command))
    }

    /// A change of the minimum iOS app that has its approval.
    fileprivate func approved(_ version: String, _ schedule: Schedule) async throws -> ChangeID {
        let plain = try proposal(version)
        return try await approved(
            plain.operations,
            schedule,
            by: try await caller(.proposer),
            try await caller(.approver)
        )
    }

    /// So many changes of different fields, with their approvals, all due at one instant.
    fileprivate func proposeTexts(_ count: Int, at start: Instant) async throws -> [ChangeID] {
        try await register()
        try await apply("3.0.0")
        let (author, approver) = (try await caller(.proposer), try await caller(.approver))
        let schedule = Schedule(at: start, until: nil, timeZone: .utc)
        var changes: [ChangeID] = []
        for number in 1...count {
            let language = tag("en-\(String(String(1000 + number).dropFirst()))")
            let edit = Operation.Edit.setText(.description, language, try text("Text \(number)."))
            changes.append(
                try await approved(
                    [Operation(.ios, .minimumApp, edit)],
                    schedule,
                    by: author,
                    approver
                )
            )
        }
        return changes
    }

    private func approved(
        _ operations: [Operation],
        _ schedule: Schedule,
        by author: Caller,
        _ approver: Caller
    ) async throws -> ChangeID {
        let proposed = try await useCases.propose(
            ChangeProposal(
                app: harbour,
                title: Title(validating: "In time"),
                reason: nil,
                base: head,
                operations: operations,
                schedule: schedule
            ),
            request(by: author)
        )
        return try await approve(proposed, by: approver).id
    }
}

extension Schedule {
    /// Seconds from the house's present.
    fileprivate init(in start: Int, until end: Int? = nil, of house: House) {
        let now = house.clock.now
        self.init(
            at: now.advanced(by: .seconds(start)),
            until: end.map { now.advanced(by: .seconds($0)) },
            timeZone: .utc
        )
    }
}
