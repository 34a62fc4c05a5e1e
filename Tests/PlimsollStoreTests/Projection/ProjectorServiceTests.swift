import Logging
import PlimsollDomain
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
}

extension ProjectionFixture {
    /// Runs a projector as a service until it has folded everything, and shuts it down.
    fileprivate func projectUntilCaughtUp() async throws {
        let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        let projector = Projector(
            log: log,
            database: pool,
            progress: readModels.progress,
            logger: silent,
            growth: { [writer] in writer.growth() }
        ) { _, _ in }
        let group = ServiceGroup(services: [projector], logger: silent)
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask(name: "projector") { try await group.run() }
            try await catchUp()
            await group.triggerGracefulShutdown()
        }
    }
}
