import PlimsollDomain
import PlimsollPostgres
import PlimsollStore

extension Batch {
    /// The call that folds this batch into a generation; `sql/migrations/m0008_documents.sql` says how.
    func statement(generation: Int32) -> Statement {
        let fields = fieldRows
        let changes = changes.values.sorted { $0.change.id < $1.change.id }
        let proposals = changes.map(\.change)
        return """
            SELECT projection.fold(
                \(generation), \(start.rawValue), \(end.rawValue),
                \(events.map(\.recorded.position.rawValue)),
                \(events.map { Timestamp($0.recorded.recordedAt) }),
                \(events.map(\.recorded.origin.actor.text)),
                \(events.map { $0.app?.text }),
                \(events.map(\.recorded.event.type.rawValue)),
                \(events.map { $0.change?.rawValue }),
                \(events.map(\.recorded.origin.correlation)),
                \(events.map { $0.recorded.origin.reason?.text }),
                \(fields.map(\.position)),
                \(fields.map(\.app)),
                \(fields.map(\.change.field.path)),
                \(fields.map { $0.change.before?.description }),
                \(fields.map { $0.change.after?.description }),
                \(proposals.map(\.id.rawValue)),
                \(proposals.map(\.base.rawValue)),
                \(changes.map(\.position.rawValue)),
                \(proposals.map { Timestamp($0.proposedAt) }),
                \(proposals.map(\.app.text)),
                \(proposals.map(\.author.text)),
                \(changes.map(\.state.rawValue)),
                \(proposals.map(\.title.text)),
                \(changes.map { effectJSON($0.effect) }),
                \(snapshots.map(\.record.position.rawValue)),
                \(snapshots.map(\.record.sequence.rawValue)),
                \(snapshots.map { Timestamp($0.publishedAt) }),
                \(snapshots.map(\.app.text)),
                \(snapshots.map(\.record.manifestDigest)),
                \(snapshots.map { $0.record.keys.map(\.text).joined(separator: " ") })
            )
            """
    }
}

extension Batch {
    /// A row for each field that an event wrote.
    private var fieldRows: [(position: Int64, app: String, change: FieldChange)] {
        events.flatMap { event in
            event.fields.map { (event.position.rawValue, event.app?.text ?? "", $0) }
        }
    }
}
