package import PlimsollDomain
import PlimsollPostgres
import PlimsollStore

/// The record, found by what it is about.
extension ReadModels {
    /// Events of the record with what they changed, at most as many as asked for.
    package func events(
        _ query: EventQuery,
        upTo position: Position
    ) async throws -> [AuditedEvent] {
        try await catchUp(to: position)
        return try await audited(database.query(query.statement).map(Finding.init))
    }

    private func audited(_ found: [Finding]) async throws -> [AuditedEvent] {
        let positions = found.map(\.position)
        let fields = try await fields(writtenAt: positions)
        let events = try await log.events(at: positions)
        return zip(found, events).map { finding, recorded in
            AuditedEvent(
                recorded,
                app: finding.app,
                change: finding.change,
                fields: fields[finding.position] ?? []
            )
        }
    }

    /// The events at some positions, in the order in which these are given.
    package func events(at positions: [Position]) async throws -> [AuditedEvent] {
        let rows = try await database.query(
            """
            SELECT position, app, change FROM projection.event
            WHERE generation = (SELECT generation FROM projection.live)
                AND position = ANY(\(positions.map(\.rawValue)))
            ORDER BY position
            """
        )
        return try await audited(rows.map(Finding.init))
    }

    /// What the fields of an app held after a position.
    package func standingFields(
        of app: AppSlug,
        after position: Position
    ) async throws -> [StandingField] {
        try await catchUp(to: position)
        return try await history.fields(of: app, after: position).fields
    }

    private func fields(
        writtenAt positions: [Position]
    ) async throws -> [Position: [FieldChange]] {
        guard !positions.isEmpty else { return [:] }
        let rows = try await database.query(
            """
            SELECT position, field, before, after FROM projection.event_field
            WHERE generation = (SELECT generation FROM projection.live)
                AND position = ANY(\(positions.map(\.rawValue)))
            ORDER BY position, field
            """
        )
        var fields: [Position: [FieldChange]] = [:]
        for row in rows {
            let (position, path, before, after) = try row.decode(
                (Int, String, String?, String?).self
            )
            let change = try FieldChange(path: path, before: before, after: after)
            fields[Position(position), default: []].append(change)
        }
        return fields
    }
}

/// What the read model says of an event that was found.
private struct Finding {
    let position: Position
    let app: AppSlug?
    let change: ChangeID?

    init(_ row: Row) throws {
        let (position, app, change) = try row.decode((Int, String?, Int64?).self)
        self.position = Position(position)
        self.app = app.flatMap { AppSlug($0) }
        self.change = change.flatMap(ChangeID.init(rawValue:))
    }
}
