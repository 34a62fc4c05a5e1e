import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// The short way of appending: that it is taken, and that it is left without a trace.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct PlainAppendTests {
    private let app = StreamName.app(harbour)

    /// A log with two events, one in `app` and one in `access`.
    private func withBegunLog(
        _ body: (inout CommandBuilder, EventLog, Session) async throws -> Void
    ) async throws {
        try await withLog { log, session in
            var build = CommandBuilder()
            _ = try await log.append([try build.command(on: app), try build.command(on: .access)])
            try await body(&build, log, session)
        }
    }

    /// What the short way answers: the position before the group, or nothing.
    private func head(
        _ group: [LogCommand],
        on known: LogTip? = nil,
        _ session: Session
    ) async throws -> Int64? {
        let plain = try #require(PlainGroup(group))
        return try await session.first(plain.statement(on: known))?.value(at: 0)
    }

    @Test func `a command with one event takes it`() async throws {
        try await withBegunLog { build, log, session in
            for reads in [[], [(StreamName.access, 1)], [(.access, 1), (.keys, 0)]] {
                let before = try await log.head().position
                let command = try build.command(on: app, reads: reads.map(expectation))
                #expect(try await head([command], session) == before.rawValue)
                let events = try await log.events(after: before)
                #expect(events.map(\.id) == command.events.map(\.recorded.id))
                let known = try await log.commands([command.identity.id])[command.identity.id]
                let end = before.advanced(by: 1)
                #expect(known?.command.span == LogSpan(first: end, last: end))
                #expect(known?.requestDigest == command.identity.requestDigest)
            }
        }
    }

    @Test func `a group takes it, whoever wrote what before`() async throws {
        try await withBegunLog { build, log, session in
            let group = [
                try build.command(on: app, app, .keys),
                try build.command(
                    on: .keys,
                    reads: [expectation(app, 3), expectation(.access, 1)]
                ),
                try build.command(on: app, .change(change(1)), reads: [expectation(.keys, 2)]),
            ]
            #expect(try await head(group, session) == 2)
            let events = try await log.events(after: Position(2))
            #expect(events.map(\.id) == group.flatMap(\.events).map(\.recorded.id))
            #expect(events.map(\.command) == group.flatMap(owners))
            let known = try await log.commands(group.map(\.identity.id))
            let spans = group.map { known[$0.identity.id]?.command.span }
            #expect(spans == [span(3, 5), span(6, 6), span(7, 8)])
        }
    }

    @Test func `what the log says otherwise leaves nothing behind`() async throws {
        try await withBegunLog { build, log, session in
            let id = CommandID(UUID())
            _ = try await log.append([try build.command(on: app, id: id)])
            let begun = build
            for lone in [true, false] {
                for flaw in Flaw.allCases {
                    build = begun
                    if flaw == .late { build.time = build.time.advanced(by: .milliseconds(-1)) }
                    if flaw == .behind { build.reset(app, to: 1) }
                    if flaw == .ahead { build.reset(app, to: 3) }
                    var group = [
                        try build.command(
                            on: app,
                            id: flaw == .known ? id : CommandID(UUID()),
                            reads: flaw.reads.map(expectation)
                        )
                    ]
                    if !lone { group.insert(try build.command(on: .keys), at: 0) }
                    #expect(try await head(group, session) == nil, "\(flaw), alone: \(lone)")
                    #expect(try await log.head().position == Position(3))
                    let fresh = group.map(\.identity.id).filter { $0 != id }
                    #expect(try await log.commands(fresh).isEmpty)
                }
            }
        }
    }

    private enum Flaw: CaseIterable {
        case known, late, behind, ahead, staleFirstRead, staleSecondRead

        var reads: [(StreamName, Int)] {
            switch self {
            case .known, .late, .behind, .ahead: []
            case .staleFirstRead: [(.access, 0), (.service, 0)]
            case .staleSecondRead: [(.access, 1), (.service, 1)]
            }
        }
    }

    @Test func `who knows the log takes it, as far as what was read is as it was`() async throws {
        try await withBegunLog { build, log, session in
            let first = try await tip(1, log)
            for lone in [true, false] {
                let end = try await log.head().position
                let begun = build
                let stale = try group(&build, lone, reads: [expectation(.access, 0)])
                #expect(try await head(stale, on: first, session) == nil, "alone: \(lone)")
                build = begun
                let read = [expectation(.access, 1)]
                let behind = try group(&build, lone, reads: read)
                #expect(try await head(behind, on: first, session) == end.rawValue)
                let last = try await tip(log.head().position.rawValue, log)
                let upToDate = try group(&build, lone, reads: read)
                #expect(try await head(upToDate, on: last, session) == last.position.rawValue)
            }
        }
    }

    @Test func `who knows another log is refused, and nothing is written`() async throws {
        try await withBegunLog { build, log, session in
            let leaf = try await tip(1, log).leaf
            let flaws: [(Int64, SQLState)] = [(1, "PLFRK"), (2, "PLFRK"), (3, "PLBHD")]
            for lone in [true, false] {
                for (position, state) in flaws {
                    let other = position == 1 ? MerkleHash.emptyTree : leaf
                    let known = LogTip(position: Position(Int(position)), leaf: other)
                    var attempt = build
                    let commands = try group(&attempt, lone, reads: [])
                    let error = await #expect(throws: PostgresError.self) {
                        _ = try await head(commands, on: known, session)
                    }
                    #expect(error?.sqlState == state, "\(position), alone: \(lone)")
                    #expect(try await log.head().position == Position(2))
                }
            }
        }
    }

    @Test func `while somebody is to append next it is left to the long way`() async throws {
        try await withBegunLog { build, _, session in
            let owner = try await Session.open(ScratchDatabase.current.connection)
            for lone in [true, false] {
                let begun = build
                let start = ContinuousClock.now
                try await giveTurn(.milliseconds(450), by: owner)
                let answer = try await head(try group(&build, lone, reads: []), session)
                if ContinuousClock.now - start < .milliseconds(450) { #expect(answer == nil) }
                if answer == nil { build = begun }
                // That is no turn: the clock was set back.
                try await giveTurn(.seconds(3600), by: owner)
                #expect(try await head(try group(&build, lone, reads: []), session) != nil)
            }
            await owner.close()
        }
    }

    private func giveTurn(_ length: Duration, by owner: Session) async throws {
        try await owner.execute("DELETE FROM instance.turn")
        try await owner.execute(
            """
            INSERT INTO instance.turn (ends_at, backend)
            VALUES (clock_timestamp() + \(length / .milliseconds(1)) * interval '1 ms', 0)
            """
        )
    }

    // What it would append has no authenticator, and nobody would believe it.
    @Test func `an instance of before is refused`() async throws {
        try await withBegunLog { build, log, session in
            let command = try build.command(on: app)
            let event = command.events[0]
            let refusal = await #expect(throws: PostgresError.self) {
                try await session.first(
                    """
                    SELECT log.append_one(
                        \(command.identity.id.uuid), \(command.identity.requestDigest),
                        \(command.outcome), \(Timestamp(command.recordedAt)), NULL, NULL,
                        \(event.recorded.stream.text), \(event.recorded.revision.rawValue),
                        \(event.type.rawValue), \(event.shape), \(event.recorded.id),
                        \(event.entry)
                    )
                    """
                )
            }
            #expect(refusal?.sqlState == "42883")
        }
    }

    @Test func `an empty log is left to the long way`() async throws {
        try await withLog { log, session in
            var build = CommandBuilder()
            for command in [try build.command(on: app), try build.command(on: .keys, .keys)] {
                #expect(try await head([command], session) == nil)
            }
            #expect(try await log.head().position == .start)
        }
    }

    @Test func `a group that contradicts itself does not ask`() throws {
        var build = CommandBuilder()
        let first = try build.command(on: app)
        let sameID = try build.command(on: app, id: first.identity.id)
        let eventless = try build.command()
        let staleRead = try build.command(on: .keys, reads: [expectation(app, 0)])
        build.reset(app, to: 2)
        let leap = try build.command(on: app)
        build.reset(app, to: 1)
        build.time = build.time.advanced(by: .milliseconds(1))
        let later = try build.command(on: app)
        #expect(PlainGroup([first]) != nil)
        for second in [sameID, eventless, staleRead, leap, later] {
            #expect(PlainGroup([first, second]) == nil)
        }
    }

    /// One command with one event, or two commands.
    private func group(
        _ build: inout CommandBuilder,
        _ lone: Bool,
        reads: [StreamExpectation]
    ) throws -> [LogCommand] {
        let last = try build.command(on: app, reads: reads)
        return lone ? [last] : [last, try build.command(on: .keys)]
    }

    private func tip(_ position: Int64, _ log: EventLog) async throws -> LogTip {
        let place = try #require(Position(rawValue: position))
        return try await log.tip(of: try #require(try await log.event(at: place)))
    }

    private func owners(_ command: LogCommand) -> [CommandID] {
        command.events.map { _ in command.identity.id }
    }

    private func expectation(_ stream: StreamName, _ revision: Int) -> StreamExpectation {
        StreamExpectation(stream, at: Revision(revision))
    }
}
