import Logging
import PlimsollDomain
import PlimsollLog
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// What the database said that it has appended counts, also before all that precedes it was read.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(2)))
struct PromisedEventTests {
    @Test(arguments: [1, 2])
    func `a database without a promised event has lost it`(promised: Int) async throws {
        try await withLog { log, session in
            var builder = CommandBuilder()
            let command = try builder.command(on: .access)
            _ = try await log.append([command])
            let memory = LogMemory(logger: Logger(label: "test"))
            let leaf = MerkleHash.leaf(try #require(command.events.last).entry)
            memory.add([], upTo: LogTip(position: Position(1), leaf: leaf))
            memory.add(promised: LogTip(position: Position(promised), leaf: leaf))
            try await memory.greet(session)
            #expect(memory.loss?.cause == (promised == 1 ? nil : .logBehind))
        }
    }
}
