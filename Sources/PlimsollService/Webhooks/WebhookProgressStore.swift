package import PlimsollAPI
package import PlimsollDomain
package import PlimsollPostgres
package import PlimsollStore

/// Where queues stand and what they tried, in the database: nothing of it lies in the log.
///
/// An attempt and where it leaves its queue are written together, so a process that dies sends at
/// most the last message again.
package struct WebhookProgressStore: Sendable {
    /// So many attempts are kept of each webhook, and for so long.
    package static let deliveriesMaximum: Int64 = 1000
    package static let deliveriesLifetime = Duration.seconds(30 * 86_400)

    private let database: any Querying

    package init(_ database: any Querying) {
        self.database = database
    }

    /// Where a queue stands; `nil` before it did anything.
    package func place(of webhook: WebhookID) async throws -> WebhookProgress? {
        try await places(of: [webhook])[webhook]
    }

    package func places(of webhooks: [WebhookID]) async throws -> [WebhookID: WebhookProgress] {
        let rows = try await database.query(
            """
            SELECT webhook, delivered, replay_taken, replay_after, replay_until, enabled_at,
                failures, failing_since, next_attempt, failure
            FROM webhook.lane WHERE webhook = ANY(\(webhooks.map(\.text)))
            """
        )
        var places: [WebhookID: WebhookProgress] = [:]
        for row in rows {
            let (id, place) = try Self.place(row)
            places[id] = place
        }
        return places
    }

    /// Writes down where a queue stands, and the attempt that led there, unless another dispatcher
    /// sends by now.
    package func save(
        _ place: WebhookProgress,
        of webhook: WebhookID,
        _ attempt: Attempt?,
        as fence: Fence? = nil
    ) async throws {
        guard let attempt else {
            try await database.query(Self.moving(webhook, to: place, as: fence))
            return
        }
        var sql = Statement.StringInterpolation(literalCapacity: 1500, interpolationCount: 24)
        sql.appendLiteral("WITH moved AS (")
        Self.move(webhook, to: place, in: &sql)
        sql.appendLiteral("), ")
        Self.note(attempt, of: webhook, in: &sql)
        sql.appendLiteral(", ")
        sql.check(fence)
        try await database.query(Statement(stringInterpolation: sql))
    }

    /// Writes down an attempt that moves no queue.
    package func note(_ attempt: Attempt, of webhook: WebhookID) async throws -> Int64 {
        var sql = Statement.StringInterpolation(literalCapacity: 1000, interpolationCount: 12)
        sql.appendLiteral("WITH ")
        Self.note(attempt, of: webhook, in: &sql)
        let row = try await database.first(Statement(stringInterpolation: sql))
        return try row?.value(at: 0) ?? 0
    }

    /// The attempts before a number, newest first; those of the last days only, also where no newer
    /// one has swept the older ones away.
    package func deliveries(
        to webhook: WebhookID,
        before number: Int64?,
        limit: Int,
        at now: Instant
    ) async throws -> [(number: Int64, answer: DeliveryAnswer)] {
        let oldest = now.advanced(by: .zero - Self.deliveriesLifetime)
        let rows = try await database.query(
            """
            SELECT number, kind, message, position, attempted_at, milliseconds, status, failure
            FROM webhook.delivery
            WHERE webhook = \(webhook.text) AND number < \(number ?? Int64.max)
                AND attempted_at >= \(Timestamp(oldest))
            ORDER BY number DESC LIMIT \(Int64(limit))
            """
        )
        return try rows.map(Self.delivery)
    }

    /// Forgets queues of webhooks that are no more, with all that they tried, unless another dispatcher
    /// sends by now, who may know of more.
    package func forget(allBut webhooks: [WebhookID], as fence: Fence) async throws {
        let known = webhooks.map(\.text)
        var sql = Statement.StringInterpolation(literalCapacity: 200, interpolationCount: 4)
        sql.appendLiteral("WITH gone AS (DELETE FROM webhook.lane WHERE NOT webhook = ANY(")
        sql.appendInterpolation(known)
        sql.appendLiteral(")), old AS (DELETE FROM webhook.delivery WHERE NOT webhook = ANY(")
        sql.appendInterpolation(known)
        sql.appendLiteral(")) SELECT ")
        sql.check(fence)
        try await database.query(Statement(stringInterpolation: sql))
    }
}

/// An attempt to send something.
package struct Attempt: Equatable, Sendable {
    package let kind: DeliveryKind
    package let message: String
    package let position: Position?
    package let attemptedAt: Instant
    package let duration: Duration
    package let outcome: SendingOutcome

    package init(
        _ kind: DeliveryKind,
        message: String,
        position: Position?,
        attemptedAt: Instant,
        duration: Duration,
        outcome: SendingOutcome
    ) {
        self.kind = kind
        self.message = message
        self.position = position
        self.attemptedAt = attemptedAt
        self.duration = duration
        self.outcome = outcome
    }
}

extension WebhookProgressStore {
    static func moving(
        _ webhook: WebhookID,
        to place: WebhookProgress,
        as fence: Fence?
    ) -> Statement {
        var sql = Statement.StringInterpolation(literalCapacity: 800, interpolationCount: 12)
        move(webhook, to: place, in: &sql)
        sql.appendLiteral(" RETURNING ")
        sql.check(fence)
        return Statement(stringInterpolation: sql)
    }

