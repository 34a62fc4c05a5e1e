import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct AppendTests {
    private let app = StreamName.app(harbour)

    @Test func `a group gets positions in its order, and is read back as it was`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let group = [
                try build.command(on: app), try build.command(on: app, .access, app),
                try build.command(), try build.command(on: .keys),
            ]
            let answers = try await log.append(group)
            #expect(
                answers == [
                    .appended(span(1, 1)), .appended(span(2, 4)), .appended(span(nil, 4)),
                    .appended(span(5, 5)),
                ]
            )
            let events = try await log.events(after: .start)
            #expect(events.map(\.position) == (1...5).map { Position($0) })
            #expect(events.map(\.id) == group.flatMap(\.events).map(\.recorded.id))
            #expect(try await log.head() == LogHead(position: Position(5)))
            #expect(events.last?.recordedAt == build.time)
            #expect(try await log.events(of: app).map(\.revision.rawValue) == [1, 2, 3])
            #expect(try await log.events(of: app, after: Revision(1), limit: 1).count == 1)
            #expect(try await log.event(at: Position(4))?.id == events[3].id)
            #expect(try await log.event(at: Position(6)) == nil)
            #expect(try await log.event(at: .start) == nil)
            #expect(try await log.events(in: span(2, 4)).count == 3)
        }
    }

    @Test func `an empty log has no head and nothing to read`() async throws {
        try await withLog { log, _ in
            let head = try await log.head()
            #expect(head == LogHead(position: .start))
            #expect(try await log.events(after: .start).isEmpty)
            #expect(try await log.append([]).isEmpty)
            #expect(try await log.commands([CommandID(UUID())]).isEmpty)
        }
    }

    @Test(arguments: [1, 2])
    func `a repeated command gets its first answer, and nothing is written`(
        events: Int
    ) async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let streams = Array(repeating: app, count: events)
            let first = try build.command(on: streams[0])
            let two = LogCommand(
                identity: first.identity,
                outcome: first.outcome,
                recordedAt: first.recordedAt,
                expectations: first.expectations,
                events: first.events
                    + (events == 2 ? [try build.event(on: app, by: first.identity.id)] : [])
            )
            #expect(try await log.append([two]) == [.appended(span(1, events))])
            build.time = build.time.advanced(by: .seconds(9))
            let again = try build.command(on: app, id: first.identity.id, outcome: [9])
            let known = KnownCommand(
                span: span(1, events),
                outcome: [2],
                recordedAt: first.recordedAt
            )
            #expect(try await log.append([again]) == [.duplicate(known)])
            #expect(
                try await log.commands([first.identity.id])[first.identity.id]?.command == known
            )
            #expect(try await log.head().position == Position(events))
        }
    }

    @Test func `the same id with another request is a mismatch`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let first = try build.command(on: app)
            _ = try await log.append([first])
            let other = try build.command(on: app, id: first.identity.id, digest: [7])
            #expect(try await log.append([other]) == [.mismatch])
            let longer = try build.command(on: app, .keys, id: first.identity.id, digest: [7])
            #expect(try await log.append([longer]) == [.mismatch])
            #expect(try await log.head().position == Position(1))
        }
    }

    @Test func `the same id twice in a group gets the first one's answer`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let first = try build.command(on: app)
            let second = try build.command(on: app, id: first.identity.id)
            let third = try build.command(on: app)
            let known = KnownCommand(span: span(1, 1), outcome: [2], recordedAt: build.time)
            #expect(
                try await log.append([first, second, third]) == [
                    .appended(span(1, 1)), .duplicate(known), .undecided,
                ]
            )
        }
    }

    @Test func `a conflict in the middle lets the ones before it through`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let group = [
                try build.command(on: app),
                try build.command(on: .keys, reads: [StreamExpectation(.access, at: Revision(3))]),
                try build.command(on: app),
            ]
            #expect(
                try await log.append(group) == [
                    .appended(span(1, 1)), .conflict(.access, .none), .undecided,
                ]
            )
            #expect(try await log.head().position == Position(1))
        }
    }

    @Test func `a stale stream is told with the revision it has`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            _ = try await log.append([try build.command(on: app, app)])
            for streams in [[app], [app, .keys]] {
                build.reset(app, to: 1)
                var command = try build.command(on: streams[0])
                if streams.count == 2 {
                    build.reset(app, to: 1)
                    command = try build.command(on: app, .keys)
                }
                #expect(try await log.append([command]) == [.conflict(app, Revision(2))])
            }
        }
    }

    @Test func `a stream that was only read counts, too`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            _ = try await log.append([try build.command(on: .access)])
            let stale = try build.command(
                on: app,
                reads: [StreamExpectation(.access, at: .none)]
            )
            #expect(try await log.append([stale]) == [.conflict(.access, Revision(1))])
            build.reset(app, to: 0)
            let good = try build.command(
                on: app,
                reads: [StreamExpectation(.access, at: Revision(1))]
            )
            #expect(try await log.append([good]) == [.appended(span(2, 2))])
        }
    }

    @Test func `a time a little before the last one is answered, one long before is kept`()
        async throws
    {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let last = build.time
            _ = try await log.append([try build.command(on: app)])
            for step in [Duration.milliseconds(1), .seconds(5)] {
                build.time = last.advanced(by: .zero - step)
                for others in [[], [StreamExpectation(.access, at: .none)]] {
                    build.reset(app, to: 1)
                    let command = try build.command(on: app, app, reads: others)
                    #expect(try await log.append([command]) == [.clockBehind(last)])
                }
            }
            build.time = last.advanced(by: .milliseconds(-5001))
            build.reset(app, to: 1)
            #expect(try await log.append([try build.command(on: app)]) == [.appended(span(2, 2))])
            #expect(try await log.event(at: Position(2))?.recordedAt == build.time)
        }
    }

    @Test func `time goes back within a group neither`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let first = try build.command(on: app)
            build.time = first.recordedAt.advanced(by: .milliseconds(-1))
            let second = try build.command(on: app)
            #expect(
                try await log.append([first, second]) == [
                    .appended(span(1, 1)), .clockBehind(first.recordedAt),
                ]
            )
        }
    }

    @Test func `revisions that do not follow one another are a mistake of the caller`()
        async throws
    {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let id = CommandID(UUID())
            let first = try build.event(on: app, by: id)
            build.reset(app, to: 2)
            let third = try build.event(on: app, by: id)
            let command = LogCommand(
                identity: CommandIdentity(id: id, requestDigest: []),
                outcome: [],
                recordedAt: build.time,
                expectations: [StreamExpectation(app, at: .none)],
                events: [first, third]
            )
            await #expect(throws: PostgresError.self) { try await log.append([command]) }
            #expect(try await log.head().position == .start)
        }
    }

    @Test func `a group of many commands with many events goes through whole`() async throws {
        try await withLog { log, _ in
            var build = CommandBuilder()
            let group = try (1...200).map { number in
                try build.command(on: app, .change(change(Int64(number))), app)
            }
            let answers = try await log.append(group)
            #expect(answers == (0..<200).map { .appended(span(3 * $0 + 1, 3 * $0 + 3)) })
            #expect(try await log.events(after: .start, limit: 599).count == 599)
            #expect(try await log.events(of: app, limit: 400).count == 400)
        }
    }

    @Test func `an append in a transaction with an older snapshot is refused`() async throws {
        try await withLog { log, session in
            var build = CommandBuilder()
            for begin in [
                "BEGIN ISOLATION LEVEL REPEATABLE READ", "BEGIN ISOLATION LEVEL SERIALIZABLE",
            ] as [Statement] {
                for streams in [1, 2] {
                    try await session.execute(begin)
                    let command =
                        streams == 1
                        ? try build.command(on: app) : try build.command(on: app, app)
                    await #expect(throws: PostgresError.self) { try await log.append([command]) }
                    try await session.execute("ROLLBACK")
                }
            }
            #expect(try await log.head().position == .start)
        }
    }
}
