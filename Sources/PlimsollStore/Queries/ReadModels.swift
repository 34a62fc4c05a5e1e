package import PlimsollDomain
package import PlimsollPostgres

/// Answers from the read models, never older than the caller asks for.
package struct ReadModels: Sendable {
    /// How long a question waits for the projector, which is usually there already.
    package static let patience = Duration.seconds(2)

    package let log: EventLog
    package let progress: Progress
    let database: any Querying

    package init(log: EventLog, database: any Querying, progress: Progress) {
        self.log = log
        self.database = database
        self.progress = progress
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

    /// What a change that has ended did, or would have done when it was turned down.
    package func effect(
        of change: ChangeID,
        upTo position: Position
    ) async throws -> [FieldChange] {
        try await catchUp(to: position)
        let rows = try await database.query(
            """
            SELECT effect FROM projection.change
            WHERE generation = (SELECT generation FROM projection.live)
                AND id = \(change.rawValue)
            """
        )
        guard let row = rows.first else {
            throw CorruptReadModel("there is no row for change \(change)")
        }
        return try PlimsollStore.effect(json: row.value(at: 0))
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
    package func position(timeout: Duration? = nil) async throws -> Position {
        let row = try await database.first(
            "SELECT position FROM projection.live JOIN projection.state USING (generation)",
            timeout: timeout
        )
        return try row.map { Position(try $0.value(at: 0, as: Int.self)) } ?? .start
    }

    package func catchUp(to position: Position) async throws {
        guard await progress.wait(for: position, patience: Self.patience) else {
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
