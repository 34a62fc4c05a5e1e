import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/documents/{platform}` and `/v1/apps/{app}/diff`: what phones read, as it is or as
/// it was, where it comes from, and what is different.
struct DocumentController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.getDocument) { call in
                let moment = try call.moment()
                let place = try call.names()
                let view = try await naming(at: moment.parameter) {
                    () async throws(UseCaseError) in
                    try await useCases.document(
                        of: place.app,
                        on: place.platform,
                        at: moment,
                        for: call.caller
                    )
                }
                return try DocumentAnswer(view)
            },
            .read(Endpoints.blameDocument) { call in
                let moment = try call.moment()
                let place = try call.names()
                let blame = try await naming(at: moment.parameter) {
                    () async throws(UseCaseError) in
                    try await useCases.blame(
                        of: place.app,
                        on: place.platform,
                        at: moment,
                        for: call.caller
                    )
                }
                call.context.noteReading(call.request)
                return blame
            },
            .read(Endpoints.getFieldHistory, history),
            .read(Endpoints.diffStates) { call in
                var query = call.query
                let (from, to, platforms) = try query.diff()
                let app = try call.names()
                return try await placing("from", to) { (to) async throws(UseCaseError) in
                    try await useCases.diff(
                        of: app,
                        from: from,
                        to: to ?? from,
                        on: platforms,
                        for: call.caller
                    )
                }
            },
            .read(Endpoints.getPrinceOfVersions, princeOfVersions),
        ]
    }

    private func history(_ call: ReadCall<AppPlatform>) async throws -> FieldHistoryAnswer {
        var query = call.query
        let (wanted, moment, question) = try query.history(
            of: try call.names(),
            most: call.facts.limitMaximum
        )
        let page = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.history(wanted, at: moment, for: call.caller)
        }
        call.context.noteReading(call.request)
        return FieldHistoryAnswer(
            app: wanted.app,
            field: wanted.field,
            writes: page.elements,
            next: page.next.map { Cursor(after: $0.rawValue, of: question).text }
        )
    }

    /// What clients of Prince of Versions are told, and what the format has no words for.
    private func princeOfVersions(
        _ call: ReadCall<AppSlug>
    ) async throws -> PrinceOfVersionsAnswer {
        var query = call.query
        let moment = query.moment()
        let state = query.one("in", StateName.grammar, StateName.init)
        if state != nil, moment != .live {
            query.object(to: "in", code: "twoMoments", "Give in, at or event, but one only.")
        }
        try query.finish()
        let app = try call.names()
        let place = state == nil ? moment.parameter : "in"
        let view = try await naming(at: place) { () async throws(UseCaseError) in
            try await useCases.documents(
                of: app,
                in: state ?? moment.state,
                for: call.caller
            )
        }
        return PrinceOfVersionsAnswer(view)
    }
}

extension QueryReader {
    fileprivate mutating func history(
        of place: AppPlatform,
        most maximum: Int
    ) throws(Problem) -> (FieldHistoryQuery, DocumentMoment, question: [String]) {
        let (app, platform) = (place.app, place.platform)
        let moment = moment()
        let grammar = "\(Field.grammar), on \(platform.rawValue)"
        let field = one("field", grammar) { text in
            Field(path: text).flatMap { $0.platform == platform ? $0 : nil }
        }
        require("field")
        let limit = limit(50, most: maximum)
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

extension PrinceOfVersionsExport {
    init(_ view: AppDocumentsView) {
        var source = PrinceOfVersionsExport.Source(view.documents)
        source.clients = view.princeClients
        source.take(view.releases, at: view.at)
        self.init(source)
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
    fileprivate var isOfName: Bool { kind == .invalid || subject == .moment }

    /// Which part of an address it objects to.
    fileprivate func parameter(_ moment: String?) -> String? {
        switch subject {
        case .platform: "platform"
        case .moment: moment
        default: nil
        }
    }
}

extension DocumentMoment {
    /// The parameter that names it.
    var parameter: String? { query.first?.name }

    /// As a question tells it from others.
    var name: String { query.first.map { "\($0.name)=\($0.value)" } ?? "live" }
}
