import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

/// The past by the read model is the past by the log.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct TimeTravelTests {
    // Goal: whatever was done, the documents after event N are the fold of the events 1 to N, and
    // each field is blamed on the last event that touched it; with read models that are up to
    // date, and with ones that have not begun. Method: random changes and rollbacks; after each
    // append the state is noted, and held against the past at the end.
    @Test(arguments: ProjectionFixture.Following.allCases, SeededGenerator.seeds)
    func `documents and blame at every event are the fold of the events until there`(
        _ following: ProjectionFixture.Following,
        _ seed: UInt64
    ) async throws {
        try await ProjectionFixture.with(following: following) { fixture in
            try await fixture.letAliceIn()
            try await fixture.registerHarbour()
            var (seen, generator) = ([fixture.writer.logState], SeededGenerator(seed: seed))
            for number in 1...15 {
                try await act(number, fixture, seen, &generator)
                seen.append(fixture.writer.logState)
            }
            if following == .everything { try await fixture.catchUp() }
            let events = try await fixture.log.events(after: .start)
            for logState in seen {
                try await expectPast(logState, fixture)
                if following == .everything { try await expectBlame(logState, events, fixture) }
            }
            #expect(try await fixture.readModels.history.state(of: harbour, after: .start) == nil)
        }
    }

    private func act(
        _ number: Int,
        _ fixture: ProjectionFixture,
        _ seen: [LogState],
        _ generator: inout SeededGenerator
    ) async throws {
        do {
            if number.isMultiple(of: 5), let target = seen.randomElement(using: &generator) {
                try await fixture.perform(try rollback(to: target))
            } else {
                try await fixture.apply(try generator.edits(numbered: number))
            }
        } catch WriteError.refused(let refusal) {
            // By chance, it would change nothing, or leave a document empty.
            let harmless =
                [Objection.nothingChanges] + Platform.allCases.map { .documentEmptied($0) }
            #expect(refusal.objections.allSatisfy(harmless.contains))
        }
    }

    private func rollback(to logState: LogState) throws -> RollBack {
        let app = try #require(logState.app(harbour))
        return RollBack(
            app: harbour,
            platforms: nil,
            request: .event(logState.position),
            past: PastState(position: logState.position, documents: app.documents),
            reason: try Reason(validating: "Back"),
            by: .system
        )
    }

    private func expectPast(_ logState: LogState, _ fixture: ProjectionFixture) async throws {
        let app = try #require(logState.app(harbour))
        let found = try await fixture.readModels.history.state(
            of: harbour,
            after: logState.position
        )
        let past = try #require(found)
        for platform in app.settings.platforms {
            #expect(past.document(platform) == app.document(platform), "at \(logState.position)")
        }
    }

    private func expectBlame(
        _ logState: LogState,
        _ events: [RecordedEvent],
        _ fixture: ProjectionFixture
    ) async throws {
        var documents: [Platform: Document] = [:]
        var touched: [Field: Position] = [:]
        for recorded in events where recorded.position <= logState.position {
            guard case .app(let event) = recorded.event, let edit = event.operation else {
                continue
            }
            let before = documents[edit.platform] ?? Document(platform: edit.platform)
            for change in before.changes(by: edit) { touched[change.field] = recorded.position }
            documents[edit.platform, default: before].apply(edit)
        }
        let standing = try await fixture.readModels.standingFields(
            of: harbour,
            after: logState.position
        )
        for field in standing {
            #expect(touched[field.field] == field.since)
            #expect(documents[field.field.platform]?[field.field] == field.value)
        }
        #expect(standing.map(\.field) == documents.values.flatMap(\.fields).sorted())
    }
}
