import PlimsollDomain
import PlimsollPostgres

extension EventQuery {
    /// Finds the events.
    ///
    /// Only what narrows them stands in it, so that each question gets the plan that suits it.
    var statement: Statement {
        var sql = Statement.StringInterpolation(literalCapacity: 1000, interpolationCount: 16)
        sql.appendLiteral(
            """
            SELECT position, app, change FROM projection.event
            WHERE generation = (SELECT generation FROM projection.live)
            """
        )
        appendPlace(to: &sql)
        appendTimes(to: &sql)
        append(" AND app = ", apps.map(\.text), to: &sql)
        append(" AND type = ", types.map(\.rawValue), to: &sql)
        append(" AND actor = ", actors.map(\.text), to: &sql)
        append(" AND change = ", changes.map(\.rawValue), to: &sql)
        append(" AND correlation = ", correlations, to: &sql)
        append(" AND reason ILIKE ", reasons.map(\.likePattern), to: &sql)
        appendFields(to: &sql)
        sql.appendLiteral(" ORDER BY position ")
        sql.appendInterpolation(raw: order == .newestFirst ? "DESC" : "ASC")
        sql.appendLiteral(" LIMIT ")
        sql.appendInterpolation(Int64(limit))
        return Statement(stringInterpolation: sql)
    }

    private func appendPlace(to sql: inout Statement.StringInterpolation) {
        let (first, last) = positions
        if first > 1 {
            sql.appendLiteral(" AND position >= ")
            sql.appendInterpolation(first)
        }
        if last < .max {
            sql.appendLiteral(" AND position <= ")
            sql.appendInterpolation(last)
        }
    }

    /// A time is compared with the latest one that the log had seen, as everywhere: it never goes
    /// back, so a span of time is a span of positions, whose ends are found in one step each.
    private func appendTimes(to sql: inout Statement.StringInterpolation) {
        if case .time(let instant) = since {
            sql.appendLiteral(
                """
                 AND position >= (
                    SELECT position FROM projection.event
                    WHERE generation = (SELECT generation FROM projection.live)
                        AND reached_at >=
                """
            )
            sql.appendInterpolation(Timestamp(instant))
            sql.appendLiteral(" ORDER BY reached_at, position LIMIT 1)")
        }
        if case .time(let instant) = until {
            sql.appendLiteral(
                """
                 AND position <= (
                    SELECT position FROM projection.event
                    WHERE generation = (SELECT generation FROM projection.live)
                        AND reached_at <=
                """
            )
            sql.appendInterpolation(Timestamp(instant))
            sql.appendLiteral(" ORDER BY reached_at DESC, position DESC LIMIT 1)")
        }
    }

    private func appendFields(to sql: inout Statement.StringInterpolation) {
        guard !fields.isEmpty || !platforms.isEmpty else { return }
        sql.appendLiteral(
            """
             AND position IN (
                SELECT position FROM projection.event_field
                WHERE generation = (SELECT generation FROM projection.live)
            """
        )
        append(" AND app = ", apps.map(\.text), to: &sql)
        append(" AND field = ", fields.map(\.path), to: &sql)
        append(" AND split_part(field, '.', 1) = ", platforms.map(\.rawValue), to: &sql)
        sql.appendLiteral(")")
    }

    /// One value is compared by itself: its index has the events in order, and those of several
    /// would have to be sorted first, however many there are.
    private func append<Value: PostgresArrayElement>(
        _ condition: StaticString,
        _ values: [Value],
        to sql: inout Statement.StringInterpolation
    ) {
        guard let first = values.first else { return }
        sql.appendLiteral(condition)
        guard values.count > 1 else { return sql.appendInterpolation(first) }
        sql.appendLiteral("ANY(")
        sql.appendInterpolation(values)
        sql.appendLiteral(")")
    }

    /// The first and the last position that may be found.
    private var positions: (first: Int64, last: Int64) {
        var (first, last) = (Int64(1), Int64.max)
        if case .position(let position) = since { first = max(first, position.rawValue) }
        if case .position(let position) = until { last = position.rawValue }
        if let end { last = min(last, end.rawValue) }
        guard let after else { return (first, last) }
        return switch order {
        case .newestFirst: (first, min(last, after.rawValue - 1))
        // A cursor is a caller's word: there may be nothing behind it to count to.
        case .oldestFirst: (max(first, min(after.rawValue, .max - 1) + 1), last)
        }
    }
}

extension String {
    /// Finds a text that has this one in it, whatever characters this one is made of.
    fileprivate var likePattern: String {
        let escaped = replacing("\\", with: "\\\\").replacing("%", with: "\\%")
            .replacing("_", with: "\\_")
        return "%\(escaped)%"
    }
}
