import FoundationEssentials
import PlimsollDomain
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
    private func head(_ group: [LogCommand], _ session: Session) async throws -> Int64? {
        let plain = try #require(PlainGroup(group))
        return try await session.first(plain.statement(on: nil))?.value(at: 0)
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

    private func owners(_ command: LogCommand) -> [CommandID] {
        command.events.map { _ in command.identity.id }
    }

    private func expectation(_ stream: StreamName, _ revision: Int) -> StreamExpectation {
        StreamExpectation(stream, at: Revision(revision))
    }
}
