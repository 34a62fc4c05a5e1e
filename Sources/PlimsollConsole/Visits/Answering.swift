import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PlimsollAPI
import PlimsollHTTP
import PlimsollService
import PlimsollStore

/// What comes of something that was asked for.
enum Effect {
    /// It was done, and is to be looked at there.
    case moved(to: String)
    case page(Page)
    case stream(Response)
}

/// An address of the console, and what is there.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: String
    /// Whether the token has to have been shown lately.
    var isSensitive = false
    /// Whether asking for it prolongs the session, as what a person does.
    var isUse = true
    /// What the form is part of; it is shown again where the interface refuses what was sent.
    var screen: (@Sendable (Visit) async throws -> Page)?
    let act: @Sendable (Visit) async throws -> Effect

    /// A page that is looked at.
    static func page(
        _ path: String,
        _ screen: @escaping @Sendable (Visit) async throws -> Page
    ) -> Route {
        Route(method: .get, path: path) { visit in .page(try await screen(visit)) }
    }

    /// What a form of a page does.
    static func act(
        _ path: String,
        on screen: @escaping @Sendable (Visit) async throws -> Page,
        isSensitive: Bool = false,
        _ act: @escaping @Sendable (Visit) async throws -> Effect
    ) -> Route {
        Route(method: .post, path: path, isSensitive: isSensitive, screen: screen, act: act)
    }
}

extension Route {
    private static let pages = Set(all.filter { $0.method == .get }.map(\.path))

    static func isPage(_ path: String) -> Bool { pages.contains(path) }

    /// The page that a form stands on, for who comes to where the form goes: the nearest above it.
    static func nearestPage(above path: String, asked: String) -> String {
        var (route, address) = (path.split(separator: "/"), asked.split(separator: "/"))
        while !route.isEmpty, !isPage("/" + route.joined(separator: "/")) {
            route.removeLast()
            address = Array(address.prefix(route.count))
        }
        return "/" + address.joined(separator: "/")
    }
}

extension Frontend {
    /// Finds out who asks, and has the route answer them.
    func answer(
        _ request: Request,
        _ context: PlimsollContext,
        _ route: Route
    ) async throws -> Response {
        guard request.method == .post else {
            return try await answer(request, context, route, FormFields())
        }
        guard !request.isForeign else { return forged(request) }
        return try await answer(request, context, route, try await request.form())
    }

    private func answer(
        _ request: Request,
        _ context: PlimsollContext,
        _ route: Route,
        _ form: FormFields
    ) async throws -> Response {
        guard let cookie = request.sessionCookie else { return signInPage(request) }
        do {
            let isUse = request.isUse(of: route)
            guard let found = try await useCases.session(of: cookie, isUse: isUse) else {
                return signInPage(request, keeping: form.sent(by: cookie))
            }
            if let channel = context.channel { know(channel, found.caller.principal) }
            var visit = Visit(request, context, found.session, found.caller, cookie, self)
            visit.form = form
            visit.identity = try? await visit.rest.call(Endpoints.getIdentity)
            return await answer(visit, route)
        } catch {
            return failure(error, request, context, keeping: form.sent(by: cookie))
        }
    }

    private func answer(_ visit: Visit, _ route: Route) async -> Response {
        do {
            if route.method == .post {
                guard visit.isOwnForm else { return forged(visit.request) }
                if route.isSensitive, let proof = try await missingProof(visit) { return proof }
            }
            return visit.response(try await route.act(visit))
        } catch let error as AdminError {
            return await answer(visit, route, refusing: error)
        } catch {
            return failure(error, visit)
        }
    }

    /// The page that the form was on, with what was typed and why it was not taken.
    private func answer(
        _ visit: Visit,
        _ route: Route,
        refusing error: AdminError
    ) async -> Response {
        guard let problem = error.problem, problem.isRefusal else {
            return error.problem?.status == 503
                ? away(visit.request, keeping: visit.form) : failure(error, visit)
        }
        var visit = visit
        visit.problem = problem
        visit.known = try? await visit.names()
        do {
            guard let screen = route.screen else { throw error }
            var page = try await screen(visit)
            page.status = HTTPResponse.Status(code: problem.status)
            return visit.response(page)
        } catch {
            var page = Page("refused", visit.wording(visit.known).title(of: problem))
            page.status = HTTPResponse.Status(code: problem.status)
            return visit.response(page)
        }
    }

    private func failure(_ error: any Error, _ visit: Visit) -> Response {
        if let error = error as? HTTPError, error.status == .notFound {
            return visit.response(Page.missing(visit.language))
        }
        return failure(error, visit.request, visit.context, keeping: visit.form)
    }

    /// What was typed is kept with its key: it may have been done, now or when it was sent before.
    private func failure(
        _ error: any Error,
        _ request: Request,
        _ context: PlimsollContext,
        keeping form: FormFields
    ) -> Response {
        if case UseCaseError.storeAway = error { return away(request, keeping: form) }
        context.logger.error("a page failed", metadata: ["error": "\(error)"])
        let fields = form.again(from: request)
        return plainPage("failed", "failed.title", .internalServerError, to: request, fields)
    }