    static func move(
        _ webhook: WebhookID,
        to place: WebhookProgress,
        in sql: inout Statement.StringInterpolation
    ) {
        sql.appendLiteral(
            """
            INSERT INTO webhook.lane (webhook, delivered, replay_taken, replay_after, replay_until,
                enabled_at, failures, failing_since, next_attempt, failure) VALUES (
            """
        )
        sql.appendInterpolation(webhook.text)
        sql.append(place.delivered.rawValue)
        sql.append(place.replayTaken.rawValue)
        sql.append(place.replay?.after.rawValue)
        sql.append(place.replay?.until.rawValue)
        sql.append(place.enabledAt.rawValue)
        sql.append(Int64(place.failures))
        sql.append(place.failingSince.map { Timestamp($0) })
        sql.append(place.nextAttempt.map { Timestamp($0) })
        sql.append(place.failure)
        sql.appendLiteral(
            """
            ) ON CONFLICT (webhook) DO UPDATE SET
                delivered = excluded.delivered, replay_taken = excluded.replay_taken,
                replay_after = excluded.replay_after, replay_until = excluded.replay_until,
                enabled_at = excluded.enabled_at, failures = excluded.failures,
                failing_since = excluded.failing_since, next_attempt = excluded.next_attempt,
                failure = excluded.failure
            """
        )
    }

    /// Adds the attempt, and takes away those that are too old or too many by now.
    static func note(
        _ attempt: Attempt,
        of webhook: WebhookID,
        in sql: inout Statement.StringInterpolation
    ) {
        let oldest = attempt.attemptedAt.advanced(by: .zero - deliveriesLifetime)
        sql.appendLiteral("old AS (DELETE FROM webhook.delivery WHERE webhook = ")
        sql.appendInterpolation(webhook.text)
        sql.appendLiteral(" AND (attempted_at < ")
        sql.appendInterpolation(Timestamp(oldest))
        sql.appendLiteral(
            " OR number <= (SELECT number FROM webhook.delivery WHERE webhook = "
        )
        sql.appendInterpolation(webhook.text)
        sql.appendLiteral(" ORDER BY number DESC LIMIT 1 OFFSET ")
        sql.appendInterpolation(deliveriesMaximum - 1)
        sql.appendLiteral(
            """
            ))) INSERT INTO webhook.delivery
                (webhook, kind, message, position, attempted_at, milliseconds, status, failure)
            VALUES (
            """
        )
        sql.appendInterpolation(webhook.text)
        sql.append(attempt.kind.rawValue)
        sql.append(attempt.message)
        sql.append(attempt.position?.rawValue)
        sql.append(Timestamp(attempt.attemptedAt))
        sql.append(attempt.duration.milliseconds)
        sql.append(attempt.outcome.status.map(Int64.init))
        sql.append(attempt.outcome.failure)
        sql.appendLiteral(") RETURNING number")
    }

    static func place(_ row: Row) throws -> (WebhookID, WebhookProgress) {
        var row = RowReader(row: row)
        let name: String = try row.next()
        guard let id = WebhookID(name) else { throw UnreadableRow(name: name) }
        let delivered = try Position(ofRow: row.next())
        let replayTaken = try Position(ofRow: row.next())
        let (after, until): (Int64?, Int64?) = (try row.next(), try row.next())
        let enabledAt = try Position(ofRow: row.next())
        let failures: Int = try row.next()
        guard (0..<Int.max).contains(failures) else { throw UnreadableRow(name: "\(failures)") }
        let (since, next): (Timestamp?, Timestamp?) = (try row.next(), try row.next())
        let failure: String? = try row.next()
        var replay: WebhookProgress.Stretch?
        if let after, let until {
            replay = try WebhookProgress.Stretch(
                after: Position(ofRow: after),
                until: Position(ofRow: until)
            )
        }
        var trouble: WebhookProgress.Trouble?
        if let since, let next, let failure {
            trouble = WebhookProgress.Trouble(
                failures: failures,
                since: Instant(since),
                nextAttempt: Instant(next),
                failure: failure
            )
        }
        let place = WebhookProgress(
            delivered: delivered,
            replay: replay,
            replayTaken: replayTaken,
            enabledAt: enabledAt,
            trouble: trouble
        )
        return (id, place)
    }

    static func delivery(_ row: Row) throws -> (number: Int64, answer: DeliveryAnswer) {
        let (number, kind, message, position, attemptedAt, milliseconds, status, failure) =
            try row.decode(
                (Int64, String, String, Int64?, Timestamp, Int64, Int64?, String?).self
            )
        guard let kind = DeliveryKind(rawValue: kind) else { throw UnreadableRow(name: kind) }
        let answer = DeliveryAnswer(
            kind: kind,
            message: message,
            position: try position.map { try Position(ofRow: $0) },
            attemptedAt: Instant(attemptedAt),
            milliseconds: milliseconds,
            status: status,
            failure: failure
        )
        return (number, answer)
    }
}

/// A row that this program did not write.
private struct UnreadableRow: Error, CustomStringConvertible {
    let name: String

    var description: String { "webhook.lane or webhook.delivery has a row that says \(name)" }
}

extension Position {
    /// A position behind which others can lie; whoever has the service's login can write any number.
    fileprivate init(ofRow number: Int64) throws(UnreadableRow) {
        guard let position = Position(rawValue: number), number < .max else {
            throw UnreadableRow(name: "\(number)")
        }
        self = position
    }
}

extension Statement.StringInterpolation {
    /// Has the statement fail where somebody else leads by now.
    fileprivate mutating func check(_ fence: Fence?) {
        appendLiteral("instance.check_leases(")
        appendInterpolation([fence].compactMap { $0?.lease.rawValue })
        appendLiteral(", ")
        appendInterpolation([fence].compactMap { $0?.epoch.rawValue })
        appendLiteral(")")
    }

    /// The next of several values.
    fileprivate mutating func append(_ value: some PostgresValue) {
        appendLiteral(", ")
        appendInterpolation(value)
    }
}
