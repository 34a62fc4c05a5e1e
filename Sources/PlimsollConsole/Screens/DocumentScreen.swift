import PlimsollAPI
import PlimsollDomain

/// A document as it is or was, and where each of its fields has its content from.
enum DocumentScreen {
    static let routes: [Route] = [.page("/apps/:app/documents/:platform", page)]

    static func page(_ visit: Visit) async throws -> Page {
        let place = AppPlatform(
            try visit.app,
            try visit.parameter("platform", Platform.init(rawValue:))
        )
        let app = try await visit.rest.call(Endpoints.getApp, place.app)
        var page = Page(
            "document",
            "\(app.settings.name.text): \(place.platform.name)",
            ["slug": place.app.text]
        )
        var (moment, shown) = (DocumentMoment.live, visit.position)
        do {
            if let text = visit.query["event"] {
                guard let position = Position(typed: text) else {
                    throw visit.refusal(of: "event", text)
                }
                (moment, shown) = (.event(position), position)
            }
            let document = try await visit.rest.document(
                of: place.app,
                on: place.platform,
                at: moment
            )
            if moment != .live { shown = document.position }
            page.fields.merge(try await visit.fields(of: document, moment)) { $1 }
        } catch let error as AdminError {
            try await visit.tell(error, on: &page)
        }
        page.fields.merge(try await visit.timeTravel(at: place, shown)) { $1 }
        page.fields["platforms"] = app.settings.platforms.map { platform in
            let query = moment.query.isEmpty ? "" : "?\(FormFields(moment.query).encoded)"
            return Fields(all: [
                "name": platform.name, "isOpen": platform == place.platform,
                "address": "/apps/\(place.app)/documents/\(platform.rawValue)\(query)",
            ])
        }
        return page
    }
}

extension Visit {
    fileprivate func fields(
        of document: DocumentAnswer,
        _ moment: DocumentMoment
    ) async throws -> Fields {
        let place = AppPlatform(document.app, document.platform)
        let blame = try await rest.call(Endpoints.blameDocument, place, moment.query)
        let names = try await names()
        let sorted = blame.lines.sorted { Field.precedesInReading($0.field, $1.field) }
        return Fields(all: [
            "isDocument": true, "isLive": moment == .live, "isEmpty": blame.lines.isEmpty,
            "position": document.position.description,
            "json": pretty(document.document),
            "values": sorted.filter { !$0.isText }.map { fields(of: $0, in: place.app, names) },
            "texts": grouped(sorted.filter(\.isText)) { $0.field.threshold }.map { lines in
                [
                    "name": lines[0].field.threshold.map { language["threshold.\($0.rawValue)"] }
                        ?? "",
                    "count": language("record.texts", count: lines.count),
                    "lines": lines.map { fields(of: $0, in: place.app, names) },
                ]
            },
        ])
    }

    private func fields(of line: BlameAnswer.Line, in app: AppSlug, _ names: Names) -> Fields {
        let query = FormFields([("app", app.text), ("field", line.field.path)])
        var tag: LanguageTag?
        if case .text(_, let language)? = line.field.part { tag = language }
        let own = Fields(all: [
            "name": line.field.name(language), "address": "/history?\(query.encoded)",
            "value": line.value.shown, "isText": line.field.isLong, "tag": tag?.text,
            "event": line.event.description, "since": time(line.since),
        ])
        return origin(line.origin, names).merging(own) { $1 }
    }

    /// How to get to another moment: where the slider stands, and the writes before and after it.
    fileprivate func timeTravel(
        at place: AppPlatform,
        _ shown: Position
    ) async throws -> Fields {
        var filter = EventFilter()
        (filter.apps, filter.platforms) = ([place.app], [place.platform])
        let one = PageOptions(limit: 1)
        var (earlier, later) = (filter, filter)
        earlier.until = .position(shown)
        let newest = try await readableEvents(earlier, one).first
        later.order = .oldest
        var next: EventAnswer?
        if shown < position {
            later.since = .position(shown.advanced(by: 1))
            next = try await readableEvents(later, one).first
        }
        var previous: Position?
        if let newest { previous = try await beginning(of: newest, filter) }
        let base = "/apps/\(place.app)/documents/\(place.platform.rawValue)"
        return Fields(all: [
            "action": base, "shown": shown.description, "last": position.description,
            "earlier": previous.map { "\(base)?event=\($0)" },
            "later": next.map { "\(base)?event=\($0.position)" },
            "liveAddress": base,
        ])
    }

    /// The place before the act that an event belongs to, if anything was written until there.
    private func beginning(
        of event: EventAnswer,
        _ filter: EventFilter
    ) async throws -> Position? {
        var filter = filter
        filter.correlations = [event.origin.correlation]
        filter.order = .oldest
        let first = try await readableEvents(filter, PageOptions(limit: 1)).first
        let place = (first ?? event).position.before
        return place > .start ? place : nil
    }
}

extension BlameAnswer.Line {
    fileprivate var isText: Bool {
        if case .text? = field.part { true } else { false }
    }
}
