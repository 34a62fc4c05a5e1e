package import PlimsollDomain
package import PlimsollPostgres

/// Answers from the read models, never older than the caller asks for.
package struct ReadModels: Sendable {
    package let log: EventLog
    package let progress: Progress
    /// How long a question waits for the projector, which is usually there already.
    package let patience: Duration
    let database: any Querying
    private let searches = Turn()

    /// How long a search waits for all that are before it, each of which ends in half a minute.
    private let searchPatience: Duration

    package init(
        log: EventLog,
        database: any Querying,
        progress: Progress,
        patience: Duration = .seconds(2),
        searchPatience: Duration = .seconds(30)
    ) {
        self.log = log
        self.database = database
        self.progress = progress
        self.patience = patience
        self.searchPatience = searchPatience
    }

    package var history: History { History(log: log, database: database) }

    /// Changes of an app, newest first, at most as many as asked for.
    package func changes(
        _ query: ChangeQuery,
        upTo position: Position
    ) async throws -> [ChangeSummary] {
        try await catchUp(to: position)
        let rows = try await database.query(
            query.end.map { query.statement(at: $0) } ?? query.statement
        )
        return try rows.map(ChangeSummary.init(row:))
    }

    /// What a change that has ended did, or would have done when it was turned down, and where.
    ///
    /// That is the last position of the append that ended it.
    package func end(
        of change: ChangeID,
        upTo position: Position
    ) async throws -> (effect: [FieldChange], position: Position) {
        // A server that is killed after it said where it stands may lose what was folded last.
        for _ in 1...2 {
            try await catchUp(to: position)
            let rows = try await database.query(
                """
                SELECT effect, position FROM projection.change
                WHERE generation = (SELECT generation FROM projection.live)
                    AND id = \(change.rawValue)
                """
            )
            if let row = rows.first {
                let effect = try PlimsollStore.effect(json: row.value(at: 0))
                return (effect, try Position(readModel: row.value(at: 1)))
            }
        }
        throw CorruptReadModel("there is no row for change \(change)")
    }

    /// What was published of an app, newest first.
    package func snapshots(
        of app: AppSlug,
        after: SnapshotSequence?,
        limit: Int,
        upTo position: Position
    ) async throws -> [PublishedSnapshot] {
        try await catchUp(to: position)
        let rows = try await database.query(
            """
            SELECT sequence, position, manifest_digest, keys, published_at
            FROM projection.snapshot
            WHERE generation = (SELECT generation FROM projection.live)
                AND app = \(app.text) AND sequence < \(after?.rawValue ?? Int64.max)
            ORDER BY sequence DESC LIMIT \(Int64(limit))
            """
        )
        return try rows.map { try PublishedSnapshot(app: app, row: $0) }
    }

    /// What was published of an app under a sequence, if anything was.
    package func snapshot(
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        upTo position: Position
    ) async throws -> PublishedSnapshot? {
        let found = try await snapshots(
            of: app,
            after: SnapshotSequence(rawValue: sequence.rawValue &+ 1),
            limit: 1,
            upTo: position
        )
        return found.first { $0.record.sequence == sequence }
    }

    /// Where the live read models stand in the database.
    ///
    /// A server that was killed may have lost what the projector folded last; until that has
    /// noticed, only the database knows.
    package func position() async throws -> Position {
        let row = try await database.first(
            "SELECT position FROM projection.live JOIN projection.state USING (generation)"
        )
        return try row.map { try Position(readModel: $0.value(at: 0)) } ?? .start
    }

    package func catchUp(to position: Position) async throws {
        guard await progress.wait(for: position, patience: patience) else {
            throw ReadModelsBehind(standAt: progress.position, needed: position)
        }
        let standAt = try await self.position()
        guard standAt >= position else {
            throw ReadModelsBehind(standAt: standAt, needed: position)
        }
    }
}

