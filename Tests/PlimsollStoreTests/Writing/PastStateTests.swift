import Foundation
import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// What the log came to before, which answers that are given again tell of.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct PastStateTests {
    // Goal: who repeats a request costs no reading of the whole log. Method: the log can be read from
    // its beginning no more.
    @Test func `it is what the command left, and the log is not read from its beginning`()
        async throws
    {
        try await withWriter { writer, _ in
            var receipts = [try await writer.perform(CommandRequest(try registration()))]
            for number in 1...300 {
                let command = failure("Failure \(number)")
                receipts.append(try await writer.perform(CommandRequest(command)))
            }
            let owner = try await Session.open(ScratchDatabase.current.connection)
            try await owner.script(
                """
                ALTER TABLE log.event DISABLE TRIGGER ALL;
                UPDATE log.event SET entry = 'x' WHERE position = 1
                """
            )
            await owner.close()
            for receipt in receipts.shuffled() {
                let past = try await writer.logState(at: receipt.position)
                #expect(past == receipt.logState)
            }
            await #expect(throws: LogError.self) { try await writer.logState(at: Position(1)) }
        }
    }

    @Test func `many ask for one at once`() async throws {
        try await withWriter { writer, log in
            let first = try await writer.perform(CommandRequest(try registration()))
            let past = PastStates()
            let states = try await withThrowingTaskGroup { group in
                for _ in 0..<64 {
                    group.addTask { try await past.state(at: first.position, of: log) }
                }
                return try await group.reduce(into: [LogState]()) { $0.append($1) }
            }
            #expect(states.count == 64)
            #expect(states.allSatisfy { $0 == first.logState })
        }
    }
}

struct KeptStateTests {
    @Test func `few are kept, and no gap is wide for how long ago it is`() throws {
        let count = 50_000
        var (kept, state) = (KeptStates(), LogState())
        let command = CommandID(UUID())
        for number in 1...count {
            state.evolve(
                RecordedEvent(
                    position: Position(number),
                    id: UUID(),
                    stream: .export(harbour),
                    revision: Revision(number),
                    recordedAt: Instant(millisecondsSince1970: Int64(number)),
                    command: command,
                    origin: Origin(actor: .system, authentication: .service, correlation: UUID()),
                    event: .export(failure().event)
                )
            )
            kept.keep(state)
            kept.keep(state)
        }
        #expect(kept.count < 300)
        #expect(kept.last(upTo: Position(count)) == state)
        #expect(kept.last(upTo: .start) == nil)
        for number in stride(from: 1, through: count, by: 7) {
            let base = try #require(kept.last(upTo: Position(number))).position.rawValue
            let age = count - number
            #expect(number - Int(base) <= age / 4 + 8, "\(number) from \(base)")
        }
    }

    @Test func `what is folded later finds its place`() throws {
        let given = try Given.harbourApp()
        var (states, state) = ([LogState](), LogState())
        for event in given.events {
            state.evolve(event)
            states.append(state)
        }
        var kept = KeptStates()
        for state in states.reversed() + states { kept.keep(state) }
        #expect(kept.count == states.count)
        for state in states { #expect(kept.last(upTo: state.position) == state) }
    }
}
