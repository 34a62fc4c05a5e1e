import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite struct RecentEventsTests {
    @Test func `what follows a position is had, or is known not to be kept`() throws {
        let recent = RecentEvents()
        let events = try events()
        #expect(recent.events(after: .start) == nil)
        recent.append(Array(events.prefix(3)))
        recent.append(Array(events.dropFirst(3)))
        let end = try #require(events.last).position
        #expect(recent.events(after: .start) == events)
        #expect(recent.events(after: Position(2)) == Array(events.dropFirst(2)))
        #expect(recent.events(after: end.before) == events.suffix(1))
        #expect(recent.events(after: end) == nil)
        recent.forget()
        #expect(recent.events(after: .start) == nil)
    }

    @Test func `after a gap it begins anew`() throws {
        let recent = RecentEvents()
        let events = try events()
        recent.append(Array(events.prefix(2)))
        recent.append(Array(events.dropFirst(4)))
        #expect(recent.events(after: .start) == nil)
        #expect(recent.events(after: Position(4)) == Array(events.dropFirst(4)))
    }

    // Method: what comes at once is more than is kept, or just as much, behind a few that are there.
    @Test(arguments: [-1, 0, 1, 2, 1500])
    func `of an append that is longer than what is kept its end is kept, without a gap`(
        surplus: Int
    ) throws {
        var given = try Given.harbourApp()
        let few = given.events.count
        let count = RecentEvents.countMaximum + surplus
        for number in 1...(count + 1) {
            let operation = Operation(.ios, .minimumApp, .setValue(dotted("3.\(number)")))
            given = given.when(.system, (.app(harbour), .app(AppEvent(operation))))
        }
        let events = batch(of: given).events
        let recent = RecentEvents()
        recent.append(Array(events[..<few]))
        recent.append(Array(events[few..<(few + count)]))
        let end = events[few + count - 1].position
        let kept = events[..<(few + count)].suffix(RecentEvents.countMaximum)
        let first = try #require(kept.first).position
        #expect(recent.events(after: first.before) == Array(kept))
        if surplus > 0 { #expect(recent.events(after: first.before.before) == nil) }
        #expect(recent.events(after: end) == nil)
        recent.append([events[few + count]])
        #expect(recent.events(after: end) == [events[few + count]])
    }

    private func batch(of given: Given) -> Batch {
        var batch = Batch(on: LogState())
        for append in appends(of: given.events[...]) { batch.take(append: append) }
        return batch
    }

    private func events() throws -> [AuditedEvent] {
        let given = try Given.harbourApp()
        let applied = given.when(try raise(to: "3.2.0", base: given.logState.position))
        return batch(of: applied).events
    }
}

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct EventMatchingTests {
    // Goal: who follows the record and who lists it get the same events. Method: each filter, over
    // the same log, as a statement and as a question to each event. Before the last of them the
    // clock was set back.
    @Test func `an event meets a question exactly when the statement finds it`() async throws {
        let clock = TestClock(standingAt: earlier)
        try await ProjectionFixture.with(clock: { clock.now }) { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            clock.step(.seconds(60))
            try await fixture.applyOneChange(to: "3.2.0")
            clock.step(.seconds(-30))
            try await fixture.propose(because: "3.1 loses data")
            let end = fixture.writer.logState.position
            var all = EventQuery()
            all.order = .oldestFirst
            let events = try await fixture.readModels.events(all, upTo: end)
            let sample = try #require(events.last)
            #expect(sample.recorded.recordedAt < sample.reachedAt)
            for narrow in narrowings(like: sample) {
                var query = all
                narrow(&query)
                let found = try await fixture.readModels.events(query, upTo: end)
                #expect(found == events.filter(query.isMet), "\(query)")
                #expect(!found.isEmpty && found.count < events.count, "\(query)")
            }
        }
    }

    private func narrowings(like sample: AuditedEvent) -> [(inout EventQuery) -> Void] {
        let value = Field(.ios, .minimumApp, .value)
        return [
            { $0.apps = [harbour] }, { $0.types = [.thresholdSet, .textSet] },
            { $0.actors = [alice] }, { $0.changes = [change(2)] },
            { $0.correlations = [sample.recorded.origin.correlation] },
            { $0.fields = [value] }, { $0.platforms = [.ios] },
            { ($0.fields, $0.changes) = ([value], [change(1)]) },
            { $0.reasons = ["LOSES", "100%"] },
            { $0.since = .time(sample.reachedAt) },
            { $0.until = .time(sample.recorded.recordedAt) },
        ]
    }
}
