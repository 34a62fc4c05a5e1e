import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollStore

extension QueryReader {
    /// The filters of the record.
    mutating func events() throws(Problem) -> EventQuery {
        var events = filters()
        events.limit = limit(events.limit, most: EventQuery.limitMaximum)
        events.after = cursor(of: events.question).flatMap(Position.init(rawValue:))
        try finish()
        return events
    }

    /// The filters of a stream, and at most how many events it may have.
    mutating func export() throws(Problem) -> (EventQuery, countMaximum: Int?) {
        var events = filters()
        let countMaximum = one("limit", "a whole number from 1 on") { text in
            Int(text).flatMap { $0 > 0 ? $0 : nil }
        }
        events.after = cursor(of: events.question).flatMap(Position.init(rawValue:))
        try finish()
        return (events, countMaximum)
    }

    /// The filters of a feed: it goes on for ever, from the oldest event to the newest.
    mutating func following() throws(Problem) -> EventQuery {
        let events = narrowed()
        try finish()
        return events
    }

    private mutating func filters() -> EventQuery {
        var events = narrowed()
        events.until = bound("until")
        let order = one("order", oneOf(EventQuery.Order.self), EventQuery.Order.init(rawValue:))
        events.order = order ?? events.order
        return events
    }

    private mutating func narrowed() -> EventQuery {
        var events = EventQuery()
        events.apps = all("app", "an app's slug", AppSlug.init)
        events.types = all("type", oneOf(EventType.self), EventType.init(rawValue:))
        events.actors = all("actor", "a principal's id", PrincipalID.init)
        events.platforms = all("platform", Platform.grammar, Platform.init(rawValue:))
        events.fields = all("field", Field.grammar, Field.init(path:))
        events.changes = all("change", ChangeID.grammar, ChangeID.init)
        events.correlations = all("correlation", "a UUID", UUID.init(uuidString:))
        events.reasons = allWords(
            "reason",
            "words that a reason may have, without control characters"
        ) { try? Reason(validating: $0).text }
        events.since = bound("since")
        return events
    }
}

extension EventQuery {
    /// What chooses and orders the events.
    var question: [String] {
        ["events", order.rawValue] + apps.map { "app=\($0)" }.sorted()
            + types.map { "type=\($0)" }.sorted() + actors.map { "actor=\($0)" }.sorted()
            + platforms.map { "platform=\($0)" }.sorted() + fields.map { "field=\($0)" }.sorted()
            + changes.map { "change=\($0)" }.sorted()
            + correlations.map { "correlation=\($0)" }.sorted()
            + reasons.map { "reason=\($0)" }.sorted()
            + ["since=\(since?.text ?? "")", "until=\(until?.text ?? "")"]
    }
}

extension EventQuery.Bound {
    fileprivate var text: String {
        switch self {
        case .time(let instant): instant.rfc3339
        case .position(let position): position.description
        }
    }
}
