import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollService

/// `/v1/events`: the record, part by part as JSON, or all that was asked for in one stream.
struct EventController {
    let useCases: UseCases

    /// What lists can be answered as, and what one event can be.
    static let listForms: [MediaType] = [.json, .ndjson, .csv, .eventStream]
    static let eventForms: [MediaType] = [.json, .ndjson]

    var lists: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self).get("events", use: list)
    }

    var events: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self).get("events/{position}", use: show)
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
        let next = page.next.map { Cursor(after: $0.rawValue, of: wanted.question) }
        let list = EventList(events: page.elements.map(EventAnswer.init), next: next?.text)
        return try Reply(list).linked(to: next, of: request)
            .response(from: request, context: context)
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
                .contentType: MediaType.eventStream.field,
                // For proxies that would keep events back until they have enough of them.
                .accelBuffering: "no",
            ],
            body: LiveFeed(following: following).body
        )
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let event = try await useCases.event(try context.position(), for: context.caller)
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
