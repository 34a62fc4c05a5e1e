import HTTPTypes
package import Hummingbird
import Logging
package import NIOCore
import PlimsollAPI
package import PlimsollDomain
package import PlimsollHTTP
import PlimsollService
import PlimsollStore

/// The pages on the administration's listener, beside the interface below `/v1`.
///
/// Whatever they show and do they ask of that interface, as its caller: no rule and no query is
/// here.
package struct Console: HTTPResponder {
    private let rest: RouterResponder<PlimsollContext>
    private let pages: RouterResponder<PlimsollContext>

    /// Tells whose a connection is: a browser shows no token by which the listener would know it.
    package init(
        dependencies: Dependencies,
        know: @escaping @Sendable (any Channel, PrincipalID) -> Void = { _, _ in }
    ) {
        rest = buildRouter(dependencies: dependencies).buildResponder()
        pages = Self.router(Frontend(dependencies, know)).buildResponder()
    }

    package func respond(
        to request: Request,
        context: PlimsollContext
    ) async throws -> Response {
        try await Self.isPage(request)
            ? pages.respond(to: request, context: context)
            : rest.respond(to: request, context: context)
    }

    /// What is no address of the interface is a page, where somebody wants to read one.
    ///
    /// What could be read in two ways is for the interface to refuse.
    private static func isPage(_ request: Request) -> Bool {
        guard request.isSpelledOneWay, !request.namesTwoHosts else { return false }
        let first = request.uri.path.split(separator: "/").first.map(String.init) ?? ""
        if interface.contains(first) { return false }
        return own.contains(first) || (request.headers[.accept] ?? "").contains("text/html")
    }

    private static let interface = Set(
        Endpoints.all.compactMap { $0.path.split(separator: "/").first.map(String.init) }
    )
    private static let own = Set(
        Route.all.compactMap { $0.path.split(separator: "/").first.map(String.init) } + [
            "", "assets", "sign-in", "sign-out",
        ]
    )

    private static func router(_ frontend: Frontend) -> Router<PlimsollContext> {
        let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
        router.addObservation()
        router.add(middleware: SecurityHeaders.pages)
        router.add(middleware: ErrorPages(frontend: frontend))
        for asset in Asset.all {
            router.get(RouterPath(asset.path)) { _, _ in asset.response }
        }
        let door = SignIn(frontend)
        router.get("sign-in") { request, _ in door.page(request) }
        router.post("sign-in") { try await door.open($0, $1) }
        router.post("sign-out") { try await door.close($0, $1) }
        for route in Route.all where route.method == .post && !Route.isPage(route.path) {
            router.get(RouterPath(route.path)) { request, _ in
                Response.redirect(
                    to: Route.nearestPage(above: route.path, asked: request.uri.path),
                    type: .normal
                )
            }
        }
        for route in Route.all {
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await frontend.answer(request, context, route)
            }
        }
        return router
    }
}

/// What all pages share.
struct Frontend: Sendable {
    let useCases: UseCases
    let service: InnerService
    /// Takes whose a connection is.
    let know: @Sendable (any Channel, PrincipalID) -> Void

    init(
        _ dependencies: Dependencies,
        _ know: @escaping @Sendable (any Channel, PrincipalID) -> Void = { _, _ in }
    ) {
        useCases = dependencies.useCases
        service = InnerService(dependencies: dependencies)
        self.know = know
    }
}

extension SecurityHeaders {
    /// For pages: kept out of caches and frames, and what is not ours out of them.
    ///
    /// Nothing stands in a page that is run or styles it: scripts and styles are files of their own, and
    /// no text becomes markup in the browser but pages of this service.
    fileprivate static let pages = SecurityHeaders([
        .cacheControl: "no-store",
        .contentSecurityPolicy:
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types plimsoll",
        .xContentTypeOptions: "nosniff",
        .knownName("Referrer-Policy"): "same-origin",
        .knownName("Cross-Origin-Opener-Policy"): "same-origin",
        .knownName("Cross-Origin-Resource-Policy"): "same-origin",
        .knownName("X-Frame-Options"): "DENY",
        .vary: "Accept-Language, Cookie",
    ])
}

/// Answers what went wrong outside of every screen with a page.
private struct ErrorPages: RouterMiddleware {
    let frontend: Frontend

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return frontend.plainPage("missing", "missing.title", .notFound, to: request)
        } catch is NIOTooManyBytesError {
            return frontend.plainPage("large", "large.title", .contentTooLarge, to: request)
        } catch let error
            where (error as? HTTPError)?.status == .badRequest
            || (error as? Problem)?.code == .malformedRequest
        {
            return frontend.plainPage("large", "large.title", .badRequest, to: request)
        } catch UseCaseError.storeAway {
            return frontend.plainPage("away", "away.title", .serviceUnavailable, to: request)
        } catch {
            context.logger.error("a page failed", metadata: ["error": "\(error)"])
            return frontend.plainPage("failed", "failed.title", .internalServerError, to: request)
        }
    }
}

extension Frontend {
    /// A page for somebody of whom nothing is known.
    ///
    /// It brings back what was typed, to be sent again when the cause is over.
    func plainPage(
        _ template: String,
        _ title: String,
        _ status: HTTPResponse.Status,
        to request: Request,
        _ fields: Fields = [:]
    ) -> Response {
        let language = request.language
        var page = Page(template, language[title])
        page.status = status
        page.fields = fields
        page.fields["address"] = request.uri.string
        page.fields["isPosted"] = request.method == .post
        return page.response(language.surroundings)
    }
}

extension Request {
    /// What the reader reads.
    var language: Language { .best(of: headers[.acceptLanguage] ?? "") }
}

extension Language {
    /// What every page has in it.
    var surroundings: Fields {
        [
            "w": tree, "language": tag, "style": Asset.style.path, "script": Asset.script.path,
            "icon": Asset.icon.path,
        ]
    }
}
