import FoundationEssentials
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollPostgres

/// Takes in every row of the log in order, and believes none of its columns.
struct LogVerifier: Sendable {
    private var decoder = EventDecoder()
    private var revisions: [StreamName: Revision] = [:]
    private var lastRecordedAt: Instant?
    private(set) var frontier = MerkleFrontier()

    /// Where the next event has to stand.
    var next: Position { Position(frontier.size + 1) }

    mutating func take(_ row: LogRow) throws(LogFlawFound) {
        let position = next
        guard row.position == position.rawValue else {
            throw LogFlawFound(position, .missing)
        }
        if let flaw = flaw(in: row, position) { throw LogFlawFound(position, flaw) }
    }

    private mutating func flaw(in row: LogRow, _ position: Position) -> LogFlaw? {
        let event: RecordedEvent
        do throws(EntryError) {
            event = try decoder.decode(row.entry.span, at: position)
        } catch {
            return .unreadable(error)
        }
        guard (try? JSONValue(parsingCanonical: row.entry)) != nil else { return .notCanonical }
        if let column = row.columnThatDiffers(from: event) { return .differs(column: column) }
        let expected = revisions[event.stream, default: .none].next
        guard event.revision == expected else {
            return .revision(expected: expected, found: event.revision)
        }
        if let previous = lastRecordedAt, event.recordedAt < previous,
            event.recordedAt.advanced(by: WriterDesk.clockTolerance) >= previous
        {
            return .time(previous: previous, found: event.recordedAt)
        }
        let leaf = MerkleHash.leaf(row.entry)
        guard leaf.bytes == row.leafHash else { return .leafHash }
        revisions[event.stream] = event.revision
        lastRecordedAt = event.recordedAt
        frontier.append(leaf: leaf)
        return nil
    }
}

/// The event that stops a verification.
struct LogFlawFound: Error {
    let position: Position
    let flaw: LogFlaw

    init(_ position: Position, _ flaw: LogFlaw) {
        self.position = position
        self.flaw = flaw
    }
}

/// A row of `log.event` as it is stored.
struct LogRow {
    let position: Int64
    let stream: String
    let revision: Int64
    let type: String
    let eventID: UUID
    let commandID: UUID
    let recordedAt: Timestamp
    let entry: [UInt8]
    let leafHash: [UInt8]

    /// Reads the columns in the order in which ``EventLog/verify()`` asks for them.
    init(_ row: inout CopiedRow) throws(PostgresError) {
        position = try row.int64()
        stream = try row.string()
        revision = try row.int64()
        type = try row.string()
        eventID = try row.next()
        commandID = try row.next()
        recordedAt = try row.timestamp()
        entry = try row.bytes()
        leafHash = try row.bytes()
    }

    func columnThatDiffers(from event: RecordedEvent) -> String? {
        if stream != event.stream.text { return "stream" }
        if revision != event.revision.rawValue { return "revision" }
        if type != event.event.type.rawValue { return "type" }
        if eventID != event.id { return "event_id" }
        if commandID != event.command.uuid { return "command_id" }
        if recordedAt != Timestamp(event.recordedAt) { return "recorded_at" }
        return nil
    }
}
