package import PlimsollDomain
import PlimsollPostgres

/// The past, as the log tells it.
package struct History: Sendable {
    let log: EventLog
    let database: any Querying

    /// The last position of the append after which a target's state is found.
    ///
    /// Returns `nil` for a change that was never applied, and where no state was live so long. The
    /// position may be before anything.
    package func position(
        of target: RollbackTarget,
        in app: AppSlug,
        at now: Instant
    ) async throws -> Position? {
        switch target {
        case .event(let position): try await self.position(endingAppendOf: position)
        case .time(let instant): try await position(recordedBy: instant)
        case .beforeChange(let id), .revert(let id): try await position(before: id)
        case .lastGood(let seconds): try await lastGoodPosition(liveFor: seconds, of: app, now)
        }
    }

    /// Whether an app was registered by then.
    package func has(_ app: AppSlug, at position: Position) async throws -> Bool {
        let first = try await log.events(of: .app(app), limit: 1).first
        return first.map { $0.position <= position } ?? false
    }

    /// The last position of the append that an event belongs to.
    package func position(endingAppendOf event: Position) async throws -> Position {
        try await append(of: event)?.last ?? event
    }

    /// Where the log stood before the appends that some events belong to.
    package func positions(
        beforeAppendsOf events: [Position]
    ) async throws -> [Position: Position] {
        let rows = try await database.query(
            """
            SELECT position, first_position FROM log.event JOIN log.command USING (command_id)
            WHERE position = ANY(\(events.map(\.rawValue)))
            """
        )
        return try rows.reduce(into: [:]) { places, row in
            let (event, first) = try row.decode((Int64, Int64).self)
            let place = try Position(row: event)
            places[place] = try Position(row: first).before
        }
    }

    /// The last position of the last whole append that was recorded by an instant.
    package func position(recordedBy instant: Instant) async throws -> Position {
        try await position(ofWholeAppendBy: try await position(at: instant))
    }

    /// The documents of an app after an append; `nil` where the app did not exist yet.
    ///
    /// What each field held is found in the read model, however long the history is, and held
    /// against the events that wrote it; what that does not hold yet is folded from the log, because
    /// a rollback waits for nobody.
    package func state(of app: AppSlug, after position: Position) async throws -> PastState? {
        guard try await has(app, at: position) else { return nil }
        var documents: [Platform: Document] = [:]
        let (fields, reached) = try await fields(of: app, after: position)
        guard reached >= position || position.rawValue - reached.rawValue <= Self.tailMaximum
        else { return try await folded(app, after: position) }
        try await requireWritten(fields, in: app)
        for standing in fields {
            let platform = standing.field.platform
            documents[platform, default: Document(platform: platform)][standing.field] =
                standing.value
        }
        for recorded in try await tail(after: reached, upTo: position) {
            guard recorded.stream == .app(app), case .app(let event) = recorded.event else {
                continue
            }
            fold(event, into: &documents)
        }
        return PastState(position: position, documents: documents)
    }

    /// Throws unless each value is what an event of the service's wrote in that field.
    ///
    /// What is brought back is in force again at once, and whoever has the service's login can
    /// write in the read model. A row that is gone is not noticed: then an earlier one counts.
    private func requireWritten(_ fields: [StandingField], in app: AppSlug) async throws {
        guard !fields.isEmpty else { return }
        let events: [RecordedEvent]
        do throws(LogError) {
            events = try await log.events(at: fields.map(\.since))
        } catch {
            guard case .shortened(let position, _) = error else { throw error }
            throw CorruptReadModel("it names event \(position), which is not there")
        }
        for (standing, recorded) in zip(fields, events) {
            guard standing.isWritten(by: recorded, in: app) else {
                throw CorruptReadModel(
                    "event \(recorded.position) did not write what stands for \(standing.field)"
                )
            }
        }
    }

    /// So many events are rather folded than the app's whole history.
    private static let tailMaximum = 1000

    private func tail(
        after reached: Position,
        upTo position: Position
    ) async throws -> [RecordedEvent] {
        guard reached < position else { return [] }
        let count = Int(position.rawValue - reached.rawValue)
        return try await log.events(after: reached, limit: count)
    }

    private func folded(_ app: AppSlug, after position: Position) async throws -> PastState {
        var documents: [Platform: Document] = [:]
        for recorded in try await log.history(of: .app(app), upTo: position) {
            guard case .app(let event) = recorded.event else { continue }
            fold(event, into: &documents)
        }
        return PastState(position: position, documents: documents)
    }

    private func fold(_ event: AppEvent, into documents: inout [Platform: Document]) {
        guard let operation = event.operation else { return }
        let platform = operation.platform
        documents[platform, default: Document(platform: platform)].apply(operation)
    }

    /// The last position of the last whole append that ends at or before a position.
    private func position(ofWholeAppendBy position: Position) async throws -> Position {
        guard let append = try await append(of: position), append.last != position else {
            return position
        }
        return append.first.before
    }

    private func append(of event: Position) async throws -> (first: Position, last: Position)? {
        let rows = try await database.query(
            """
            SELECT first_position, last_position FROM log.event JOIN log.command USING (command_id)
            WHERE position = \(event.rawValue)
            """
        )
        guard let row = rows.first else { return nil }
        let (first, last) = try row.decode((Int64, Int64).self)
        return (try Position(row: first), try Position(row: last))
    }

    /// What was recorded by an instant is all that stands before the first event with a later time.
    ///
    /// The read model knows the latest time seen by every event, which never goes back, so it is
    /// found in one step. What it does not hold yet is looked for in the log itself: a rollback
    /// waits for nobody, and never takes a state for older than it is.
    private func position(at instant: Instant) async throws -> Position {
        let rows = try await database.query(
            """
            WITH live AS MATERIALIZED (
                SELECT generation, position FROM projection.live
                JOIN projection.state USING (generation)
            ), folded AS MATERIALIZED (
                SELECT coalesce((
                    SELECT position FROM projection.event
                    WHERE generation = (SELECT generation FROM live)
                        AND reached_at <= \(Timestamp(instant))
                    ORDER BY reached_at DESC, position DESC LIMIT 1
                ), 0) AS position
            )
            SELECT CASE
                WHEN (SELECT position FROM folded) < (SELECT position FROM live)
                    THEN (SELECT position FROM folded)
                ELSE coalesce(
                    (SELECT min(position) - 1 FROM log.event
                        WHERE position > (SELECT position FROM live)
                            AND recorded_at > \(Timestamp(instant))),
                    (SELECT max(position) FROM log.event), 0)
                END
            """
        )
        return try Position(readModel: rows.first?.value(at: 0, as: Int64.self) ?? 0)
    }

    private func position(before change: ChangeID) async throws -> Position? {
        guard let applied = try await position(applying: change) else { return nil }
        return try await position(ofWholeAppendBy: applied.before)
    }

    /// The position of the event that brought a change into force; `nil` where none did.
    package func position(applying change: ChangeID) async throws -> Position? {
        try await log.history(of: .change(change)).first {
            if case .change(.changeApplied) = $0.event { true } else { false }
        }?.position
    }

    /// The newest state of an app that people had approved and that was live so long.
    ///
    /// The state that an emergency itself made is passed over: nobody had approved it. What people
    /// approved after it counts, with what the emergency had written in it. The newest state that
    /// the read model has ends with the first edit that it does not have yet: a rollback waits for
    /// nobody, and never takes a state for older than it is.
    private func lastGoodPosition(
        liveFor seconds: Int64,
        of app: AppSlug,
        _ now: Instant
    ) async throws -> Position? {
        let rows = try await database.query(
            """
            WITH live AS MATERIALIZED (
                SELECT generation, position FROM projection.live
                JOIN projection.state USING (generation)
            ), newest AS MATERIALIZED (
                SELECT coalesce((
                    SELECT recorded_at FROM log.event
                    WHERE position > (SELECT position FROM live)
                        AND stream = \(StreamName.app(app).text)
                        AND type IN (
                            'ThresholdSet', 'ValueCleared', 'ThresholdCleared', 'TextSet',
                            'TextRemoved', 'OffersReplaced', 'LegacyOfferReplaced', 'PackagesOffered')
                    ORDER BY position LIMIT 1
                ), \(Timestamp(now))) AS ended_at
            )
            SELECT position FROM (
                SELECT position, change, type, recorded_at,
                    lag(recorded_at, 1, (SELECT ended_at FROM newest))
                        OVER (ORDER BY position DESC) AS ended_at
                FROM projection.event
                WHERE generation = (SELECT generation FROM live)
                    AND app = \(app.text)
                    AND (type IN ('ChangeApplied', 'RolledBack')
                        OR type = 'ChangeEnded' AND EXISTS (
                            SELECT FROM log.event ended
                            JOIN log.event written
                                ON written.position = ended.position - 1
                                AND written.command_id = ended.command_id
                            WHERE ended.position = event.position))
                ORDER BY position DESC
            ) AS state
            WHERE ended_at - recorded_at >= make_interval(secs => \(seconds))
                AND NOT EXISTS (
                    SELECT FROM projection.event emergency
                    WHERE generation = (SELECT generation FROM live)
                        AND emergency.change = state.change
                        AND emergency.type = 'EmergencyApplied'
                        AND state.type = 'ChangeApplied')
            ORDER BY position DESC LIMIT 1
            """
        )
        guard let row = rows.first else { return nil }
        return try await position(endingAppendOf: Position(readModel: row.value(at: 0)))
    }
}

