import PlimsollDomain
import PlimsollPostgres

/// The tables of the read models that have a row for each event or for what events are about.
enum ReadModelTable: String, CaseIterable, Sendable {
    case event = "projection.event"
    case field = "projection.event_field"
    case change = "projection.change"
    case snapshot = "projection.snapshot"
}

/// A row of a read model as a binary `COPY` has it, and behind the generation the number that it is
/// called by: the position of its event, the number of its change, the sequence of its snapshot.
struct StoredRow: Hashable, Sendable {
    let bytes: [UInt8]

    /// Columns are counted with two bytes and measured with four each; a generation has four.
    private static let numberStart = 2 + 4 + 4 + 4

    var number: Int64 {
        bytes[Self.numberStart...].prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension AuditedEvent {
    static let columns: StaticString = """
        generation, position, recorded_at, reached_at, actor, app, type, change, correlation, reason
        """

    /// The row of the event.
    func write(_ generation: Int32, to writer: inout CopyWriter) {
        writer.beginRow(columns: 10)
        writer.append(generation)
        writer.append(recorded.position.rawValue)
        writer.append(Timestamp(recorded.recordedAt))
        writer.append(Timestamp(reachedAt))
        writer.append(recorded.origin.actor.text)
        writer.append(app?.text)
        writer.append(recorded.event.type.rawValue)
        writer.append(change?.rawValue)
        writer.append(recorded.origin.correlation)
        writer.append(recorded.origin.reason?.text)
    }

    /// The rows of the fields that it wrote.
    func writeFields(_ generation: Int32, to writer: inout CopyWriter) {
        guard let app else { return }
        for field in fields { field.write(generation, position, app, to: &writer) }
    }
}

extension FoldedRows.FieldRow {
    static let columns: StaticString = "generation, position, app, field, before, after"

    func write(_ generation: Int32, to writer: inout CopyWriter) {
        change.write(generation, position, app, to: &writer)
    }
}

extension FieldChange {
    fileprivate func write(
        _ generation: Int32,
        _ position: Position,
        _ app: AppSlug,
        to writer: inout CopyWriter
    ) {
        writer.beginRow(columns: 6)
        writer.append(generation)
        writer.append(position.rawValue)
        writer.append(app.text)
        writer.append(field.path)
        writer.append(before?.stored)
        writer.append(after?.stored)
    }
}

extension ChangeRow {
    static let columns: StaticString = """
        generation, id, base, position, proposed_at, app, author, state, title, effect
        """

    func write(_ generation: Int32, to writer: inout CopyWriter) {
        writer.beginRow(columns: 10)
        writer.append(generation)
        writer.append(change.id.rawValue)
        writer.append(change.base.rawValue)
        writer.append(position.rawValue)
        writer.append(Timestamp(change.proposedAt))
        writer.append(change.app.text)
        writer.append(change.author.text)
        writer.append(state.rawValue)
        writer.append(change.title.text)
        writer.append(effectJSON(effect))
    }
}

extension PublishedSnapshot {
    /// The keys as one text, which shows whatever is odd about the array.
    static let columns: StaticString = """
        generation, sequence, position, published_at, app, manifest_digest, keys::text
        """

    func write(_ generation: Int32, to writer: inout CopyWriter) {
        writer.beginRow(columns: 7)
        writer.append(generation)
        writer.append(record.sequence.rawValue)
        writer.append(record.position.rawValue)
        writer.append(Timestamp(publishedAt))
        writer.append(app.text)
        writer.append(record.manifestDigest)
        writer.append("{\(record.keys.map(\.text).joined(separator: ","))}")
    }
}
