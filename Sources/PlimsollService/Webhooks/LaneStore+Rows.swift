import PlimsollDomain
import PlimsollPostgres
import PlimsollStore

extension LaneStore {
    static func moving(_ webhook: WebhookID, to place: LanePlace) -> Statement {
        var sql = Statement.StringInterpolation(literalCapacity: 800, interpolationCount: 10)
        move(webhook, to: place, in: &sql)
        return Statement(stringInterpolation: sql)
    }

    static func move(
        _ webhook: WebhookID,
        to place: LanePlace,
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

    static func place(_ row: Row) throws -> (WebhookID, LanePlace) {
        var row = RowReader(row: row)
        let name: String = try row.next()
        guard let id = WebhookID(name) else { throw StrangeLane(name: name) }
        let delivered = Position(try row.next(Int.self))
        let replayTaken = Position(try row.next(Int.self))
        let (after, until): (Int?, Int?) = (try row.next(), try row.next())
        let enabledAt = Position(try row.next(Int.self))
        let failures: Int = try row.next()
        let (since, next): (Timestamp?, Timestamp?) = (try row.next(), try row.next())
        let failure: String? = try row.next()
        var replay: LanePlace.Stretch?
        if let after, let until {
            replay = LanePlace.Stretch(after: Position(after), until: Position(until))
        }
        var trouble: LanePlace.Trouble?
        if let since, let next, let failure {
            trouble = LanePlace.Trouble(
                failures: failures,
                since: Instant(since),
                nextAttempt: Instant(next),
                failure: failure
            )
        }
        let place = LanePlace(
            delivered: delivered,
            replay: replay,
            replayTaken: replayTaken,
            enabledAt: enabledAt,
            trouble: trouble
        )
        return (id, place)
    }

    static func delivery(_ row: Row) throws -> WebhookDelivery {
        let (number, kind, message, position, attemptedAt, milliseconds, status, failure) =
            try row.decode(
                (Int64, String, String, Int?, Timestamp, Int64, Int?, String?).self
            )
        guard let kind = WebhookDelivery.Kind(rawValue: kind) else { throw StrangeLane(name: kind) }
        return WebhookDelivery(
            number: number,
            kind: kind,
            message: message,
            position: position.map { Position($0) },
            attemptedAt: Instant(attemptedAt),
            duration: .milliseconds(milliseconds),
            status: status,
            failure: failure
        )
    }
}

/// A row that this program did not write.
private struct StrangeLane: Error, CustomStringConvertible {
    let name: String

    var description: String { "the lanes of the webhooks have a row that says \(name)" }
}

extension Statement.StringInterpolation {
    /// The next of several values.
    fileprivate mutating func append(_ value: some PostgresValue) {
        appendLiteral(", ")
        appendInterpolation(value)
    }
}