/// The projector has not come as far as the answer needs; it says so in its own alarm.
package struct ReadModelsBehind: Error, Equatable, Sendable {
    package let standAt: Position
    package let needed: Position
}

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
    ///
    /// Searches go one after the other: of a long record each takes seconds, and however many are
    /// asked for, sessions are left for whoever has to act at once.
    ///
    /// A part of what is written out already waits for as long as it takes: nothing is left to say
    /// that it did not come.
    func found(
        _ query: EventQuery,
        upTo position: Position,
        isPart: Bool = false
    ) async throws -> [Finding] {
        try await catchUp(to: position)
        guard query.isSearch else { return try await finding(query) }
        try await searches.take(until: isPart ? nil : .now + searchPatience)
        defer { searches.give() }
        return try await finding(query)
    }

    private func finding(_ query: EventQuery) async throws -> [Finding] {
        try await database.query(query.statement).map(Finding.init)
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
                reachedAt: finding.reachedAt,
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
            SELECT position, reached_at, app, change FROM projection.event
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
            let (position, before, after) = try row.decode((Int64, String?, String?).self)
            let change = try FieldChange(path: field.path, before: before, after: after)
            return FieldWriteRow(position: try Position(readModel: position), change: change)
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
        return try await log.events(at: rows.map { try Position(readModel: $0.value(at: 0)) })
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
                (Int64, String, String?, String?).self
            )
            let field = try known[path] ?? Field(readModel: path)
            known[path] = field
            let change = try FieldChange(of: field, before: before, after: after)
            let place = try Position(readModel: position)
            fields[place, default: []].append(change)
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
    fileprivate let reachedAt: Instant
    fileprivate let app: AppSlug?
    fileprivate let change: ChangeID?

    fileprivate init(_ row: Row) throws {
        let (position, reachedAt, app, change) = try row.decode(
            (Int64, Timestamp, String?, Int64?).self
        )
        self.position = try Position(readModel: position)
        self.reachedAt = Instant(reachedAt)
        self.app = app.flatMap { AppSlug($0) }
        self.change = change.flatMap(ChangeID.init(rawValue:))
    }
}

/// What an event did to a field.
package struct FieldWriteRow: Equatable, Sendable {
    package let position: Position
    package let change: FieldChange
}

/// The settings of apps, as they were.
extension ReadModels {
    /// The event that brought the settings an app had after a position; `nil` before there was it.
    package func settingsEvent(
        of app: AppSlug,
        upTo position: Position
    ) async throws -> RecordedEvent? {
        if let last = try await last(.appSettingsChanged, of: app, upTo: position) { return last }
        let first = try await log.events(of: .app(app), limit: 1).first
        return first.flatMap { $0.position <= position ? $0 : nil }
    }
}

/// What a question finds behind a position, and how far it has looked.
package struct RecordGrowth: Sendable {
    package let events: [AuditedEvent]
    /// Everything up to here has been looked at.
    package let reached: Position

    package init(events: [AuditedEvent], reached: Position) {
        self.events = events
        self.reached = reached
    }
}

extension ReadModels {
    /// What has come to the record behind a position, oldest first; waits for a while where
    /// nothing has.
    package func growth(
        _ query: EventQuery,
        after position: Position,
        patience: Duration
    ) async throws -> RecordGrowth {
        let next = position.advanced(by: 1)
        guard await progress.wait(for: next, patience: patience) else {
            return RecordGrowth(events: [], reached: position)
        }
        if let recent = progress.recent.events(after: position), let last = recent.last {
            return RecordGrowth(events: recent.filter(query.isMet), reached: last.position)
        }
        return try await earlier(query, after: position, upTo: progress.position)
    }

    /// What is not kept in memory any more.
    private func earlier(
        _ query: EventQuery,
        after position: Position,
        upTo end: Position
    ) async throws -> RecordGrowth {
        var query = query
        query.order = .oldestFirst
        (query.after, query.end, query.limit) = (position, end, 250)
        let events = try await events(query, upTo: end)
        let isWhole = events.count < query.limit
        return RecordGrowth(
            events: events,
            reached: isWhole ? end : events.last?.position ?? end
        )
    }
}
