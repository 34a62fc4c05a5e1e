import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/documents/{platform}` and `/v1/apps/{app}/diff`: what phones read, as it is or as
/// it was, where it comes from, and what is different.
struct DocumentController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("apps/{app}/documents/{platform}", use: show)
            .get("apps/{app}/documents/{platform}/blame", use: blame)
            .get("apps/{app}/documents/{platform}/history", use: history)
            .get("apps/{app}/diff", use: diff)
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        try query.finish()
        let view = try await useCases.document(
            named: try context.app(),
            try context.platform(),
            moment,
            for: context.caller
        )
        return Reply(try DocumentAnswer(view))
    }

    private func blame(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        try query.finish()
        let (app, platform) = (try context.app(), try context.platform())
        let view = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.blame(of: app, on: platform, at: moment, for: context.caller)
        }
        context.noteReading(request)
        return Reply(BlameAnswer(view))
    }

    private func history(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let (wanted, moment, question) = try query.history(
            of: try context.app(),
            on: try context.platform()
        )
        let page = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.history(wanted, at: moment, for: context.caller)
        }
        let next = page.next.map { Cursor(after: $0.rawValue, of: question) }
        let answer = FieldHistoryAnswer(
            app: wanted.app,
            field: wanted.field,
            writes: page.elements.map(FieldHistoryAnswer.Write.init),
            next: next?.text
        )
        context.noteReading(request)
        return Reply(answer).linked(to: next, of: request)
    }

    private func diff(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let (from, to, platforms) = try query.diff()
        let app = try context.app()
        let view = try await placing("from", to) { (to) async throws(UseCaseError) in
            try await useCases.diff(
                of: app,
                from: from,
                to: to ?? from,
                on: platforms,
                for: context.caller
            )
        }
        return Reply(DiffAnswer(view))
    }
}

extension QueryReader {
    fileprivate mutating func history(
        of app: AppSlug,
        on platform: Platform
    ) throws(Problem) -> (FieldHistoryQuery, Moment, question: [String]) {
        let moment = moment()
        let grammar = "\(Field.grammar), on \(platform.rawValue)"
        let field = one("field", grammar) { text in
            Field(path: text).flatMap { $0.platform == platform ? $0 : nil }
        }
        require("field")
        let limit = limit(50, most: FieldHistoryQuery.limitMaximum)
        let question = ["history", app.text, field?.path ?? "", moment.name]
        let after = cursor(of: question).flatMap(Position.init(rawValue:))
        try finish()
        guard let field else { throw Problem(.invalidParameter, detail: "field is needed.") }
        var history = FieldHistoryQuery(app: app, field: field)
        (history.after, history.limit) = (after, limit)
        return (history, moment, question)
    }

    fileprivate mutating func diff() throws(Problem) -> (StateName, StateName, [Platform]) {
        let from = one("from", StateName.grammar, StateName.init)
        let to = one("to", StateName.grammar, StateName.init)
        let platforms = all("platform", Platform.grammar, Platform.init(rawValue:))
        require("from")
        require("to")
        try finish()
        guard let from, let to else {
            throw Problem(.invalidParameter, detail: "from and to are needed.")
        }
        return (from, to, platforms)
    }
}

extension DiffAnswer {
    init(_ view: DiffView) {
        self.init(
            app: view.app,
            from: Side(view.from),
            to: Side(view.to),
            changes: view.changes,
            blocked: view.blocked
        )
    }
}

extension DiffAnswer.Side {
    init(_ view: DiffView.Side) {
        self.init(name: view.name, position: view.position)
    }
}

extension FieldHistoryAnswer.Write {
    init(_ view: FieldWriteView) {
        self.init(
            change: view.change,
            event: view.event.position,
            recordedAt: view.event.recordedAt,
            origin: FieldOrigin(view.event, view.cause)
        )
    }
}

extension FieldOrigin {
    init(_ event: RecordedEvent, _ cause: BlameView.Cause?) {
        self.init(
            author: cause?.author ?? event.origin.actor,
            approvers: cause?.approvers ?? [],
            change: cause?.id,
            reason: (cause?.reason ?? event.origin.reason)?.text,
            incident: cause?.incident?.text
        )
    }
}

extension BlameAnswer {
    init(_ view: BlameView) {
        self.init(
            app: view.app,
            platform: view.platform,
            position: view.position,
            lines: view.lines.map { line in
                Line(
                    field: line.field,
                    value: line.value,
                    event: line.event.position,
                    since: line.event.recordedAt,
                    origin: FieldOrigin(line.event, line.cause)
                )
            }
        )
    }
}

extension DocumentAnswer {
    init(_ view: DocumentView) throws(Problem) {
        let platform = view.document.platform
        guard AvailabilityDocument.fileName(for: platform) != nil else {
            throw Problem(
                .notFound,
                detail: "There is no availability document for \(platform.rawValue)."
            )
        }
        self.init(
            app: view.app,
            platform: platform,
            position: view.position,
            document: AvailabilityDocument(view.document, stamp: nil).json(view.profile),
            offerCount: Int64(view.document.offers.count)
        )
    }
}
