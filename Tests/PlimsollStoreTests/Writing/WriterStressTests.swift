import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollStore

/// Many write at once, in one process and in two, while connections die: whatever was answered
/// stands in the log once, and readers never see a hole.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)), .serialized)
struct WriterStressTests {
    private static let duration = stressDuration()

    @Test func `eight writers leave no hole, and readers never see one`() async throws {
        try await withWriter { writer, log in
            let ending = Ending()
            try await withThrowingTaskGroup { group in
                group.addTask { try await readOn(log, until: ending) }
                let written = try await write(8, on: [writer])
                ending.come()
                try await group.waitForAll()
                try await expect(log, toHold: written)
            }
        }
    }

    @Test func `writers in two pools compete for one stream, and both get through`() async throws {
        try await withWriter { first, log in
            _ = try await first.perform(CommandRequest(try registration()))
            try await withWriter { second, _ in
                let written = try await write(8, on: [first, second]) {
                    OrderRenewal(app: harbour)
                }
                try await expect(log, toHold: written)
                let last = try await log.head().position
                try await poll(until: .seconds(120)) {
                    first.logState.position == last && second.logState.position == last
                }
                #expect(first.logState == second.logState)
            }
        }
    }

    @Test func `connections die, and everything answered stands in the log once`() async throws {
        try await withWriter { writer, log in
            let killer = try await Session.open(ScratchDatabase.current.connection)
            let ending = Ending()
            try await withThrowingTaskGroup { group in
                group.addTask {
                    while !ending.hasCome {
                        try await killer.execute(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND pid <> pg_backend_pid()
                            """
                        )
                        // However slow the machine, each of them comes to something.
                        let answered = ending.answered
                        try await poll(until: .seconds(60)) {
                            ending.answered > answered || ending.hasCome
                        }
                    }
                }
                let written = try await write(8, on: [writer], telling: ending)
                ending.come()
                try await group.waitForAll()
                await killer.close()
                try await expect(log, toHold: written)
            }
        }
    }

    /// Writes with so many tasks for a while; answers what was acknowledged.
    private func write(
        _ tasks: Int,
        on writers: [Writer],
        telling ending: Ending = Ending(),
        _ command: @escaping @Sendable () -> any Command = { failure() }
    ) async throws -> [CommandID: LogSpan] {
        let deadline = ContinuousClock.now + Self.duration
        return try await withThrowingTaskGroup(of: [CommandID: LogSpan].self) { group in
            for number in 0..<tasks {
                group.addTask {
                    var written: [CommandID: LogSpan] = [:]
                    while .now < deadline {
                        let request = CommandRequest(command())
                        let writer = writers[number % writers.count]
                        written[request.identity.id] = try await insist(on: request, of: writer)
                        ending.noteAnswer()
                    }
                    return written
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
    }

    /// What got no answer is asked again under its name, as a client would.
    private func insist(on request: CommandRequest, of writer: Writer) async throws -> LogSpan {
        while true {
            if let span = try await attempt(request, of: writer) { return span }
            try await writer.whenOpen()
        }
    }

    /// `nil` while the database is away.
    private func attempt(
        _ request: CommandRequest,
        of writer: Writer
    ) async throws(WriteError) -> LogSpan? {
        do {
            return try await writer.perform(request).span
        } catch {
            guard error == .storeAway else { throw error }
            return nil
        }
    }

    private func expect(
        _ log: EventLog,
        toHold written: [CommandID: LogSpan]
    ) async throws {
        let events = try await readSoundLog(log)
        #expect(!written.isEmpty)
        var found: [CommandID: LogSpan] = [:]
        for event in events {
            let known = found.updateValue(
                LogSpan(first: event.position, last: event.position),
                forKey: event.command
            )
            if written[event.command] != nil { #expect(known == nil) }
        }
        #expect(written.allSatisfy { found[$0.key] == $0.value })
    }

    /// Follows the log to its end again and again.
    private func readOn(_ log: EventLog, until ending: Ending) async throws {
        var last = Position.start
        while !ending.hasCome {
            for event in try await log.events(after: last) { last = event.position }
        }
    }
}

/// Says to those who go on and on that it is over, and how many were answered before.
private final class Ending: Sendable {
    private let flag = Atomic(false)
    private let answers = Atomic(0)

    var answered: Int { answers.load(ordering: .relaxed) }

    func noteAnswer() { answers.add(1, ordering: .relaxed) }

    var hasCome: Bool { flag.load(ordering: .relaxed) }

    func come() { flag.store(true, ordering: .relaxed) }
}

/// Ten seconds and more on demand, less where time is short.
private func stressDuration() -> Duration {
    ProcessInfo.processInfo.environment["PLIMSOLL_STRESS_SECONDS"].flatMap(Int.init)
        .map(Duration.seconds) ?? .seconds(2)
}

/// Waits for the outside world, not for time.
func poll(until patience: Duration, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + patience
    while try await !condition() {
        try #require(.now < deadline, "the condition did not come true")
        try await Task.sleep(for: .milliseconds(5))
    }
}