    /// Asks for the token again before something sensitive; `nil` where it was shown lately.
    private func missingProof(_ visit: Visit) async throws -> Response? {
        if try useCases.isProven(visit.session) { return nil }
        let secret = visit.form["_proof"]
        if let secret, try await useCases.prove(visit.session, visit.cookie, secret: secret) {
            return nil
        }
        var page = Page("proof", visit.language["proof.title"])
        page.status = .forbidden
        page.fields["isWrong"] = secret != nil
        page.fields["explanation"] = visit.language(
            "proof.explanation",
            ["when": ShownTime(visit.session.provenAt, at: visit.now, visit.language).relative]
        )
        return visit.response(page)
    }

    /// The database cannot be reached: what was typed is kept, and the page comes back by itself.
    private func away(_ request: Request, keeping form: FormFields) -> Response {
        let fields = form.again(from: request)
        return plainPage("away", "away.title", .serviceUnavailable, to: request, fields)
    }

    /// Asks who it is; what was typed is kept until that is known.
    func signInPage(_ request: Request, keeping form: FormFields = FormFields()) -> Response {
        var fields = form.kept
        fields["key"] = form["_key"] ?? ""
        fields["target"] = request.uri.string
        fields["isForm"] = !form.pairs.isEmpty
        fields["isOver"] = request.sessionCookie != nil
        let status: HTTPResponse.Status = request.isOfScript ? .unauthorized : .ok
        return plainPage("sign-in", "signIn.title", status, to: request, fields)
    }

    private func forged(_ request: Request) -> Response {
        plainPage("forged", "forged.title", .forbidden, to: request)
    }
}

extension FormFields {
    /// Nothing is kept, and brought back to be sent, that no page of the session has sent.
    fileprivate func sent(by cookie: SessionCookie) -> FormFields {
        whole("_form") == cookie.formKey ? self : FormFields()
    }

    fileprivate var kept: Fields {
        ["typed": typed.fields]
    }

    /// What a form needs that sends the same again.
    fileprivate func again(from request: Request) -> Fields {
        var fields = kept
        fields["formKey"] = request.sessionCookie?.formKey ?? ""
        fields["key"] = self["_key"] ?? ""
        fields["isForm"] = !pairs.isEmpty
        return fields
    }
}

extension Page {
    static func missing(_ language: Language) -> Page {
        var page = Page("missing", language["missing.title"])
        page.status = .notFound
        return page
    }
}

extension Visit {
    func response(_ effect: Effect) -> Response {
        switch effect {
        case .moved(let address): .redirect(to: address, type: .normal)
        case .page(let page): response(page)
        case .stream(let response): response
        }
    }

    /// Whether the form was sent from a page of this session.
    fileprivate var isOwnForm: Bool { form.whole("_form") == cookie.formKey }
}

extension Request {
    static let bodyBytesMaximum = 256 * 1024

    /// The session that the browser names; `nil` where it names none, or more than one.
    var sessionCookie: SessionCookie? {
        let cookies = headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix(sessionCookieName + "=") }
        guard cookies.count == 1 else { return nil }
        return SessionCookie(String(cookies[0].dropFirst(sessionCookieName.count + 1)))
    }

    /// Whether the browser says that another site sent this.
    var isForeign: Bool {
        if let site = headers[.knownName("Sec-Fetch-Site")], site != "same-origin" { return true }
        guard let origin = headers[.knownName("Origin")] else { return false }
        return origin.split(separator: "/").last.map(String.init) != head.authority
    }

    /// Whether the browser says that a script asked, which shows no page to anybody.
    fileprivate var isOfScript: Bool { headers[.knownName("Sec-Fetch-Dest")] == "empty" }

    fileprivate func isUse(of route: Route) -> Bool { route.isUse && isOfPerson }

    /// Whether somebody does something, and no page looks by itself for what is new.
    ///
    /// Such a page asks by a script, or comes from where it is. Some browsers never say that a person
    /// leads them somewhere (Sec-Fetch-User), so that one does is believed without it.
    var isOfPerson: Bool {
        if method == .post || headers[.knownName("Sec-Fetch-User")] == "?1" { return true }
        guard !isOfScript else { return false }
        guard let former = page(at: headers[.referer]) else { return true }
        return former != page(at: uri.string)
    }

    /// Whether somebody asked for it on the page itself, above what it answers: they are led there.
    ///
    /// An address that names the place would do that too, but a browser loads nothing for a form that
    /// leads to where it is, though what it asks about may have moved.
    var isAskedOnItsPage: Bool {
        // A form always has a query; what leads to the page itself has none.
        guard method == .get, isOfPerson, uri.query?.isEmpty == false,
            let former = headers[.referer]
        else { return false }
        return URLComponents(string: former)?.percentEncodedPath == uri.path
    }

    func form() async throws -> FormFields {
        let buffer = try await wholeBody(upTo: Self.bodyBytesMaximum)
        guard let form = FormFields(encoded: String(buffer: buffer)) else {
            throw HTTPError(.badRequest)
        }
        return form
    }
}

/// The page at an address, whatever it says was done; a script writes queries in its own way.
private func page(at address: String?) -> String? {
    guard let address, let parts = URLComponents(string: address) else { return nil }
    let query = FormFields(encoded: parts.percentEncodedQuery ?? "") ?? FormFields()
    return parts.percentEncodedPath + "?" + query.without("done").encoded
}

/// The prefix keeps it to this host and to connections that nobody reads (RFC 6265bis, 4.1.3).
let sessionCookieName = "__Host-plimsoll"
