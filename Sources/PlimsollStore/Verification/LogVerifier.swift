import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres

/// Takes in every row of the log in order, and believes none of its columns.
struct LogVerifier: Sendable {
    var entries: EntryVerifier

    mutating func take(_ row: LogRow) throws(LogFlawFound) {
        let position = entries.next
        guard row.position == position.rawValue else {
            throw LogFlawFound(position, .missing)
        }
        let event = try entries.take(row.entry)
        if let column = row.columnThatDiffers(from: event) {
            throw LogFlawFound(position, .differs(column: column))
        }
        guard entries.leaves.last?.bytes == row.leafHash else {
            throw LogFlawFound(position, .leafHash)
        }
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

    /// Reads the columns in the order in which ``EventLog/verify(with:)`` asks for them.
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
