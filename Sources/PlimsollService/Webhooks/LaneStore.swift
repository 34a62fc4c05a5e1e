package import PlimsollDomain
package import PlimsollPostgres
import PlimsollStore

/// Where lanes stand and what they tried, in the database: nothing of it lies in the log.
///
/// An attempt and where it leaves its lane are written together, so a process that dies sends at
/// most the last message again.
package struct LaneStore: Sendable {
    /// So many attempts are kept of each webhook, and for so long.
    package static let deliveriesMaximum: Int64 = 1000
    package static let deliveriesLifetime = Duration.seconds(30 * 86_400)

    private let database: any Querying

    package init(_ database: any Querying) {
        self.database = database
    }

    /// Where a lane stands; `nil` before it did anything.
    package func place(of webhook: WebhookID) async throws -> LanePlace? {
        try await places(of: [webhook])[webhook]
    }

    package func places(of webhooks: [WebhookID]) async throws -> [WebhookID: LanePlace] {
        let rows = try await database.query(
            """
            SELECT webhook, delivered, replay_taken, replay_after, replay_until, enabled_at,
                failures, failing_since, next_attempt, failure
            FROM webhook.lane WHERE webhook = ANY(\(webhooks.map(\.text)))
            """
        )
        var places: [WebhookID: LanePlace] = [:]
        for row in rows {
            let (id, place) = try Self.place(row)
            places[id] = place
        }
        return places
    }

    /// Writes down where a lane stands, and the attempt that led there.
    package func save(_ place: LanePlace, of webhook: WebhookID, _ attempt: Attempt?) async throws {
        guard let attempt else {
            try await database.execute(Self.moving(webhook, to: place))
            return
        }
        var sql = Statement.StringInterpolation(literalCapacity: 1500, interpolationCount: 24)
        sql.appendLiteral("WITH moved AS (")
        Self.move(webhook, to: place, in: &sql)
        sql.appendLiteral("), ")
        Self.note(attempt, of: webhook, in: &sql)
        try await database.query(Statement(stringInterpolation: sql))
    }

    /// Writes down an attempt that moves no lane.
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
    ) async throws -> [WebhookDelivery] {
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

    /// Forgets lanes of webhooks that are no more, with all that they tried.
    package func forget(allBut webhooks: [WebhookID]) async throws {
        let known = webhooks.map(\.text)
        try await database.execute(
            """
            WITH gone AS (DELETE FROM webhook.lane WHERE NOT webhook = ANY(\(known)))
            DELETE FROM webhook.delivery WHERE NOT webhook = ANY(\(known))
            """
        )
    }
}

/// An attempt to send something.
package struct Attempt: Equatable, Sendable {
    package let kind: WebhookDelivery.Kind
    package let message: String
    package let position: Position?
    package let attemptedAt: Instant
    package let duration: Duration
    package let outcome: SendingOutcome

    package init(
        _ kind: WebhookDelivery.Kind,
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
