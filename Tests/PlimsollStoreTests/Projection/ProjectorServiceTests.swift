import Logging
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import ServiceLifecycle
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct ProjectorServiceTests {
    @Test func `a shutdown ends it, and whoever comes next goes on where it stood`() async throws {
        try await ProjectionFixture.with(following: .nothing) { fixture in
            try await fixture.registerHarbour()
            try await fixture.projectUntilCaughtUp()
            try await fixture.perform(OrderRenewal(app: harbour))
            try await fixture.projectUntilCaughtUp()
            var query = EventQuery()
            query.order = .oldestFirst
            let end = fixture.writer.logState.position
            let events = try await fixture.readModels.events(query, upTo: end)
            #expect(events.map(\.position.rawValue) == Array(1...end.rawValue))
        }
    }

    // Goal: a stop wakes nobody. Method: it comes while a statement waits for a lock.
    @Test func `a shutdown that breaks off a statement is no trouble`() async throws {
        try await ProjectionFixture.with(following: .nothing) { fixture in
            let lines = LogLines()
            let group = ServiceGroup(
                services: [fixture.projector(lines.logger)],
                logger: .silent
            )
            let holder = try await Session.open(ScratchDatabase.current.connection)
            try await holder.withTransaction { transaction in
                try await transaction.execute(
                    "LOCK TABLE projection.state IN ACCESS EXCLUSIVE MODE"
                )
                try await withThrowingDiscardingTaskGroup { tasks in
                    tasks.addTask(name: "projector") { try await group.run() }
                    try await poll(until: .seconds(60)) { try await isWaitedFor(transaction) }
                    await group.triggerGracefulShutdown()
                }
            }
            await holder.close()
            #expect(lines.text == "")
        }
    }
}

extension ProjectionFixture {
    fileprivate func projector(_ logger: Logger) -> Projector {
        Projector(
            log: log,
            database: pool,
            progress: readModels.progress,
            logger: logger,
            growth: { [writer] in writer.growth() }
        ) { _, _ in }
    }

    /// Runs a projector as a service until it has folded everything, and shuts it down.
    fileprivate func projectUntilCaughtUp() async throws {
        let group = ServiceGroup(services: [projector(.silent)], logger: .silent)
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask(name: "projector") { try await group.run() }
            try await catchUp()
            await group.triggerGracefulShutdown()
        }
    }
}
