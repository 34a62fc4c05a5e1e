import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Whom a rebuild keeps waiting, and what it waits for itself.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct RebuildLockTests {
    // Method: somebody holds the live read models, so that the switch cannot go on.
    @Test func `nobody who appends waits for a rebuild`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let start = fixture.writer.logState.position
            #expect(await fixture.readModels.progress.wait(for: start, patience: .seconds(60)))
            let report = try await withThrowingTaskGroup(of: Rebuild.Report.self) { group in
                try await whileNoneSwitches { watcher in
                    group.addTask {
                        try await Rebuild(log: fixture.log, pool: fixture.pool).run()
                    }
                    try await poll(until: .seconds(60)) { try await isWaitedFor(watcher) }
                    try await fixture.perform(failure("While it waits."))
                }
                return try #require(try await group.next())
            }
            #expect(report.isUnchanged)
            let end = fixture.writer.logState.position
            #expect(end > start)
            #expect(await fixture.readModels.progress.wait(for: end, patience: .seconds(60)))
            #expect(try await fixture.readModels.position() == end)
        }
    }

    // Method: somebody reads the old read models on, so that they cannot be taken away.
    @Test func `nobody who reads waits for the old read models to go`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            try await fixture.catchUp()
            try await expectNobodyWaitsForDrop(fixture)
        }
    }

    // Method: all that a rebuild does before it compares, as if it was killed then.
    @Test func `nobody who reads waits for what a killed rebuild left to go`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            try await fixture.catchUp()
            let load = Load(
                generation: 2,
                log: fixture.log,
                pool: fixture.pool,
                runLength: 3,
                end: nil
            )
            _ = try await load.run()
            #expect(try await fixture.generations() == [1, 2])
            try await expectNobodyWaitsForDrop(fixture)
        }
    }

    private func expectNobodyWaitsForDrop(_ fixture: ProjectionFixture) async throws {
        let holder = try await Session.open(ScratchDatabase.current.connection)
        let watcher = try await Session.open(ScratchDatabase.current.connection)
        try await withThrowingTaskGroup(of: Rebuild.Report.self) { group in
            try await holder.withTransaction { transaction in
                _ = try await transaction.query("SELECT FROM projection.event LIMIT 1")
                group.addTask {
                    try await Rebuild(log: fixture.log, pool: fixture.pool).run()
                }
                try await poll(until: .seconds(60)) { try await waitsToDrop(watcher) }
                let read: Statement = "SELECT count(*) FROM projection.event"
                for _ in 1...20 { try await watcher.query(read, timeout: .seconds(10)) }
            }
            _ = try await group.next()
        }
        #expect(try await fixture.generations() == [2])
        await holder.close()
        await watcher.close()
    }

    // Method: the first one cannot switch yet, so the second comes while it is at work.
    @Test func `of two rebuilds at once one waits for the other, and then makes its own`()
        async throws
    {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            try await fixture.catchUp()
            let start = fixture.writer.logState.position
            let rebuild = Rebuild(log: fixture.log, pool: fixture.pool)
            let reports = try await withThrowingTaskGroup(of: Rebuild.Report.self) { group in
                try await whileNoneSwitches { watcher in
                    group.addTask { try await rebuild.run() }
                    try await poll(until: .seconds(60)) { try await isWaitedFor(watcher) }
                    group.addTask { try await rebuild.run() }
                    try await poll(until: .seconds(60)) { try await waitsForAnother(watcher) }
                }
                var reports: [Rebuild.Report] = []
                for try await report in group { reports.append(report) }
                return reports
            }
            let report = Rebuild.Report(position: start, isUnchanged: true)
            #expect(reports == [report, report])
            #expect(try await fixture.generations() == [3])
            try await fixture.applyOneChange(to: "3.2.0")
            try await fixture.catchUp()
            let end = fixture.writer.logState.position
            #expect(try await fixture.readModels.position() == end)
            #expect(try await rebuild.run() == Rebuild.Report(position: end, isUnchanged: true))
        }
    }

    // Method: as above, with the projectors of two instances that take the log for long.
    @Test func `of two instances that find nothing folded one loads the log`() async throws {
        try await ProjectionFixture.with(following: .nothing) { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let all = [Progress(), Progress()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                try await whileNoneSwitches { watcher in
                    for progress in all {
                        group.addTask { try await fixture.loadingProjector(progress).run() }
                    }
                    try await poll(until: .seconds(60)) { try await isWaitedFor(watcher) }
                    try await poll(until: .seconds(60)) { try await waitsForAnother(watcher) }
                }
                let loaded = fixture.writer.logState.position
                for progress in all {
                    #expect(await progress.wait(for: loaded, patience: .seconds(60)))
                }
                #expect(try await fixture.generations() == [2])
                try await fixture.applyOneChange(to: "3.2.0")
                let followed = fixture.writer.logState.position
                for progress in all {
                    #expect(await progress.wait(for: followed, patience: .seconds(60)))
                }
            }
            let report = try await Rebuild(log: fixture.log, pool: fixture.pool).run()
            let end = fixture.writer.logState.position
            #expect(report == Rebuild.Report(position: end, isUnchanged: true))
        }
    }

    // Method: the generation stands elsewhere from its beginning, as if somebody else folded it.
    @Test func `a load of which nothing is written ends`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let admin = try await Session.open(ScratchDatabase.current.connection)
            try await admin.script(
                """
                CREATE FUNCTION advance() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN NEW.position := 1000; RETURN NEW; END $$;
                CREATE TRIGGER advance BEFORE INSERT ON projection.state FOR EACH ROW
                    EXECUTE FUNCTION advance()
                """
            )
            await admin.close()
            let load = Load(
                generation: 7,
                log: fixture.log,
                pool: fixture.pool,
                runLength: 3,
                end: nil
            )
            await #expect(throws: FoldInterrupted(generation: 7, standsAt: 1000)) {
                _ = try await load.run()
            }
        }
    }

    // As where a standby took the primary's place, and lacks the last ones.
    @Test func `a log that has lost its end while it is read is not waited for`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let end = fixture.writer.logState.position
            let load = Load(
                generation: 7,
                log: fixture.log,
                pool: fixture.pool,
                runLength: 3,
                end: end.advanced(by: 2)
            )
            let error = await #expect(throws: LogError.self) { _ = try await load.run() }
            guard case .shortened(_, found: end) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
        }
    }

    /// Runs the body while no rebuild can switch, with a session to look on.
    private func whileNoneSwitches(_ body: (Session) async throws -> Void) async throws {
        let holder = try await Session.open(ScratchDatabase.current.connection)
        let watcher = try await Session.open(ScratchDatabase.current.connection)
        try await holder.withTransaction { transaction in
            try await transaction.execute("SELECT FROM projection.state FOR UPDATE")
            try await body(watcher)
        }
        await holder.close()
        await watcher.close()
    }

    /// Whether a rebuild waits for another one.
    private func waitsForAnother(_ watcher: Session) async throws -> Bool {
        let row = try await watcher.first(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'advisory'
            """
        )
        return try row?.value(at: 0, as: Int64.self) ?? 0 > 0
    }

    /// Whether a rebuild waits to take the old read models away.
    private func waitsToDrop(_ watcher: Session) async throws -> Bool {
        let row = try await watcher.first(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
                AND query LIKE 'SELECT projection.drop_generation%'
            """
        )
        return try row?.value(at: 0, as: Int64.self) ?? 0 > 0
    }

    /// Whether a rebuild has come to its switch; projectors may wait as well.
    private func isWaitedFor(_ watcher: Session) async throws -> Bool {
        let row = try await watcher.first(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
                AND query LIKE '%generation = % FOR UPDATE'
            """
        )
        return try row?.value(at: 0, as: Int64.self) ?? 0 > 0
    }
}

extension ProjectionFixture {
    /// All generations that there are.
    fileprivate func generations() async throws -> [Int32] {
        let rows = try await pool.query(
            "SELECT generation FROM projection.state ORDER BY generation"
        )
        return try rows.map { try $0.value(at: 0) }
    }
}
