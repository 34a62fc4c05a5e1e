import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollProjection
import PlimsollStore
import PlimsollUseCases

/// `/v1/events`: the whole record, as JSON or as one event a line.
struct EventController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("events", use: list)
            .get("events/{position}", use: show)
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let wanted = try query.events()
        let page = try await useCases.events(wanted, for: context.caller)
        let next = page.next.map { Cursor(after: $0.rawValue, of: wanted.question) }
        let list = EventList(events: page.elements.map(EventAnswer.init), next: next?.text)
        return Reply(list, as: context.format).linked(to: next, of: request)
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let event = try await useCases.event(try context.position(), for: context.caller)
        return Reply(bytes: EventAnswer(event).bytes, mediaType: context.format)
    }
}

extension Reply {
    /// One event a line has no room for the next part's cursor; the header `Link` has it.
    fileprivate init(_ list: EventList, as format: MediaType) {
        switch format {
        case .json, .plainText, .html: self.init(list)
        case .ndjson:
            let lines = list.events.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
            self.init(bytes: lines, mediaType: .ndjson)
        }
    }
}

extension QueryReader {
    fileprivate mutating func events() throws(Problem) -> EventQuery {
        var events = EventQuery()
        events.apps = all("app", "an app's slug", AppSlug.init)
        let types = EventType.allCases.map(\.rawValue).joined(separator: ", ")
        events.types = all("type", "one of \(types)", EventType.init(rawValue:))
        events.actors = all("actor", "a principal's id", PrincipalID.init)
        events.since = bound("since")
        events.until = bound("until")
        let order = one("order", "one of newest, oldest", EventQuery.Order.init(rawValue:))
        events.order = order ?? events.order
        events.limit = limit(events.limit, most: EventQuery.limitMaximum)
        events.after = cursor(of: events.question).flatMap(Position.init(rawValue:))
        try finish()
        return events
    }
}

extension EventQuery {
    /// What chooses and orders the events.
    fileprivate var question: [String] {
        ["events", order.rawValue] + apps.map { "app=\($0)" }.sorted()
            + types.map { "type=\($0)" }.sorted() + actors.map { "actor=\($0)" }.sorted()
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
