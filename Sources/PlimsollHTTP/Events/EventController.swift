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

extension EventAnswer {
    init(_ event: AuditedEvent) {
        self.init(event.recorded, app: event.app, change: event.change, fields: event.fields)
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
