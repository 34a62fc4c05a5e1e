package import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem

/// What a process or a published checkpoint knows of the log, held against the log as it is.
package struct LogDivergence: Sendable {
    /// An event on either side, at one position.
    package struct Row: Sendable {
        package let position: Position
        package let remembered: RecordedEvent?
        package let found: RecordedEvent?
    }

    /// A command that was answered with success, and is not in the log.
    package struct Missing: Sendable {
        package let command: CommandID
        package let events: [RecordedEvent]
    }

    /// The last event that both have, as far as is remembered.
    package let common: Position
    /// Where the log ends.
    package let end: Position
    /// What stands behind the common event, on both sides.
    package let rows: [Row]
    package let missing: [Missing]
    /// The last event that the process knew before those that it remembers, where the log ends before
    /// it, or has another one in its place: what is lost up to there is in no file.
    package let forgotten: Position?
    /// The file that it was remembered in.
    package let source: String

    /// Whether the log lacks anything that the process knew.
    package var isLoss: Bool { !missing.isEmpty || forgotten != nil }
}

/// Finds out what processes knew that the log lacks; reads only.
package struct LogDivergenceCheck: Sendable {
    private let database: RunningDatabase
    private let data: Path

    /// Takes the absolute path of a data folder.
    package init(_ database: RunningDatabase, data: String) {
        self.database = database
        self.data = Path(data)
    }

    /// One for each process that was left with something the log lacks, or lacked then.
    package func run() async throws(LogCheckFailure) -> [LogDivergence] {
        let remembered: [RememberedLog]
        do throws(FileError) {
            remembered = try RememberedLog.all(in: data)
        } catch {
            throw LogCheckFailure(description: "What was remembered cannot be read. \(error)")
        }
        return try await database.withPool(sessionsMaximum: 1) { pool throws(LogCheckFailure) in
            let log = EventLog(pool)
            var found: [LogDivergence] = []
            for one in remembered {
                do throws(LogError) {
                    found.append(try await compare(one, with: log))
                } catch {
                    throw LogCheckFailure(
                        description: "The log at \(database.connection) cannot be read: \(error)"
                    )
                }
            }
            return found
        }
    }

    private func compare(
        _ remembered: RememberedLog,
        with log: EventLog
    ) async throws(LogError) -> LogDivergence {
        guard let first = remembered.entries.first else {
            return try await compare(remembered.tip, from: remembered.file, with: log)
        }
        let before = first.position.advanced(by: -1)
        // What came behind that tells nothing more of what is missing.
        let limit = remembered.entries.count + EventLog.pageMaximum
        let found = try await entries(of: log, after: before, limit: limit)
        let shared = zip(remembered.entries, found).prefix { $0 == $1 }.count
        let end = try await log.head().position
        let common = min(before.advanced(by: shared), end)
        let lost = try events(remembered.entries.dropFirst(shared))
        let others = try events(found.dropFirst(shared))
        let known = try await log.commands(Array(Set(lost.map(\.command))))
        return LogDivergence(
            common: common,
            end: end,
            rows: rows(lost, others),
            missing: missing(lost.filter { known[$0.command] == nil }),
            forgotten: end < before ? before : nil,
            source: remembered.file.description
        )
    }

    /// Of a process that remembers no event, as one that read the log and lost it before it appended
    /// anything.
    private func compare(
        _ tip: LogTip?,
        from file: Path,
        with log: EventLog
    ) async throws(LogError) -> LogDivergence {
        let end = try await log.head().position
        var (common, forgotten) = (tip?.position ?? .start, nil as Position?)
        if let tip, tip != .start {
            let before = tip.position.advanced(by: -1)
            let leaves = try await Checkpoints(log).leaves(after: Int(before.rawValue), limit: 1)
            if leaves.first != tip.leaf { (common, forgotten) = (min(before, end), tip.position) }
        }
        return LogDivergence(
            common: common,
            end: end,
            rows: [],
            missing: [],
            forgotten: forgotten,
            source: file.description
        )
    }

    private func entries(
        of log: EventLog,
        after position: Position,
        limit: Int
    ) async throws(LogError) -> [LogEntry] {
        let checkpoints = Checkpoints(log)
        var found: [LogEntry] = []
        var next = position
        while true {
            let page = try await checkpoints.entries(
                after: Int(next.rawValue),
                limit: EventLog.pageMaximum
            )
            for bytes in page {
                next = next.advanced(by: 1)
                found.append(LogEntry(position: next, bytes: bytes))
            }
            if page.count < EventLog.pageMaximum || found.count >= limit { return found }
        }
    }

    private func events(
        _ entries: ArraySlice<LogEntry>
    ) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        for entry in entries {
            do throws(EntryError) {
                events.append(try EventCodec.decode(entry.bytes, at: entry.position))
            } catch {
                throw .unreadable(entry.position, error)
            }
        }
        return events
    }

    private func rows(
        _ lost: [RecordedEvent],
        _ others: [RecordedEvent]
    ) -> [LogDivergence.Row] {
        let sides = (
            Dictionary(lost.map { ($0.position, $0) }) { first, _ in first },
            Dictionary(others.map { ($0.position, $0) }) { first, _ in first }
        )
        return Set(sides.0.keys).union(sides.1.keys).sorted().map { position in
            LogDivergence.Row(
                position: position,
                remembered: sides.0[position],
                found: sides.1[position]
            )
        }
    }

    private func missing(_ events: [RecordedEvent]) -> [LogDivergence.Missing] {
        var order: [CommandID] = []
        var byCommand: [CommandID: [RecordedEvent]] = [:]
        for event in events {
            if byCommand[event.command] == nil { order.append(event.command) }
            byCommand[event.command, default: []].append(event)
        }
        return order.map { LogDivergence.Missing(command: $0, events: byCommand[$0] ?? []) }
    }
}
