import PlimsollDomain
import PlimsollProjection
import PlimsollStore
import PlimsollTestSupport
import Testing

/// The past by the read model is the past by the log.
@Suite(.scratchDatabase(template: storeTemplate), .timeLimit(.minutes(1)))
struct TimeTravelTests {
    private typealias Edit = PlimsollDomain.Operation

    // Goal: whatever was done, the documents after event N are the fold of the events 1 to N, and
    // each field is blamed on the last event that touched it; with read models that are up to
    // date, and with ones that have not begun. Method: random changes and rollbacks; after each
    // append the world is noted, and held against the past at the end.
    @Test(arguments: ProjectionFixture.Following.allCases)
    func `documents and blame at every event are the fold of the events until there`(
        _ following: ProjectionFixture.Following
    ) async throws {
        try await ProjectionFixture.with(following: following) { fixture in
            try await fixture.letAliceIn()
            try await fixture.registerHarbour()
            var seen: [World] = [fixture.writer.world]
            for number in 1...25 {
                try await act(number, fixture, seen)
                seen.append(fixture.writer.world)
            }
            if following == .everything { try await fixture.catchUp() }
            let events = try await fixture.log.events(after: .start)
            for world in seen {
                try await expectPast(world, fixture)
                if following == .everything { try await expectBlame(world, events, fixture) }
            }
            #expect(try await fixture.readModels.history.state(of: harbour, after: .start) == nil)
        }
    }

    private func act(
        _ number: Int,
        _ fixture: ProjectionFixture,
        _ seen: [World]
    ) async throws {
        do {
            if number.isMultiple(of: 5), let target = seen.randomElement() {
                try await fixture.perform(try rollback(to: target))
            } else {
                try await fixture.apply(try edits(number))
            }
        } catch WriteError.refused(let refusal) {
            // By chance, it would change nothing.
            #expect(refusal.objections == [.nothingChanges])
        }
    }

    private func rollback(to world: World) throws -> RollBack {
        let app = try #require(world.app(harbour))
        return RollBack(
            app: harbour,
            platforms: nil,
            request: .event(world.position),
            past: PastState(position: world.position, documents: app.documents),
            reason: try Reason(validating: "Back"),
            by: .system
        )
    }

    /// A value with its texts, or a threshold cleared.
    private func edits(_ number: Int) throws -> [Edit] {
        let platform: Platform = Bool.random() ? .ios : .android
        let name = try #require(platform.thresholds.randomElement())
        if Int.random(in: 0..<5) == 0 { return [Edit(platform, name, .clearThreshold)] }
        let value = platform == .ios ? dotted("\(number).0") : code(Int64(number))
        let texts = try TextPart.allCases.flatMap { part in
            try ["en", "de"].filter { $0 == "en" || Bool.random() }.map {
                Edit(platform, name, .setText(part, tag($0), try text("\(part) \(number)")))
            }
        }
        return [Edit(platform, name, .setValue(value))] + texts
    }

    private func expectPast(_ world: World, _ fixture: ProjectionFixture) async throws {
        let app = try #require(world.app(harbour))
        let found = try await fixture.readModels.history.state(of: harbour, after: world.position)
        let past = try #require(found)
        for platform in app.settings.platforms {
            #expect(past.document(platform) == app.document(platform), "at \(world.position)")
        }
    }

    private func expectBlame(
        _ world: World,
        _ events: [RecordedEvent],
        _ fixture: ProjectionFixture
    ) async throws {
        var documents: [Platform: Document] = [:]
        var touched: [Field: Position] = [:]
        for recorded in events where recorded.position <= world.position {
            guard case .app(let event) = recorded.event, let edit = event.operation else {
                continue
            }
            let before = documents[edit.platform] ?? Document(platform: edit.platform)
            for change in before.changes(by: edit) { touched[change.field] = recorded.position }
            documents[edit.platform, default: before].apply(edit)
        }
        let standing = try await fixture.readModels.standingFields(
            of: harbour,
            after: world.position
        )
        for field in standing {
            #expect(touched[field.field] == field.since)
            #expect(documents[field.field.platform]?[field.field] == field.value)
        }
        #expect(standing.map(\.field) == documents.values.flatMap(\.fields).sorted())
    }
}
