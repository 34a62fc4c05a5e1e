import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

/// The settings of an app as they were, and its documents across them.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct SettingsTests {
    private static func changed(
        to wanted: AppSettings,
        _ fixture: ProjectionFixture
    ) async throws -> Position {
        try await fixture.perform(
            ChangeAppSettings(
                of: harbour,
                to: wanted,
                seen: fixture.writer.logState.app(harbour)?.settingsSince,
                reason: nil,
                by: .system
            )
        ).position
    }

    @Test func `settings are found at every event, and what they put an end to`() async throws {
        try await ProjectionFixture.with { fixture in
            #expect(try await fixture.settings(at: .start) == nil)
            try await fixture.registerHarbour()
            let registered = fixture.writer.logState.position
            let wide = try settings([.ios, .android, .macos])
            let first = try await Self.changed(to: wide, fixture)
            let minimal = try settings([.ios, .android, .macos], profile: .minimal)
            let second = try await Self.changed(to: minimal, fixture)
            for (position, expected) in [
                (Position(1), try settings()), (registered, try settings()), (first, wide),
                (second, minimal),
            ] {
                #expect(try await fixture.settings(at: position) == expected)
            }
            var query = EventQuery()
            query.types = [.appSettingsChanged]
            let events = try await fixture.readModels.events(query, upTo: second)
            #expect(events.map(\.position) == [second, first])
            #expect(
                events.map(\.predecessor) == [.settings(wide), .settings(try settings())]
            )
            #expect(events.map(\.app) == [harbour, harbour])
        }
    }

    @Test func `a batch tells of settings what the record tells later`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.registerHarbour()
            let end = try await Self.changed(to: try settings(profile: .minimal), fixture)
            let log = try await fixture.log.events(after: .start, limit: 100)
            var batch = Batch(on: LogState())
            for append in appends(of: log[...]) { batch.take(append: append) }
            try await fixture.catchUp()
            let positions = (1...Int(end.rawValue)).map(Position.init)
            let record = try await fixture.readModels.events(at: positions)
            #expect(batch.events == record)
        }
    }

    // Goal: what stood on a platform that came later is found, from the read models and from the
    // log alone. Method: the state after each event, against the fold of the events.
    @Test(arguments: ProjectionFixture.Following.allCases)
    func `a document of a platform that was added is found at every event`(
        _ following: ProjectionFixture.Following
    ) async throws {
        try await ProjectionFixture.with(following: following) { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            _ = try await Self.changed(to: try settings([.ios, .android, .macos]), fixture)
            for version in ["13", "14"] {
                try await fixture.apply([
                    Operation(.macos, .minimumOS, .setValue(dotted(version))),
                    Operation(
                        .macos,
                        .minimumOS,
                        .setText(.description, tag("en"), try text("Needs \(version)."))
                    ),
                ])
            }
            if following == .everything { try await fixture.catchUp() }
            var logState = LogState()
            let log = try await fixture.log.events(after: .start, limit: 1000)
            for append in appends(of: log[...]) {
                for event in append { logState.evolve(event) }
                guard let app = logState.app(harbour) else { continue }
                let state = try await fixture.readModels.history.state(
                    of: harbour,
                    after: logState.position
                )
                #expect(
                    state == PastState(position: logState.position, documents: app.documents)
                )
            }
            #expect(logState.app(harbour)?.document(.macos)[.minimumOS].value == dotted("14"))
        }
    }
}

extension ProjectionFixture {
    fileprivate func settings(at position: Position) async throws -> AppSettings? {
        try await readModels.settingsEvent(of: harbour, upTo: position)?.settings
    }
}
