import Foundation
import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollStore

/// `/v1/events`: the record, part by part as JSON, or all that was asked for in one stream.
struct EventController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [.raw(Endpoints.listEvents, list), .raw(Endpoints.getEvent, show)]
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Response {
        let response =
            switch context.format {
            case .ndjson: try export(.lines, request, context)
            case .csv: try export(.table, request, context)
            case .eventStream: try follow(request, context)
            case .json, .plainText, .html, .octets: try await page(request, context)
            }
        context.noteReading(request)
        return response
    }

    private func page(_ request: Request, _ context: CallerContext) async throws -> Response {
        var query = QueryReader(request)
        let wanted = try query.events()
        let page = try await useCases.events(wanted, for: context.caller)
        let list = EventList(
            events: page.elements.map(EventAnswer.init),
            next: page.next.map { Cursor(after: $0.rawValue, of: wanted.question).text }
        )
        return try Reply(list, to: request).response(from: request, context: context)
    }

    private func export(
        _ form: ExportForm,
        _ request: Request,
        _ context: CallerContext
    ) throws -> Response {
        var query = QueryReader(request)
        let (wanted, countMaximum) = try query.export()
        let reading = try useCases.record(wanted, atMost: countMaximum, for: context.caller)
        return Response(
            status: .ok,
            headers: [.contentType: form.mediaType.field],
            body: form.body(of: reading) { [useCases] in
                try useCases.requireReader(of: wanted.apps, context.caller)
            }
        )
    }

    private func follow(_ request: Request, _ context: CallerContext) throws -> Response {
        var query = QueryReader(request)
        let wanted = try query.following()
        let place = try request.lastEventID() ?? wanted.start
        let following = try useCases.follow(wanted, after: place, for: context.caller)
        return Response(
            status: .ok,
            headers: [
                .contentType: ContentType.eventStream.field,
                // For proxies that would keep events back until they have enough of them.
                .accelBuffering: "no",
            ],
            body: LiveFeed(following: following).body
        )
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let event = try await useCases.event(try context.names(), for: context.caller)
        context.noteReading(request)
        return Reply(bytes: EventAnswer(event).bytes, mediaType: context.format)
    }
}

extension EventAnswer {
    init(_ event: AuditedEvent) {
        self.init(
            event.recorded,
            app: event.app,
            change: event.change,
            fields: event.fields,
            replacing: event.predecessor
        )
    }
}

extension QueryReader {
    /// The filters of the record.
    mutating func events() throws(Problem) -> EventQuery {
        var events = filters()
        events.limit = limit(events.limit, most: Endpoints.listEvents.facts.limitMaximum)
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
