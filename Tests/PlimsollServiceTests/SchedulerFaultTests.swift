import Metrics
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollService

/// One appointment that cannot be kept holds up no other.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct SchedulerFaultTests {
    // Goal: what the database refuses for a reason nobody expects spoils only itself, and is done
    // once the reason is gone. Method: a trigger that refuses the events of one change's stream.
    @Test func `what the store refuses is tried again, and the others are in time`() async throws {
        let notebook = MetricsNotebook()
        try await House.with { house in
            let due = try await house.proposeTexts(
                3,
                at: house.clock.now.advanced(by: .seconds(60))
            )
            try await asAdministrator(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN RAISE EXCEPTION 'not this one'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON log.event FOR EACH ROW
                    WHEN (NEW.stream = 'change/2') EXECUTE FUNCTION refuse();
                """
            )
            house.clock.advance(by: .seconds(60))
            try await withMetricsFactory(notebook) {
                try await house.withScheduler {
                    await house.waits { $0.appointments.map(\.change) == [due[0]] }
                    #expect(house.writer.logState.endOfChange(due[1]) == .applied)
                    #expect(house.writer.logState.endOfChange(due[2]) == .applied)
                    try await eventually { notebook["plimsoll.schedules.failed"] ?? 0 > 0 }
                    try await asAdministrator("DROP TRIGGER refuse ON log.event")
                    await house.waits(until: \.appointments.isEmpty)
                    try await eventually { notebook["plimsoll.schedules.kept act=apply"] == 3 }
                }
            }
            #expect(house.writer.logState.endOfChange(due[0]) == .applied)
            let delays = notebook.history("plimsoll.schedule.delay")
            #expect(delays.count == 3 && delays.allSatisfy { $0 >= 0 })
        }
    }

    // Goal: an end whose past cannot be read, or believed, does not keep another change from being
    // applied. Method: the read model holds a version that is none, or that nobody ever set.
    @Test(
        arguments: [
            "UPDATE projection.event_field SET after = 'x' WHERE field LIKE '%.value'",
            "UPDATE projection.event_field SET after = '9.9.9' WHERE field LIKE '%.value'",
        ] as [Statement]
    )
    func `an end that cannot be worked out keeps nobody waiting`(
        _ forgery: Statement
    ) async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.0.0")
            _ = try await house.approved("3.2.0", Schedule(in: 60, until: 120, of: house))
            let other = try await house.approvedText("Later.", Schedule(in: 120, of: house))
            try await house.withScheduler {
                house.clock.advance(by: .seconds(60))
                await house.waits { $0.endOfChange(change(2)) == .applied }
                let (progress, end) = (
                    house.useCases.readModels.progress, house.writer.logState.position
                )
                #expect(await progress.wait(for: end, patience: .seconds(120)))
                try await asAdministrator(forgery)
                house.clock.advance(by: .seconds(60))
                await house.waits { $0.endOfChange(other) == .applied }
                #expect(house.writer.logState.endingChange(change(2)) != nil)
            }
        }
    }

    // Goal: a past that takes long to read holds up no other app. Method: the table that it is read
    // from is locked; the other app's change is applied while somebody still waits to read it.
    @Test func `an end that takes long to work out keeps no other app waiting`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.register(slug("quay"))
            try await house.apply("3.0.0")
            _ = try await house.approved("3.2.0", Schedule(in: 60, until: 120, of: house))
            let other = try await house.approvedOfQuay("1.0", Schedule(in: 120, of: house))
            house.clock.advance(by: .seconds(60))
            _ = await house.useCases.keep(try house.useCases.agenda().due)
            let holder = try await Session.open(try ScratchDatabase.current.connection)
            try await holder.script("BEGIN; LOCK projection.event_field")
            house.clock.advance(by: .seconds(60))
            let due = try house.useCases.agenda().due
            #expect(due.map(\.act) == [.end, .apply])
            async let kept = house.useCases.keep(due)
            await house.waits { $0.endOfChange(other) == .applied }
            while try await readers(waitingFor: holder) == 0 {}
            #expect(house.writer.logState.endingChange(change(2)) != nil)
            await holder.close()
            #expect(await kept.count == 2)
            #expect(house.writer.logState.endingChange(change(2)) == nil)
        }
    }

    /// How many look at what the session has locked, and have to wait.
    private func readers(waitingFor holder: Session) async throws -> Int64 {
        let rows = try await holder.query(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))
            """
        )
        return try rows.first?.value(at: 0, as: Int64.self) ?? 0
    }

    private func asAdministrator(_ script: Statement) async throws {
        let session = try await Session.open(try ScratchDatabase.current.connection)
        try await session.script(script)
        await session.close()
    }
}
