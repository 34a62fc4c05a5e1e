import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite struct BatchTests {
    @Test func `the effect of an applied change is against what was live before it`() throws {
        let row = try #require(batch(try applied()).changes[change(1)])
        #expect(row.state == .applied)
        #expect(
            row.effect.map(\.field.path) == [
                "ios.minimumApp.description.en", "ios.minimumApp.value",
            ]
        )
        #expect(row.effect.allSatisfy { $0.before == nil })
    }

    @Test func `a rejection in a later batch still knows its change`() throws {
        let proposed = try proposed()
        let first = batch(proposed)
        let rejected = proposed.when(
            try proposed.turnDown(change(1), .rejected, because: "too early")
        )
        var second = Batch(on: first.logState)
        take(rejected.events.dropFirst(proposed.events.count), into: &second)
        let row = try #require(second.changes[change(1)])
        #expect(row.state == .rejected)
        #expect(row.effect.count == 2)
        #expect(row.change.author == alice)
        #expect(row.position == rejected.logState.position)
    }

    @Test func `events are found by the app they are about`() throws {
        let rows = batch(try applied()).events
        #expect(rows.map(\.recorded.position.rawValue) == Array(1...Int64(rows.count)))
        for row in rows {
            let isAboutAnApp = row.recorded.stream != .access
            #expect((row.app != nil) == isAboutAnApp)
        }
    }

    @Test func `events have what they did to each field, and the change they belong to`() throws {
        var given = try applied()
        given = given.when(try raise(to: "3.3.0", base: given.logState.position))
        given = given.when(given.approve(change(2)))
        let batch = batch(given)
        let ofChange = batch.events.filter { $0.change == change(2) }
        let types = ofChange.map(\.recorded.stream)
        #expect(Set(types) == [.change(change(2)), .app(harbour)])
        let fields = ofChange.flatMap(\.fields).sorted { $0.field < $1.field }
        #expect(fields == batch.changes[change(2)]?.effect)
        #expect(fields.last?.before == .version(dotted("3.2.0")))
        let access = batch.events.filter { $0.recorded.stream == .access }
        #expect(!access.isEmpty && access.allSatisfy { $0.change == nil })
    }

    // Method: two changes of the same field wait for their times, so that the first to come into
    // force says of the other that it was overtaken, before it says that it was applied.
    @Test func `fields belong to the change that came into force, not to what it overtook`() throws
    {
        var given = try Given.harbourApp().at(testNow)
        for (id, hours) in [(1, 1), (2, 2)] as [(Int64, Int)] {
            let start = testNow.advanced(by: .seconds(hours * 3600))
            given = given.when(
                try raise(to: "3.\(id).0", base: given.logState.position, at: start)
            )
            given = given.when(given.approve(change(id)))
        }
        let waiting = given.events.count
        given = given.at(testNow.advanced(by: .seconds(3600)))
            .when(ApplyDueChange(change: change(1), hash: testHash))
        let applied = batch(given).events.dropFirst(waiting)
        #expect(applied.map(\.change) == [change(1), change(1), change(2), change(1)])
        #expect(applied.flatMap(\.fields).count == 2)
    }

    @Test func `what clears a threshold takes each of its fields`() throws {
        let given = try applied()
        let app = try #require(given.logState.app(harbour))
        let after = given.when(
            root,
            (.app(harbour), .app(.thresholdCleared(.ios, .minimumApp)))
        )
        let cleared = try #require(batch(after).events.last)
        #expect(cleared.fields == app.document(.ios).changes(to: Document(platform: .ios)))
        #expect(cleared.fields.count == 2)
    }

    @Test func `folding in one batch or in many gives the same documents`() throws {
        let given = try applied()
        var step = Batch(on: LogState())
        for append in appends(of: given.events[...]) {
            var next = Batch(on: step.logState)
            next.take(append: append)
            step = next
        }
        #expect(step.logState == batch(given).logState)
    }

    private func proposed() throws -> Given {
        let given = try Given.harbourApp()
        return given.when(try raise(to: "3.2.0", base: given.logState.position))
    }

    private func applied() throws -> Given {
        let given = try proposed()
        return given.when(given.approve(change(1)))
    }

    private func batch(_ given: Given) -> Batch {
        var batch = Batch(on: LogState())
        take(given.events[...], into: &batch)
        return batch
    }

    private func take(_ events: ArraySlice<RecordedEvent>, into batch: inout Batch) {
        for append in appends(of: events) { batch.take(append: append) }
    }
}

@Suite struct ReadModelJSONTests {
    @Test(arguments: [
        "", "{}", "[1]", "[{}]", #"[{"after":"1","before":null,"field":"ios"}]"#,
        #"[{"after":23,"before":null,"field":"ios.minimumOS.value"}]"#,
        #"[{"after":null,"before":"23","field":"android.minimumOS.value"}]"#,
        #"[{"after":"x","before":null,"field":"ios.minimumOS.value"}]"#,
        #"[{"after":"","before":null,"field":"ios.minimumOS.title.en"}]"#,
    ])
    func `what the projector never writes is refused`(_ json: String) {
        #expect(throws: CorruptReadModel.self) {
            try PlimsollStore.effect(json: Array(json.utf8))
        }
    }

    @Test func `an effect is read back as it was written`() throws {
        let effect = [
            FieldChange(
                field: Field(.android, .minimumApp, .value),
                before: nil,
                after: .version(code(8))
            ),
            FieldChange(
                field: Field(.ios, .minimumApp, .text(.title, tag("en"))),
                before: .text(try text("Update\n\"now\" \\ é")),
                after: nil
            ),
            FieldChange(
                field: Field(.ios, .minimumOS, .value),
                before: .version(dotted("6.00")),
                after: .version(dotted("6.1"))
            ),
        ]
        #expect(try PlimsollStore.effect(json: effectJSON(effect)) == effect)
    }
}
