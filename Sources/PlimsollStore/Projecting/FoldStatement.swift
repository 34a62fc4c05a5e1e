import PlimsollDomain
import PlimsollPostgres

/// What is written into the read models at once.
struct FoldedRows: Sendable {
    let start: Position
    let end: Position
    var events: [AuditedEvent] = []
    var fields: [FieldRow] = []
    var changes: [ChangeRow] = []
    var snapshots: [PublishedSnapshot] = []

    /// What an event did to a field that it wrote.
    struct FieldRow: Sendable {
        let position: Position
        let app: AppSlug
        let change: FieldChange
    }

    /// The call that writes them; `sql/migrations/m0001_baseline.sql` says how.
    func statement(generation: Int32) -> Statement {
        let recorded = events.map(\.recorded)
        let proposals = changes.map(\.change)
        return """
            SELECT projection.fold(
                \(generation), \(start.rawValue), \(end.rawValue),
                \(recorded.map(\.position.rawValue)),
                \(recorded.map { Timestamp($0.recordedAt) }),
                \(events.map { Timestamp($0.reachedAt) }),
                \(recorded.map(\.origin.actor.text)),
                \(events.map { $0.app?.text }),
                \(recorded.map(\.event.type.rawValue)),
                \(events.map { $0.change?.rawValue }),
                \(recorded.map(\.origin.correlation)),
                \(recorded.map { $0.origin.reason?.text }),
                \(fields.map(\.position.rawValue)),
                \(fields.map(\.app.text)),
                \(fields.map(\.change.field.path)),
                \(fields.map { $0.change.before?.stored }),
                \(fields.map { $0.change.after?.stored }),
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

extension BatchContent {
    var rows: FoldedRows {
        var rows = rowsBesideEvents
        rows.events = events
        // Only apps have fields.
        rows.fields = events.flatMap { event in
            event.app.map { app in
                event.fields.map {
                    FoldedRows.FieldRow(position: event.position, app: app, change: $0)
                }
            } ?? []
        }
        return rows
    }

    /// Without those of events and of the fields that they wrote.
    var rowsBesideEvents: FoldedRows {
        var rows = FoldedRows(start: start, end: end)
        rows.changes = changes.values.sorted { $0.change.id < $1.change.id }
        rows.snapshots = snapshots
        return rows
    }
}
