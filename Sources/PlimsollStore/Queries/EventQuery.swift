package import Foundation
package import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres

/// Which events of the record are wanted; what is empty or `nil` does not narrow them.
package struct EventQuery: Equatable, Sendable {
    package var apps: [AppSlug] = []
    /// The platforms of which an event wrote a field.
    package var platforms: [Platform] = []
    package var fields: [Field] = []
    package var types: [EventType] = []
    package var actors: [PrincipalID] = []
    package var changes: [ChangeID] = []
    package var correlations: [UUID] = []
    /// Words that stand in a reason, in capitals or not.
    package var reasons: [String] = []
    package var since: Bound?
    package var until: Bound?
    package var order = Order.newestFirst
    /// The end of what is asked about, whatever has been recorded since.
    package var end: Position?
    /// The position behind which to go on.
    package var after: Position?
    package var limit = 100

    package static let limitMaximum = 1000

    package init() {}

    /// Whether no index finds the events: as much of the record is gone through as there is.
    ///
    /// Nor does one find what somebody did of some kind or to some app. Types of an app are what pages
    /// and simulations ask for all the time, and stand behind nobody.
    var isSearch: Bool {
        if !reasons.isEmpty || !platforms.isEmpty { return true }
        if !fields.isEmpty, apps.isEmpty { return true }
        guard changes.isEmpty, correlations.isEmpty else { return false }
        return !actors.isEmpty && !(types.isEmpty && apps.isEmpty)
    }

    /// An instant or a position, both inclusive.
    package enum Bound: Equatable, Sendable {
        case time(Instant)
        case position(Position)
    }

    /// Which end of the log to begin at.
    package enum Order: String, CaseIterable, Sendable {
        case newestFirst = "newest"
        case oldestFirst = "oldest"
    }
}

extension EventQuery {
    /// Whether the event is one of those that the statement would find, bounds of place aside.
    package func isMet(by event: AuditedEvent) -> Bool {
        let (recorded, origin) = (event.recorded, event.recorded.origin)
        return admits(event.app, in: apps)
            && admits(recorded.event.type, in: types)
            && admits(origin.actor, in: actors)
            && admits(event.change, in: changes)
            && admits(origin.correlation, in: correlations)
            && (reasons.isEmpty || reasons.contains { origin.reason?.text.mentions($0) ?? false })
            && (fields.isEmpty && platforms.isEmpty || event.fields.contains(where: isMet))
            && isWithinTimes(event.reachedAt)
    }

    private func isMet(by change: FieldChange) -> Bool {
        admits(change.field, in: fields) && admits(change.field.platform, in: platforms)
    }

    private func isWithinTimes(_ instant: Instant) -> Bool {
        if case .time(let first) = since, instant < first { return false }
        if case .time(let last) = until, instant > last { return false }
        return true
    }

    private func admits<Value: Equatable>(_ value: Value?, in wanted: [Value]) -> Bool {
        guard !wanted.isEmpty else { return true }
        return value.map(wanted.contains) ?? false
    }
}

extension String {
    fileprivate func mentions(_ words: String) -> Bool {
        lowercased().contains(words.lowercased())
    }
}

extension EventQuery {
    /// Finds the events.
    ///
    /// Only what narrows them stands in it, so that each question gets the plan that suits it.
    var statement: Statement {
        var sql = Statement.StringInterpolation(literalCapacity: 1000, interpolationCount: 16)
        sql.appendLiteral(
            """
            SELECT position, reached_at, app, change FROM projection.event
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

/// Reads all that a question finds, part by part, as the record was when it was asked.
package struct RecordReading: Sendable {
    private let readModels: ReadModels
    private let logKey: VerifierKey?
    private var query: EventQuery
    /// How far the record went.
    package let end: Position
    /// How many were read so far, and the last of them.
    package private(set) var count = 0
    package private(set) var last: Position?
    private var countMaximum: Int
    /// Found, and not read yet.
    private var found: ArraySlice<Finding> = []
    private var foundCount = 0
    private var isAllFound = false

    /// Small, because one event can be as large as an entry of the log.
    private static let partSize = 250
    /// What is found of an event is small, and found quicker by the thousand.
    private static let stretchSize = 16 * partSize

    init(
        _ query: EventQuery,
        upTo end: Position,
        atMost countMaximum: Int?,
        signedBy logKey: VerifierKey?,
        _ models: ReadModels
    ) {
        self.logKey = logKey
        self.query = query
        self.query.end = end
        self.end = end
        self.countMaximum = countMaximum ?? .max
        readModels = models
    }

    /// The next events, none where all have been read, and the reading as it is behind them.
    package func next() async throws -> (events: [AuditedEvent], reading: RecordReading) {
        var reading = self
        if reading.found.isEmpty { try await reading.find() }
        let part = reading.found.prefix(Self.partSize)
        reading.found = reading.found.dropFirst(part.count)
        reading.count += part.count
        reading.last = part.last?.position ?? last
        return (try await readModels.audited(part), reading)
    }

    /// Finds the first part by itself, so that nobody waits for more than that.
    private mutating func find() async throws {
        guard !isAllFound, foundCount < countMaximum else { return }
        let wanted = foundCount == 0 ? Self.partSize : Self.stretchSize
        query.limit = min(wanted, countMaximum - foundCount)
        let more = try await readModels.found(query, upTo: end, isPart: true)
        isAllFound = more.count < query.limit
        query.after = more.last?.position ?? query.after
        foundCount += more.count
        found = more[...]
    }

    /// The entries of events that were read, as they are hashed.
    package func entries(of events: [AuditedEvent]) async throws -> [[UInt8]] {
        try await readModels.log.entries(at: events.map(\.position))
    }

    /// The newest checkpoint over what was read that the log's key has signed, as its note says it.
    package func checkpoint() async throws -> String? {
        try await Checkpoints(readModels.log).newest(upTo: Int(end.rawValue), signedBy: logKey)
            .map { String(decoding: $0.note, as: UTF8.self) }
    }
}

extension ReadModels {
    /// Reads what a question finds; the checkpoint at its end is one that the key signed, if known.
    package func record(
        _ query: EventQuery,
        upTo end: Position,
        atMost countMaximum: Int?,
        signedBy logKey: VerifierKey?
    ) -> RecordReading {
        RecordReading(query, upTo: end, atMost: countMaximum, signedBy: logKey, self)
    }
}
