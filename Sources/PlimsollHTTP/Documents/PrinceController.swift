import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/prince-of-versions`: what clients of Prince of Versions are told, and what the
/// format has no words for.
struct PrinceController {
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
        let export = PrinceExport(view)
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
    init(_ note: PrinceNote) {
        self.init(platform: note.platform, code: note.code, detail: note.sentence)
    }
}

extension PrinceExport {
    init(_ view: AppDocumentsView) {
        var source = PrinceExport.Source(view.documents)
        source.clients = view.princeClients
        source.take(view.releases, at: view.at)
        self.init(source)
    }
}
