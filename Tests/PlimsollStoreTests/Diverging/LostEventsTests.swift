import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// A database that loses its last events under a writer, as a failover to a server does that had not
/// received them.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct LostEventsTests {
    @Test func `nothing is appended to a log that lacks what was acknowledged`() async throws {
        try await withThreeEvents { writer, log in
            try await lose(after: 2)
            await expectReadOnly(.logBehind, at: writer)
            #expect(try await log.head().position == Position(2))
        }
    }

    @Test func `nor to one that went on without it`() async throws {
        try await withThreeEvents { writer, log in
            try await lose(after: 2)
            try await withWriter { other, _ in
                for _ in 1...2 { _ = try await other.perform(CommandRequest(admission())) }
            }
            await expectReadOnly(.logForked, at: writer)
            let head = try await log.head().position
            #expect(writer.logState.position == Position(3))
            await expectReadOnly(.logForked, at: writer)
            #expect(try await log.head().position == head)
        }
    }

    // The negative control: whoever does not say what it stands on is given a position twice.
    @Test func `who says nothing is appended`() async throws {
        try await withThreeEvents { writer, log in
            try await lose(after: 2)
            let command = try CommandRequest(admission())
                .draft(in: writer.logState, recordedAt: .now).0
            let answers = try await log.append([command])
            let again = LogSpan(first: Position(3), last: Position(2 + command.events.count))
            #expect(answers == [.appended(again)])
        }
    }

    @Test func `whoever only follows notices it as well`() async throws {
        try await withThreeEvents(pollInterval: .milliseconds(50)) { writer, _ in
            try await lose(after: 2)
            try await writer.memory.whenForbidden()
            #expect(writer.prohibition?.cause == .logBehind)
            #expect(writer.isOpen)
            #expect(writer.logState.position == Position(3))
        }
    }

    @Test func `every session that begins asks for what is known`() async throws {
        try await withThreeEvents { writer, _ in
            let memory = writer.memory
            #expect(memory.recent.entries.map(\.position) == (1...3).map { Position($0) })
            try await greet(memory)
            #expect(memory.loss == nil)
            try await lose(after: 2)
            try await greet(memory)
            #expect(memory.loss?.cause == .logBehind)
            await expectReadOnly(.logBehind, at: writer)
        }
    }

    // The turn to append is asked for on another way than a lone event.
    @Test func `a group is refused as one command is`() async throws {
        try await withThreeEvents { writer, log in
            try await lose(after: 2)
            let requests = (1...5).map { _ in CommandRequest(admission()) }
            for result in await writer.perform(requests) {
                guard case .failure(.readOnly) = result else {
                    Issue.record("\(result)")
                    continue
                }
            }
            #expect(try await log.head().position == Position(2))
        }
    }

    @Test func `nobody leads on a log that lacks what is known`() async throws {
        try await withThreeEvents { writer, _ in
            let connection = try ScratchDatabase.current.connection
            let terms = LeaseTerms(length: .seconds(60))
            let lead = Leadership(.exporter, on: connection, terms: terms, memory: writer.memory)
            #expect(try await lead.takeIfFree())
            try await lose(after: 2)
            await expectReadOnly(.logBehind, at: writer)
            #expect(throws: LeaseLost.self) { try lead.confirm() }
            #expect(try await !lead.takeIfFree())
            await lead.release()
            let other = Leadership(.exporter, on: connection, terms: terms)
            #expect(try await other.takeIfFree())
            await other.release()
        }
    }

    private func withThreeEvents(
        pollInterval: Duration = .seconds(3600),
        _ body: (Writer, EventLog) async throws -> Void
    ) async throws {
        try await withWriter(pollInterval: pollInterval, clock: { .now }) { writer, log in
            for _ in 1...3 { _ = try await writer.perform(CommandRequest(failure())) }
            try await body(writer, log)
        }
    }

    private func greet(_ memory: LogMemory) async throws {
        let session = DedicatedSession(
            try ScratchDatabase.current.connection,
            greeting: memory.greet
        )
        _ = try await session.query("SELECT 1")
        await session.close()
    }

    private func expectReadOnly(_ cause: Prohibition.Cause, at writer: Writer) async {
        do {
            let receipt = try await writer.perform(CommandRequest(admission()))
            Issue.record("appended as event \(receipt.position)")
        } catch WriteError.readOnly(let prohibition) {
            #expect(prohibition.cause == cause)
        } catch {
            Issue.record(error)
        }
        #expect(writer.prohibition?.cause == cause)
    }
}

/// Takes away what stands behind a position, as only a superuser can.
func lose(after position: Int64) async throws {
    let session = try await Session.open(ScratchDatabase.current.connection)
    for table in ["event", "command"] {
        try await session.execute("ALTER TABLE log.\(identifier: table) DISABLE TRIGGER ALL")
    }
    try await session.execute("DELETE FROM log.event WHERE position > \(position)")
    try await session.execute("DELETE FROM log.command WHERE last_position > \(position)")
    for table in ["event", "command"] {
        let trigger = "\(table)_refuse_change"
        try await session.execute(
            "ALTER TABLE log.\(identifier: table) ENABLE ALWAYS TRIGGER \(identifier: trigger)"
        )
    }
    await session.close()
}
