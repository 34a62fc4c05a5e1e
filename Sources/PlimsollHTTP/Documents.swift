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

/// `/v1/apps/{app}/prince-of-versions`: what clients of Prince of Versions are told, and what the
/// format has no words for.
struct PrinceOfVersionsController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("apps/{app}/prince-of-versions", use: show)
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let moment = query.moment()
        let state = query.one("in", StateName.grammar, StateName.init)
        if state != nil, moment != .live {
            query.object(to: "in", code: "twoMoments", "Give in, at or event, but one only.")
        }
        try query.finish()
        let app = try context.app()
        let place = state == nil ? moment.parameter : "in"
        let view = try await naming(at: place) { () async throws(UseCaseError) in
            try await useCases.documents(
                of: app,
                in: state ?? moment.state,
                for: context.caller
            )
        }
        return Reply(PrinceOfVersionsAnswer(view))
    }
}

extension PrinceOfVersionsAnswer {
    init(_ view: AppDocumentsView) {
        let export = PrinceOfVersionsExport(view)
        self.init(
            app: view.app,
            position: view.position,
            document: export.document.json,
            offers: Dictionary(
                uniqueKeysWithValues: view.documents.filter { !$0.offers.isEmpty }
                    .map { ($0.platform, $0.offers) }
            ),
            legacy: Dictionary(
                uniqueKeysWithValues: view.documents.compactMap { document in
                    document.legacy.map { (document.platform, $0) }
                }
            ),
            notes: export.notes.map(Note.init)
        )
    }
}

extension PrinceOfVersionsAnswer.Note {
    init(_ note: PrinceOfVersionsNote) {
        self.init(platform: note.platform, code: note.code, detail: note.sentence)
    }
}

extension PrinceOfVersionsExport {
    init(_ view: AppDocumentsView) {
        var source = PrinceOfVersionsExport.Source(view.documents)
        source.clients = view.princeClients
        source.take(view.releases, at: view.at)
        self.init(source)
    }
}

extension UseCases {
    /// A document that an address names, with a moment that its query names.
    ///
    /// What makes no sense there is not a wrong request, but the name of nothing.
    func document(
        named app: AppSlug,
        _ platform: Platform,
        _ moment: Moment,
        for caller: Caller
    ) async throws -> DocumentView {
        try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await document(of: app, on: platform, at: moment, for: caller)
        }
    }
}

/// Asks for what an address and its query name: what makes no sense there is not found.
///
/// The moment is named by the parameter that named it.
func naming<View>(
    at moment: String? = nil,
    _ question: () async throws(UseCaseError) -> View
) async throws -> View {
    do throws(UseCaseError) {
        return try await question()
    } catch {
        guard
            case .refused(let refusal) = error,
            refusal.objections.allSatisfy(\.isOfName)
        else { throw error }
        throw Problem(
            .notFound,
            detail: refusal.objections[0].detail,
            errors: refusal.faults(at: moment)
        )
    }
}

/// Asks about one state or two; what makes no sense is named by the parameter of its state.
func placing<View>(
    _ from: String?,
    _ to: StateName?,
    _ question: (StateName?) async throws(UseCaseError) -> View
) async throws -> View {
    do {
        return try await naming(at: to == nil ? from : "to") {
            () async throws(UseCaseError) in try await question(to)
        }
    } catch {
        guard to != nil else { throw error }
        // What is refused without the second state is refused because of the first.
        _ = try await naming(at: from) { () async throws(UseCaseError) in
            try await question(nil)
        }
        throw error
    }
}

extension Refusal {
    fileprivate func faults(at moment: String?) -> [Problem.Fault] {
        objections.map { objection in
            Problem.Fault(
                at: objection.parameter(moment).map(Problem.Place.parameter),
                code: objection.code,
                detail: objection.detail,
                remedy: objection.remedy
            )
        }
    }
}

extension Objection {
    /// Whether it is to what an address or its query names.
    fileprivate var isOfName: Bool {
        switch self {
        case .changeUnknown, .snapshotUnknown: true
        default: kind == .invalid
        }
    }

    /// Which part of an address it objects to.
    fileprivate func parameter(_ moment: String?) -> String? {
        switch self {
        case .platformUnknown: "platform"
        case .targetAhead, .targetBeforeApp, .timeAhead, .changeUnknown, .changeNeverApplied,
            .snapshotUnknown, .neverLiveSoLong, .documentEmptied, .listTooLong,
            .offerPlaceMissing, .offerRefused, .offersTooLarge:
            moment
        default: nil
        }
    }
}

extension Moment {
    /// The parameter that names it.
    var parameter: String? {
        switch self {
        case .live: nil
        case .event: "event"
        case .time: "at"
        }
    }

    /// As a question tells it from others.
    var name: String {
        switch self {
        case .live: "live"
        case .event(let position): "event=\(position)"
        case .time(let instant): "at=\(instant.rfc3339)"
        }
    }
}
