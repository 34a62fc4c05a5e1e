import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct EventQueryTests {
    // Goal: both bounds take in their own end, as positions and as times. Method: three renewals
    // a minute apart; the bounds are laid on the second one, and a millisecond beside it.
    @Test func `bounds take in both of their ends`() async throws {
        let clock = TestClock(standingAt: earlier)
        try await ProjectionFixture.with(clock: { clock.now }) { fixture in
            try await fixture.registerHarbour()
            var renewals: [(position: Position, time: Instant)] = []
            for _ in 1...3 {
                clock.step(.seconds(60))
                let receipt = try await fixture.perform(OrderRenewal(app: harbour))
                renewals.append((receipt.position, clock.now))
            }
            let positions = renewals.map(\.position)
            let (second, time) = renewals[1]
            let before = time.advanced(by: .milliseconds(-1))
            let after = time.advanced(by: .milliseconds(1))
            for (since, until, expected) in [
                (nil, nil, positions[...]),
                (.position(second), nil, positions[1...]), (.time(time), nil, positions[1...]),
                (.time(after), nil, positions[2...]),
                (nil, .position(second), positions[...1]), (nil, .time(time), positions[...1]),
                (nil, .time(before), positions[...0]),
                (.time(time), .position(second), positions[1...1]),
                (.time(after), .position(second), []),
            ] as [(EventQuery.Bound?, EventQuery.Bound?, ArraySlice<Position>)] {
                #expect(try await fixture.renewals(since, until) == Array(expected))
            }
        }
    }

    // Goal: each filter finds what it names and nothing else, several narrow, and what is repeated
    // means either. Method: two changes of one field in a row; the second has a reason of its own.
    @Test func `an event is found by field, change, correlation and reason`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.applyOneChange(to: "3.1.0")
            let first = fixture.writer.logState.position
            try await fixture.applyOneChange(to: "3.2.0")
            let value = Field(.ios, .minimumApp, .value)
            let words = Field(.ios, .minimumApp, .text(.description, tag("en")))
            let written = try await fixture.found { $0.fields = [value] }
            #expect(written.map(\.fields) == written.map { $0.fields.filter { $0.field == value } })
            #expect(written.count == 2)
            #expect(try await fixture.found { $0.fields = [value, words] }.count == 4)
            #expect(try await fixture.found { $0.platforms = [.ios] }.count == 4)
            #expect(try await fixture.found { $0.platforms = [.android] }.isEmpty)
            let second = try await fixture.found { $0.changes = [change(2)] }
            #expect(second.allSatisfy { $0.position > first && $0.change == change(2) })
            let both = try await fixture.found {
                ($0.changes, $0.fields) = ([change(2)], [value])
            }
            #expect(both.map(\.position) == written.suffix(1).map(\.position))
            let correlation = try #require(both.first?.recorded.origin.correlation)
            let action = try await fixture.found { $0.correlations = [correlation] }
            #expect(action.count == 4)
            #expect(action.last?.position == fixture.writer.logState.position)
        }
    }

    @Test func `words of a reason are found as they are written, in capitals or not`()
        async throws
    {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.registerHarbour()
            for reason in ["100% of_them crash", "Nothing \\ of this"] {
                try await fixture.propose(because: reason)
            }
            for (words, count) in [
                (["CRASH"], 1), (["100% of_"], 1), (["of"], 2), (["\\"], 1), (["_"], 1), (["%"], 1),
                (["crash", "nothing"], 2), (["o_of"], 0), (["100%h"], 0),
            ] {
                let found = try await fixture.found {
                    ($0.reasons, $0.types) = (words, [.changeProposed])
                }
                #expect(found.count == count, "\(words)")
            }
        }
    }
}

extension EventQueryTests {
    @Test func `what no one index finds is a search`() {
        func isSearch(_ narrow: (inout EventQuery) -> Void) -> Bool {
            var query = EventQuery()
            narrow(&query)
            return query.isSearch
        }
        #expect(!isSearch { _ in })
        #expect(!isSearch { $0.actors = [alice] })
        #expect(!isSearch { ($0.apps, $0.types) = ([harbour], [.changeApplied]) })
        #expect(isSearch { ($0.actors, $0.types) = ([alice], [.changeApplied]) })
        #expect(isSearch { ($0.actors, $0.apps) = ([alice], [harbour]) })
        #expect(!isSearch { ($0.actors, $0.apps, $0.changes) = ([alice], [harbour], [change(1)]) })
    }

