package import PlimsollDomain
import PlimsollPostgres

/// The record, found by what it is about.
extension ReadModels {
    /// Events of the record with what they changed, at most as many as asked for.
    package func events(
        _ query: EventQuery,
        upTo position: Position
    ) async throws -> [AuditedEvent] {
        try await audited(found(query, upTo: position))
    }

    /// The same as the log has them, without what they changed.
    package func recorded(
        _ query: EventQuery,
        upTo position: Position
    ) async throws -> [RecordedEvent] {
        try await log.events(at: found(query, upTo: position).map(\.position))
    }

    /// The same, and no more of each event than where it stands and what it is about.
    func found(_ query: EventQuery, upTo position: Position) async throws -> [Finding] {
        try await catchUp(to: position)
        return try await database.query(query.statement).map(Finding.init)
    }

    func audited(_ found: some Collection<Finding>) async throws -> [AuditedEvent] {
        let positions = found.map(\.position)
        async let read = log.events(at: positions)
        let fields = try await fields(writtenAt: positions)
        let events = try await read
        let predecessors = try await predecessors(of: events)
        return zip(found, events).map { finding, recorded in
            AuditedEvent(
                recorded,
                app: finding.app,
                change: finding.change,
                fields: fields[finding.position] ?? [],
                predecessor: predecessors[finding.position]
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

    /// Each event up to a position that wrote a field, newest first, and what it did to it.
    package func writes(
        of field: Field,
        in app: AppSlug,
        upTo position: Position,
        _ limit: Int
    ) async throws -> [FieldWriteRow] {
        try await catchUp(to: position)
        return try await database.query(
            """
            SELECT position, before, after FROM projection.event_field
            WHERE generation = (SELECT generation FROM projection.live)
                AND app = \(app.text) AND field = \(field.path)
                AND position <= \(position.rawValue)
            ORDER BY position DESC LIMIT \(Int64(limit))
            """
        ).map { row in
            let (position, before, after) = try row.decode((Int, String?, String?).self)
            let change = try FieldChange(path: field.path, before: before, after: after)
            return FieldWriteRow(position: Position(position), change: change)
        }
    }

    /// The events up to a position that say who stands behind changes, oldest first.
    package func decisions(
        on changes: [ChangeID],
        upTo position: Position
    ) async throws -> [RecordedEvent] {
        guard !changes.isEmpty else { return [] }
        let types: [EventType] = [
            .changeProposed, .changeRevised, .changeScheduled, .changesRequested, .changeApproved,
            .changeApplied, .emergencyApplied,
        ]
        let rows = try await database.query(
            """
            SELECT position FROM projection.event
            WHERE generation = (SELECT generation FROM projection.live)
                AND change = ANY(\(changes.map(\.rawValue)))
                AND type = ANY(\(types.map(\.rawValue))) AND position <= \(position.rawValue)
            ORDER BY position
            """
        )
        return try await log.events(at: rows.map { Position(try $0.value(at: 0, as: Int.self)) })
    }

    private func fields(
        writtenAt positions: [Position]
    ) async throws -> [Position: [FieldChange]] {
        guard !positions.isEmpty else { return [:] }
        let rows = try await database.query(Self.fields(writtenAt: positions))
        var fields: [Position: [FieldChange]] = [:]
        var known: [String: Field] = [:]
        for row in rows {
            let (position, path, before, after) = try row.decode(
                (Int, String, String?, String?).self
            )
            let field = try known[path] ?? Field(readModel: path)
            known[path] = field
            let change = try FieldChange(of: field, before: before, after: after)
            fields[Position(position), default: []].append(change)
        }
        return fields
    }

    /// Whole stretches of the record are asked for by their ends.
    private static func fields(writtenAt positions: [Position]) -> Statement {
        guard let stretch = positions.stretch else {
            return """
                SELECT position, field, before, after FROM projection.event_field
                WHERE generation = (SELECT generation FROM projection.live)
                    AND position = ANY(\(positions.map(\.rawValue)))
                ORDER BY position, field
                """
        }
        return """
            SELECT position, field, before, after FROM projection.event_field
            WHERE generation = (SELECT generation FROM projection.live)
                AND position BETWEEN \(stretch.lowerBound.rawValue)
                    AND \(stretch.upperBound.rawValue)
            ORDER BY position, field
            """
    }
}

/// What the read model says of an event that was found.
struct Finding: Sendable {
    let position: Position
    fileprivate let app: AppSlug?
    fileprivate let change: ChangeID?

    fileprivate init(_ row: Row) throws {
        let (position, app, change) = try row.decode((Int, String?, Int64?).self)
        self.position = Position(position)
        self.app = app.flatMap { AppSlug($0) }
        self.change = change.flatMap(ChangeID.init(rawValue:))
    }
}

/// What an event did to a field.
package struct FieldWriteRow: Equatable, Sendable {
    package let position: Position
    package let change: FieldChange
}
