import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import ServiceLifecycle
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct SchedulerTests {
    // Goal: whoever sends, each change is applied once, at its time and not before. Method: two
    // instances on one database, each with a scheduler, and a clock that goes. How long it takes is
    // the machine's; changes that are too late are suspended.
    @Test func `of two instances one applies each of a hundred changes, and none before its time`()
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
                #expect(delays.allSatisfy { $0 >= 0 }, "\(delays.sorted())")
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
            #expect(house.writer.logState.openChange(change)?.suspension == cause)
            #expect(house.minimum == (cause == nil ? "3.2.0" : "3.0.0"))
        }
    }

    @Test func `what is due and nobody does grows late, until it is done`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            _ = try await house.approved("3.2.0", Schedule(in: 60, of: house))
            #expect(house.useCases.lateness == .zero)
            house.clock.advance(by: .seconds(95))
            #expect(house.useCases.lateness == .seconds(35))
            try await house.withScheduler {
                await house.waits(until: \.appointments.isEmpty)
            }
            #expect(house.useCases.lateness == .zero)
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

    @Test func `a clock that is set back is waited for`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            _ = try await house.approved("3.2.0", Schedule(in: 60, of: house))
            try await house.withScheduler {
                house.clock.advance(by: .seconds(59))
                house.clock.advance(by: .seconds(-3600))
                await house.waits { _ in true }
                #expect(house.minimum == "3.0.0")
                house.clock.advance(by: .seconds(3601))
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
            #expect(house.writer.logState.openChange(later)?.suspension == .conflict)
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
                #expect(house.writer.logState.endingChange(change(2)) != nil)
                try await house.perform(EndFreeze(of: .all, reason: nil, by: responder))
                await house.waits { $0.endingChange(change(2)) == nil }
            }
            #expect(house.minimum == "3.0.0")
            let history = try await house.log.history(of: .change(change(2)))
            #expect(history.last?.event.type == .changeEnded)
        }
    }

    // Goal: a planned freeze begins and ends once, whoever runs. Method: two instances, each with a
    // scheduler, and a change that is due while it lasts.
    @Test func `of two instances one begins a planned freeze and ends it`() async throws {
        let clock = StandingClock()
        try await House.with(clock: clock) { one in
            try await House.with(.untouched, clock: clock) { other in
                try await one.register()
                try await one.apply("3.0.0")
                let late = try await one.approved("3.2.0", Schedule(in: 90, of: one))
                let window = FreezeWindow(
                    from: clock.now.advanced(by: .seconds(60)),
                    until: clock.now.advanced(by: .seconds(120)),
                    timeZone: .utc
                )
                let responder = try await one.caller(.responder)
                let plan = PlanFreeze(
                    of: .app(harbour),
                    window,
                    reason: try Reason(validating: "Holidays"),
                    by: responder.principal
                )
                try await one.useCases.perform(plan, one.request(by: responder))
                let shown = try await one.useCases.change(late, for: responder)
                let plans = one.writer.logState.freezes(of: .app(harbour)).plans
                #expect(plans.map(\.window) == [window])
                #expect(shown.course.freezeAtTime == plans.first.map { FreezePlanAnswer($0) })
                other.writer.ring()
                await other.waits { $0.freezes(of: .app(harbour)).plans.count == 1 }
                try await one.withScheduler {
                    try await other.withScheduler {
                        clock.advance(by: .seconds(90))
                        await one.waits { $0.openChange(late)?.suspension == .freeze }
                        await one.waits { $0.freezes(of: .app(harbour)).plans[0].hasStarted }
                        let app = try await one.useCases.app(harbour, for: responder)
                        #expect(app.freeze?.until == window.until)
                        #expect(app.freeze?.by == responder.principal)
                        clock.advance(by: .seconds(30))
                        await one.waits { $0.freezes(of: .app(harbour)).plans.isEmpty }
                    }
                }
                let events = try await one.log.history(of: .app(harbour)).map(\.event.type)
                for type in [EventType.plannedFreezeStarted, .plannedFreezeEnded] {
                    #expect(events.count { $0 == type } == 1)
                }
                #expect(try await one.useCases.app(harbour, for: responder).freeze == nil)
            }
        }
    }

    @Test func `a planned freeze that nobody was there for is over, and said to be`() async throws {
        try await House.with { house in
            try await house.register()
            let window = FreezeWindow(
                from: house.clock.now.advanced(by: .seconds(60)),
                until: house.clock.now.advanced(by: .seconds(120)),
                timeZone: .utc
            )
            let plan = PlanFreeze(
                of: .all,
                window,
                reason: try Reason(validating: "Holidays"),
                by: house.administrator.principal
            )
            try await house.useCases.perform(plan, house.request(by: house.administrator))
            house.clock.advance(by: .seconds(3600))
            try await house.withScheduler {
                await house.waits(until: \.appointments.isEmpty)
            }
            let last = try await house.log.history(of: .service).last
            #expect(last?.event.type == .servicePlannedFreezeEnded)
            #expect(last?.origin.reason?.text == "Holidays")
        }
    }
}
