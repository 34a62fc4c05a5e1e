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
        try await withWriter { writer, log in
            let receipts = try await written(300, by: writer)
            let past = PastStates(stride: 16)
            for receipt in receipts.shuffled() {
                #expect(try await past.state(of: receipt, in: log) == receipt.logState)
            }
            try await breakFirstEvent()
            // What lies so far back is kept in places only, and the first of them is none of these.
            for receipt in receipts[100...].shuffled() {
                #expect(try await past.state(of: receipt, in: log) == receipt.logState)
                let known = try await writer.logState(at: receipt.position)
                #expect(known == receipt.logState)
            }
            let first = receipts[0].position
            await #expect(throws: LogError.self) { try await writer.logState(at: first) }
        }
    }

    @Test func `many ask at once, for what lies near and far`() async throws {
        try await withWriter { writer, log in
            let receipts = try await written(200, by: writer)
            // Beside other suites on few processors each of the many turns may take long.
            let past = PastStates(stride: 3, patience: .seconds(240))
            let correct = try await withThrowingTaskGroup { group in
                for receipt in (receipts + receipts).shuffled() {
                    group.addTask {
                        try await past.state(of: receipt, in: log) == receipt.logState
                    }
                }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(correct.count == 402)
            #expect(correct.allSatisfy { $0 })
        }
    }

    @Test func `a log that ends before is no state of it`() async throws {
        try await withWriter { writer, log in
            let end = try #require(try await written(5, by: writer).last).position
            let error = await #expect(throws: LogError.self) {
                try await PastStates().state(at: end.advanced(by: 1), of: log)
            }
            #expect(error == .shortened(expected: end.advanced(by: 1), found: end))
        }
    }

    @Test func `what takes too long is given up`() async throws {
        try await withWriter { writer, log in
            let receipts = try await written(5, by: writer)
            let past = PastStates(patience: .zero)
            let error = await #expect(throws: LogError.self) {
                try await past.state(of: receipts[3], in: log)
            }
            guard case .database(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.kind == .timedOut(.statement))
            past.keep(receipts[3].logState)
            #expect(try await past.state(of: receipts[3], in: log) == receipts[3].logState)
        }
    }

    @Test func `who is not there any more asks nothing`() async throws {
        try await withWriter { writer, log in
            let receipts = try await written(5, by: writer)
            await withDiscardingTaskGroup { group in
                group.addTask {
                    while !Task.isCancelled { await Task.yield() }
                    await #expect(throws: LogError.self) {
                        try await PastStates().state(of: receipts[3], in: log)
                    }
                }
                group.cancelAll()
            }
        }
    }
}

/// An app, and so many events behind it.
private func written(_ count: Int, by writer: Writer) async throws -> [Receipt] {
    var receipts = [try await writer.perform(CommandRequest(try registration()))]
    for number in 1...count {
        receipts.append(try await writer.perform(CommandRequest(failure("Failure \(number)"))))
    }
    return receipts
}

private func breakFirstEvent() async throws {
    let owner = try await Session.open(ScratchDatabase.current.connection)
    try await owner.script(
        """
        ALTER TABLE log.event DISABLE TRIGGER ALL;
        UPDATE log.event SET entry = 'x' WHERE position = 1
        """
    )
    await owner.close()
}

extension PastStates {
    fileprivate func state(of receipt: Receipt, in log: EventLog) async throws -> LogState {
        try await state(at: receipt.position, of: log)
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
