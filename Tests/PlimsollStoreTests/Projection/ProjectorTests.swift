import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Synchronization
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct ProjectorTests {
    @Test func `lists and effects are never older than the log when they are asked for`()
        async throws
    {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            for version in ["3.1.0", "3.2.0", "3.3.0"] {
                try await fixture.applyOneChange(to: version)
                let end = fixture.writer.logState.position
                let changes = try await fixture.readModels.changes(
                    ChangeQuery(app: harbour),
                    upTo: end
                )
                #expect(changes.first?.state == .applied)
                #expect(changes.first?.position == end)
                let ended = try await fixture.readModels.end(
                    of: try #require(changes.first).id,
                    upTo: end
                )
                #expect(ended.effect.last?.after == .version(dotted(version)))
            }
        }
    }

    // Goal: a row that the service never writes ends an answer, and not the process that serves
    // phones. Method: it is changed as whoever has the service's login can.
    @Test(
        arguments: [
            "UPDATE projection.change SET base = -1",
            "UPDATE projection.change SET position = -1",
            "UPDATE projection.event SET position = -1 WHERE position = 1",
        ] as [Statement]
    )
    func `a row that stands before all events is refused`(_ forgery: Statement) async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            try await fixture.catchUp()
            let session = try await openServiceSession()
            #expect(try await session.execute(forgery) == 1)
            await session.close()
            let (models, end) = (fixture.readModels, fixture.writer.logState.position)
            await #expect(throws: CorruptReadModel.self) {
                _ = try await models.changes(ChangeQuery(app: harbour), upTo: end)
                _ = try await models.events(EventQuery(), upTo: end)
            }
        }
    }

    // One that began anew whenever the other was quicker would tell of the same events again.
    @Test func `several projectors share the work, and none begins anew`() async throws {
        let told = Mutex<[Int: [Position]]>([:])
        try await ProjectionFixture.with(processes: 3) { number, events in
            told.withLock { $0[number, default: []] += events.map(\.position) }
        } _: { fixture in
            try await fixture.letAliceIn()
            for minor in 1...40 { try await fixture.applyOneChange(to: "3.\(minor).0") }
            let end = fixture.writer.logState.position
            for progress in fixture.progress {
                #expect(await progress.wait(for: end, patience: .seconds(120)))
            }
            let all = (1...end.rawValue).map { Position(Int($0)) }
            #expect(told.withLock { $0 } == [0: all, 1: all, 2: all])
        }
    }

    @Test func `an event is found by what it is about`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            var query = EventQuery()
            query.apps = [harbour]
            query.types = [.thresholdSet, .changeApplied]
            query.order = .oldestFirst
            let end = fixture.writer.logState.position
            let events = try await fixture.readModels.events(query, upTo: end)
            #expect(events.map(\.recorded.event.type) == [.thresholdSet, .changeApplied])
            query.after = events.first?.position
            #expect(try await fixture.readModels.events(query, upTo: end).count == 1)
            query.after = nil
            query.actors = [alice]
            #expect(try await fixture.readModels.events(query, upTo: end).isEmpty)
        }
    }

    @Test func `the past is the fold of the events up to the end of an append`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let first = fixture.writer.logState.position
            try await fixture.applyOneChange(to: "3.2.0")
            let history = fixture.readModels.history
            let end = fixture.writer.logState.position
            for event in [end.before, end] {
                let found = try await history.position(of: .event(event), in: harbour, at: testNow)
                #expect(found == end)
            }
            let before = try await history.position(
                of: .beforeChange(change(2)),
                in: harbour,
                at: testNow
            )
            #expect(try #require(before) < end.before)
            let past = try #require(try await history.state(of: harbour, after: first))
            #expect(past.document(.ios)[.minimumApp].value == dotted("3.1.0"))
            #expect(try await history.state(of: harbour, after: .start) == nil)
        }
    }

    @Test func `a rebuild from nothing gives the same rows, and the projector goes on with them`()
        async throws
    {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let before = try await fixture.documents()
            let end = fixture.writer.logState.position
            let live = try #require(fixture.writer.logState.app(harbour)).documents
            #expect(before == PastState(position: end, documents: live))
            let report = try await Rebuild(log: fixture.log, pool: fixture.pool).run()
            #expect(report.position == end)
            #expect(report.isUnchanged)
            #expect(try await fixture.documents() == before)
            try await fixture.applyOneChange(to: "3.2.0")
            #expect(try await fixture.documents() != before)
        }
    }

    // Goal: read models that are empty are loaded as a whole, and then followed event by event.
    // Method: a log that nobody has folded, and a projector that thinks it long; a rebuild judges.
    @Test func `a long log that nobody has folded is loaded, and then followed`() async throws {
        try await ProjectionFixture.with(following: .nothing) { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let progress = Progress()
            let projector = fixture.loadingProjector(progress)
            try await withThrowingTaskGroup { group in
                group.addTask { try await projector.run() }
                defer { group.cancelAll() }
                let loaded = fixture.writer.logState.position
                #expect(await progress.wait(for: loaded, patience: .seconds(120)))
                try await fixture.applyOneChange(to: "3.2.0")
                let followed = fixture.writer.logState.position
                #expect(await progress.wait(for: followed, patience: .seconds(120)))
            }
            let row = try await fixture.pool.first("SELECT generation FROM projection.live")
            #expect(try row?.value(at: 0, as: Int32.self) == 2)
            let report = try await Rebuild(log: fixture.log, pool: fixture.pool).run()
            #expect(report.position == fixture.writer.logState.position)
            #expect(report.isUnchanged)
        }
    }
}

extension ProjectionFixture {
    /// The current documents as the read models tell them.
    fileprivate func documents() async throws -> PastState {
        let end = writer.logState.position
        #expect(await readModels.progress.wait(for: end, patience: .seconds(120)))
        return try #require(try await readModels.history.state(of: harbour, after: end))
    }
}