/// What stands in a field, and the event that put it there.
package struct StandingField: Equatable, Sendable {
    package let field: Field
    package let value: FieldValue
    /// The event's own position, which may lie inside an append.
    package let since: Position
}

extension History {
    /// What the fields of an app held after a position, in the order of their paths, and how far
    /// the read model goes, which may be less far.
    ///
    /// Leaps from field to field and takes the last row of each, so what was written before does
    /// not count.
    package func fields(
        of app: AppSlug,
        after position: Position
    ) async throws -> (fields: [StandingField], reached: Position) {
        let rows = try await database.query(
            """
            WITH RECURSIVE live AS MATERIALIZED (
                SELECT generation, position FROM projection.live
                JOIN projection.state USING (generation)
            ), name (field) AS (
                (
                    SELECT field FROM projection.event_field
                    WHERE generation = (SELECT generation FROM live) AND app = \(app.text)
                    ORDER BY field LIMIT 1
                )
                UNION ALL
                SELECT (
                    SELECT f.field FROM projection.event_field f
                    WHERE f.generation = (SELECT generation FROM live) AND f.app = \(app.text)
                        AND f.field > name.field
                    ORDER BY f.field LIMIT 1
                ) FROM name WHERE name.field IS NOT NULL
            )
            SELECT position, NULL AS field, NULL AS after FROM live
            UNION ALL
            SELECT last.position, name.field, last.after FROM name CROSS JOIN LATERAL (
                SELECT f.position, f.after FROM projection.event_field f
                WHERE f.generation = (SELECT generation FROM live) AND f.app = \(app.text)
                    AND f.field = name.field AND f.position <= \(position.rawValue)
                ORDER BY f.position DESC LIMIT 1
            ) AS last
            WHERE name.field IS NOT NULL AND last.after IS NOT NULL
            """
        )
        var fields: [StandingField] = []
        var reached = Position.start
        for row in rows {
            let (number, path, after) = try row.decode((Int64, String?, String?).self)
            let position = try Position(readModel: number)
            guard let path else {
                reached = position
                continue
            }
            fields.append(try StandingField(path: path, after, since: position))
        }
        return (fields.sorted { $0.field < $1.field }, reached)
    }
}

extension StandingField {
    fileprivate init(
        path: String,
        _ text: String?,
        since position: Position
    ) throws(CorruptReadModel) {
        guard let field = Field(path: path), let value = try FieldValue.read(text, of: field) else {
            throw CorruptReadModel("\(path) has no value that belongs there")
        }
        self.init(field: field, value: value, since: position)
    }

    /// Whether an event put the value there: every one that edits says all that it leads to.
    fileprivate func isWritten(by recorded: RecordedEvent, in app: AppSlug) -> Bool {
        guard recorded.stream == .app(app), case .app(let event) = recorded.event,
            let operation = event.operation
        else { return false }
        let written = Document(platform: operation.platform).changes(by: operation)
        return written.contains { $0.field == field && $0.after == value }
    }
}
