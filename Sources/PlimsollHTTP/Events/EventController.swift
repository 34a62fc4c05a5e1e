import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollService
import PlimsollStore
import ServiceLifecycle

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
            case .eventStream: try await follow(request, context)
            case .json, .plainText, .html, .octets: try await page(request, context)
            }
        context.noteReading(request)
        return response
    }

    private func page(_ request: Request, _ context: CallerContext) async throws -> Response {
        var query = QueryReader(request)
        _ = query.addition(in: .json)
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
        let addition = query.addition(in: form.mediaType)
        let (wanted, countMaximum) = try query.export()
        // An entry says more than an answer does, and is for whoever may read the whole log.
        let apps = addition == nil ? wanted.apps : []
        try useCases.requireReader(of: apps, context.caller)
        let reading = try useCases.record(wanted, atMost: countMaximum, for: context.caller)
        return Response(
            status: .ok,
            headers: [.contentType: form.mediaType.field],
            body: form.body(of: reading, with: addition) { [useCases] in
                try useCases.requireReader(of: apps, context.caller)
            }
        )
    }

    private func follow(_ request: Request, _ context: CallerContext) async throws -> Response {
        var query = QueryReader(request)
        _ = query.addition(in: .eventStream)
        let wanted = try query.following()
        let place = try request.lastEventID() ?? wanted.start
        let following = try await useCases.follow(wanted, after: place, for: context.caller)
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

    /// What lines have besides the events themselves; other forms have nothing.
    mutating func addition(in form: ContentType) -> EventFilter.Addition? {
        let isLines = form == .ndjson
        let needed = isLines ? oneOf(EventFilter.Addition.self) : "left out, but for NDJSON"
        return one("with", needed) { isLines ? EventFilter.Addition(rawValue: $0) : nil }
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

/// The record as it grows, as server-sent events (WHATWG HTML, 9.2).
///
/// The id of a message is the position up to which everything has been told, so whoever comes
/// again with `Last-Event-ID` gets what follows, none twice and none left out. Even a reader who
/// has got no event yet knows where to go on: the first message has a place and no event.
struct LiveFeed: Sendable {
    let following: RecordFollowing

    /// How long nothing is said; proxies and readers take a longer silence for an end.
    private static let silence = Duration.seconds(15)

    /// Ends with the service, or when the reader may not read any more.
    var body: ResponseBody {
        ResponseBody { writer in
            var following = following
            try await writer.write(ByteBuffer(string: "retry: 1000\n" + place(following)))
            while !Task.isShuttingDownGracefully {
                guard let (events, now) = await next(following) else { break }
                following = now
                var bytes = ByteBuffer()
                for event in events { bytes.writeString(message(event)) }
                // Also tells a reader of few events how far it is, and finds out who has gone.
                if events.last?.position != now.position { bytes.writeString(place(now)) }
                try await writer.write(bytes)
            }
            try await writer.finish(nil)
        }
    }

    /// Nothing more comes once the service stops, its caller has lost the right, or the database is
    /// away: the answer has begun, so no problem can be told, and a reader comes again by itself
    /// and is told it then.
    private func next(
        _ following: RecordFollowing
    ) async -> (events: [AuditedEvent], following: RecordFollowing)? {
        await cancelWhenGracefulShutdown {
            var following = following
            guard let events = try? await following.next(patience: Self.silence) else { return nil }
            return (events, following)
        }
    }

    private func place(_ following: RecordFollowing) -> String { "id: \(following.position)\n\n" }

    private func message(_ event: AuditedEvent) -> String {
        let data = String(decoding: EventAnswer(event).bytes, as: UTF8.self)
        return "id: \(event.position)\ndata: \(data)\n\n"
    }
}

extension Request {
    /// Where a reader goes on who was cut off.
    func lastEventID() throws(Problem) -> Position? {
        guard let text = headers[.lastEventID] else { return nil }
        guard let position = Int64(text).flatMap(Position.init(rawValue:)) else {
            throw Problem(
                .invalidHeader,
                detail: "Last-Event-ID needs to be \(Position.grammar).",
                errors: [
                    Problem.Fault(
                        at: .header("Last-Event-ID"),
                        code: "valueWrong",
                        detail: "Last-Event-ID needs to be \(Position.grammar).",
                        remedy: "Send the id of the last message."
                    )
                ]
            )
        }
        return position
    }
}

extension EventQuery {
    /// Behind which position to begin where the question says since when; `nil` for now.
    var start: Position? {
        switch since {
        case .position(let position): position == .start ? .start : position.before
        case .time: .start
        case nil: nil
        }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = knownName("Last-Event-ID")
    static let accelBuffering = knownName("X-Accel-Buffering")
}
