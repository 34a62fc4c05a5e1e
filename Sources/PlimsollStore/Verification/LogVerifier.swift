import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres

/// Takes in every row of the log in order, and believes none of its columns.
struct LogVerifier: Sendable {
    private(set) var entries: EntryVerifier
    /// The first event that does not fit; what follows it is passed over.
    private(set) var found: LogFlawFound?
    private var names = EventDecoder()

    init(_ entries: EntryVerifier) {
        self.entries = entries
    }

    /// Reads the columns in the order in which ``EventLog/verify(with:)`` asks for them.
    mutating func take(_ row: inout CopiedRow) throws {
        guard found == nil else { return }
        do {
            try hold(&row)
        } catch let flaw as LogFlawFound {
            found = flaw
        }
    }

    /// There are no more rows.
    mutating func end() {
        guard found == nil else { return }
        do throws(LogFlawFound) {
            try entries.end()
        } catch {
            found = error
        }
    }

    private mutating func hold(_ row: inout CopiedRow) throws {
        let position = entries.next
        guard try row.int64() == position.rawValue else { throw LogFlawFound(position, .missing) }
        let event = try entries.take(try row.bytes())
        let leaf = entries.leaves.last
        let isLeaf = try row.withBytes { bytes in leaf.map { $0.isEqual(to: bytes) } ?? false }
        if let column = try columnThatDiffers(from: event, &row) {
            throw LogFlawFound(position, .differs(column: column))
        }
        guard isLeaf == true else { throw LogFlawFound(position, .leafHash) }
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
