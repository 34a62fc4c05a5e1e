import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres

/// Takes in every row of the log in order, and believes none of its columns.
struct LogVerifier: Sendable {
    private(set) var entries: EntryVerifier
    /// The first event that does not fit; what follows it is passed over.
    private(set) var found: LogFlawFound?
    private(set) var commands = CommandRuns()
    private var names = EventDecoder()

    init(_ entries: EntryVerifier) {
        self.entries = entries
    }

    /// Reads the columns in the order in which ``EventLog/verify(with:)`` asks for them; `nil` from
    /// the first event on that does not fit.
    mutating func take(_ row: inout CopiedRow) throws -> RecordedEvent? {
        guard found == nil else { return nil }
        do {
            return try event(&row)
        } catch let flaw as LogFlawFound {
            found = flaw
            return nil
        }
    }

    /// Takes the audit back that was done elsewhere.
    mutating func receive(_ audit: DecisionAudit?) {
        entries.receive(audit)
    }

    private mutating func event(_ row: inout CopiedRow) throws -> RecordedEvent {
        let position = entries.next
        guard try row.int64() == position.rawValue else { throw LogFlawFound(position, .missing) }
        let event = try entries.take(try row.bytes())
        let leaf = entries.leaves.last
        let isLeaf = try row.withBytes { bytes in leaf.map { $0.isEqual(to: bytes) } ?? false }
        if let column = try columnThatDiffers(from: event, &row) {
            throw LogFlawFound(position, .differs(column: column))
        }
        guard isLeaf == true else { throw LogFlawFound(position, .leafHash) }
        commands.take(event)
        return event
    }

    private mutating func columnThatDiffers(
        from event: RecordedEvent,
        _ row: inout CopiedRow
    ) throws(PostgresError) -> String? {
        let stream = try row.withBytes { bytes in names.stream(named: bytes) }
        let revision = try row.int64()
        let type = try row.withBytes { bytes in names.type(named: bytes) }
        let id: UUID = try row.next()
        let command: UUID = try row.next()
        let recordedAt = try row.timestamp()
        if stream != event.stream { return "stream" }
        if revision != event.revision.rawValue { return "revision" }
        if type != event.event.type { return "type" }
        if id != event.id { return "event_id" }
        if command != event.command.uuid { return "command_id" }
        if recordedAt != Timestamp(event.recordedAt) { return "recorded_at" }
        return nil
    }
}

/// Decides every append again, beside the reading of the entries.
struct LogAudit: Sendable {
    private(set) var audit: DecisionAudit?
    /// The first event that does not follow; what comes behind it is passed over.
    private(set) var found: LogFlawFound?

    init(_ audit: DecisionAudit?) {
        self.audit = audit
    }

    mutating func take(_ events: [RecordedEvent?]) {
        guard found == nil else { return }
        do throws(UnfoundedEvent) {
            for case let event? in events { try audit?.take(event) }
        } catch {
            found = LogFlawFound(error)
        }
    }

    /// The log ends here.
    mutating func end() {
        guard found == nil else { return }
        do throws(UnfoundedEvent) {
            try audit?.end()
        } catch {
            found = LogFlawFound(error)
        }
    }
}