    // Goal: however many search the record, others are answered. Method: a table that searches alone
    // need is locked, and more search than there are sessions.
    @Test func `searches leave sessions for whoever asks for something else`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.registerHarbour()
            let position = fixture.writer.logState.position
            let connection = try ScratchDatabase.current.connection
            var limits = PoolLimits()
            limits.sessionsMaximum = 2
            let pool = SessionPool(connection, settings: .service, limits: limits)
            let models = ReadModels(
                log: EventLog(pool),
                database: pool,
                progress: fixture.progress[0],
                patience: .seconds(60)
            )
            var (search, look) = (EventQuery(), EventQuery())
            (search.platforms, look.apps) = ([.ios], [harbour])
            let holder = try await Session.open(connection)
            let watcher = try await Session.open(connection)
            try await withThrowingTaskGroup { group in
                try await holder.withTransaction { transaction in
                    try await transaction.execute("LOCK TABLE projection.event_field")
                    for _ in 1...4 {
                        group.addTask { [search] in
                            _ = try await models.recorded(search, upTo: position)
                        }
                    }
                    try await eventually("a search waits") { try await waiting(watcher) > 0 }
                    for _ in 1...20 {
                        #expect(try await !models.recorded(look, upTo: position).isEmpty)
                    }
                    #expect(try await waiting(watcher) == 1)
                }
                try await group.waitForAll()
            }
            await holder.close()
            await watcher.close()
            await pool.close()
        }
    }

    // Goal: an export does not break off. Method: a search has the turn for longer than others wait,
    // and the export has written its first part.
    @Test func `a record that is being written out waits for searches as long as it takes`()
        async throws
    {
        try await ProjectionFixture.with { fixture in
            try await fixture.registerHarbour()
            for _ in 0..<300 { try await fixture.perform(failure()) }
            let position = fixture.writer.logState.position
            let models = ReadModels(
                log: fixture.log,
                database: fixture.pool,
                progress: fixture.progress[0],
                patience: .seconds(60),
                searchPatience: .zero
            )
            var (search, export) = (EventQuery(), EventQuery())
            search.platforms = [.ios]
            export.types = [.publicationFailed]
            export.actors = [.system]
            let holder = try await Session.open(ScratchDatabase.current.connection)
            let watcher = try await Session.open(ScratchDatabase.current.connection)
            let first = try await models.record(
                export,
                upTo: position,
                atMost: nil,
                signedBy: nil
            ).next()
            #expect(first.events.count == 250)
            try await withThrowingTaskGroup { group in
                try await holder.withTransaction { transaction in
                    try await transaction.execute("LOCK TABLE projection.event_field")
                    group.addTask { [search] in
                        _ = try await models.recorded(search, upTo: position)
                    }
                    try await eventually("a search waits") { try await waiting(watcher) > 0 }
                    group.addTask {
                        let rest = try await first.reading.next().events
                        #expect(rest.count == 50)
                    }
                    for _ in 1...20 {
                        let error = await #expect(throws: PostgresError.self) {
                            _ = try await models.recorded(search, upTo: position)
                        }
                        #expect(error?.kind == .timedOut(.turn))
                    }
                }
                try await group.waitForAll()
            }
            await holder.close()
            await watcher.close()
        }
    }

    /// How many sessions wait for a lock of somebody's.
    private func waiting(_ watcher: Session) async throws -> Int64 {
        let row = try await watcher.first(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        )
        return try row?.value(at: 0) ?? 0
    }
}

extension ProjectionFixture {
    fileprivate func found(_ narrow: (inout EventQuery) -> Void) async throws -> [AuditedEvent] {
        var query = EventQuery()
        query.order = .oldestFirst
        narrow(&query)
        return try await readModels.events(query, upTo: writer.logState.position)
    }

    func propose(because reason: String) async throws {
        let base = writer.logState.position
        let plain = try raise(to: "3.1.0", base: base, by: alice)
        try await perform(
            ProposeChange(
                app: harbour,
                title: plain.title,
                reason: try Reason(validating: reason),
                base: base,
                operations: plain.operations,
                by: alice
            )
        )
    }

    fileprivate func renewals(
        _ since: EventQuery.Bound?,
        _ until: EventQuery.Bound?
    ) async throws -> [Position] {
        var query = EventQuery()
        query.types = [.renewalOrdered]
        query.order = .oldestFirst
        (query.since, query.until) = (since, until)
        return try await readModels.events(query, upTo: writer.logState.position).map(\.position)
    }
}
