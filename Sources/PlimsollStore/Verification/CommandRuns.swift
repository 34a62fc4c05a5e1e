import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres

/// Which events each command appended, as the entries themselves say.
struct CommandRuns: Sendable {
    fileprivate var runs: [CommandRun] = []

    /// Takes the next event of the log.
    mutating func take(_ event: RecordedEvent) {
        let (command, position) = (event.command.uuid, event.position.rawValue)
        if let last = runs.last, last.command == command {
            runs[runs.count - 1].last = position
        } else {
            runs.append(CommandRun(command: command, first: position, last: position))
        }
    }
}

/// Events that stand together and came of one command.
private struct CommandRun: Equatable, Sendable {
    let command: UUID
    let first: Int64
    var last: Int64
}

/// Holds the records of commands, in the order of their first events, against the entries.
struct CommandReckoning: Sendable {
    private let runs: [CommandRun]
    private var matched = 0
    /// Where the first command stands whose record does not cover exactly its events.
    private(set) var stray: Int64?

    init(_ runs: CommandRuns) {
        self.runs = runs.runs
    }

    /// Reads the columns in the order in which ``EventLog/verify(with:)`` asks for them.
    mutating func take(_ row: inout CopiedRow) throws {
        guard stray == nil else { return }
        let command: UUID = try row.next()
        let record = CommandRun(command: command, first: try row.int64(), last: try row.int64())
        if matched < runs.count, record == runs[matched] {
            matched += 1
        } else {
            stray = place(of: record)
        }
    }

    /// Where to look for what is wrong with a record that is not that of the next run.
    private func place(of record: CommandRun) -> Int64 {
        if matched < runs.count, runs[matched].first < record.first { return runs[matched].first }
        return runs.first { $0.command == record.command }?.first ?? record.first
    }

    /// No record is left: events of which there was none are stray.
    mutating func end() {
        if stray == nil, matched < runs.count { stray = runs[matched].first }
    }
}
