import Foundation
import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollHTTP
import PlimsollService
import PlimsollStore
import Synchronization

/// A request of somebody who is signed in, and all that an answer to it needs.
struct Visit: Sendable {
    let request: Request
    let context: PlimsollContext
    let session: ConsoleSession
    let cookie: SessionCookie
    /// The interface of the administration, asked as whoever is signed in.
    let rest: AdminClient
    let language: Language
    /// What the service decides by, whatever the machine's clock says.
    let now: Instant
    /// How far the record was known when the page was asked for.
    let position: Position
    /// What stands behind the question mark.
    let query: FormFields
    /// What was sent; empty for a page that is only looked at.
    var form = FormFields()
    /// Whoever is signed in; `nil` where that cannot be found out now.
    var identity: IdentityAnswer?
    /// What the interface refused of it.
    var problem: Problem?
    /// What people are called who may stand in that refusal.
    var known: Names?
    fileprivate let marks: Marks
    private let service: InnerService
    private let useCases: UseCases
    private let caller: Caller

    init(
        _ request: Request,
        _ context: PlimsollContext,
        _ session: ConsoleSession,
        _ caller: Caller,
        _ cookie: SessionCookie,
        _ frontend: Frontend
    ) {
        (self.request, self.context, self.session) = (request, context, session)
        (self.cookie, self.caller, service) = (cookie, caller, frontend.service)
        useCases = frontend.useCases
        let marks = Marks()
        self.marks = marks
        rest = AdminClient(
            at: .within,
            token: nil,
            over: frontend.service.transport(within: context, for: caller),
            heedReadOnly: { marks.isReadOnly.store(true, ordering: .relaxed) }
        )
        position = frontend.useCases.position
        language = request.language
        now = frontend.useCases.clock()
        query = FormFields(encoded: request.uri.query ?? "") ?? FormFields()
    }

    /// The events that a query asks for, bit by bit, as the interface gives them.
    func stream(_ query: FormFields, _ fields: HTTPFields) async throws -> Response {
        let head = HTTPRequest(
            method: .get,
            scheme: nil,
            authority: nil,
            path: Endpoints.listEvents.facts.path + "?" + query.encoded,
            headerFields: fields
        )
        let request = Request(head: head, body: RequestBody(buffer: .init()))
        return try await service.transport(within: context, for: caller).response(to: request)
    }

    /// How far the record is known now.
    var knownPosition: Position { useCases.position }

    /// Waits, not for long, until the record is known as far as that.
    func reaches(_ position: Position) async -> Bool { await useCases.reaches(position) }

    /// Throws where the session has ended meanwhile.
    func expectSession() async throws {
        guard try await useCases.session(of: cookie, isUse: false) != nil else {
            throw HTTPError(.unauthorized)
        }
    }

    var principal: PrincipalID { caller.principal }

    var offers: Offers { Offers(to: principal, identity?.roles ?? []) }

    /// What the address has in the place of a parameter.
    func parameter<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value {
        guard let value = context.parameters.get(name).flatMap(read) else {
            throw HTTPError(.notFound)
        }
        return value
    }

    /// The app that the address names.
    var app: AppSlug { get throws { try parameter("app", AppSlug.init) } }

    /// What a write of this form is to be known as: the same form sent twice does it once.
    var write: WriteOptions {
        form["_key"].map { WriteOptions(idempotencyKey: $0) } ?? WriteOptions()
    }

    func difference(from before: String, to after: String) -> TextDifference {
        marks.stepsLeft.withLock { TextDifference(from: before, to: after, within: &$0) }
    }

    func time(_ instant: Instant) -> Fields {
        ShownTime(instant, at: now, language).fields
    }

    func time(_ instant: Instant?) -> Fields? { instant.map { time($0) } }
}

/// What is noticed on the way.
final class Marks: Sendable {
    let isReadOnly = Atomic(false)
    /// How many steps all differences of a page may take yet.
    let stepsLeft = Mutex(1_000_000)
}

extension Visit {
    /// What stands around the page: who is signed in, what was done, and what was refused.
    var surroundings: Fields {
        var fields = language.surroundings
        fields["formKey"] = cookie.formKey
        fields["key"] = nextKey
        fields["address"] = request.uri.string
        fields["position"] = position.description
        fields["path"] = request.uri.path
        fields["isPosted"] = request.method == .post
        fields["isAsked"] =
            request.isAskedOnItsPage && query["done"] == nil && query["cursor"] == nil
        fields["typed"] = form.typed.fields
        fields["who"] = identity?.name
        fields["may"] = offers.fields(in: (try? self.app).map(Scope.app))
        fields["isReadOnly"] = marks.isReadOnly.load(ordering: .relaxed)
        if let app = try? self.app { fields["appNav"] = navigation(of: app) }
        if let done = query["done"].map({ "done.\($0)" }), language.keys.contains(done) {
            fields["done"] = language[done]
        }
        if let problem { fields["problem"] = wording(known).fields(of: problem) }
        return fields
    }

    /// What the forms of the page will be known as: what may have been done is sent again as it was.
    private var nextKey: String {
        let isOpen = problem.map { $0.status >= 500 } ?? false
        return (isOpen ? form["_key"] : nil) ?? UUID().uuidString.lowercased()
    }

    func response(_ page: Page) -> Response { page.response(surroundings) }
}
