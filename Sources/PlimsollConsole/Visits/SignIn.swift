import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PlimsollHTTP
import PlimsollService
import PlimsollStore

/// Opens sessions and closes them.
struct SignIn: Sendable {
    private let frontend: Frontend

    init(_ frontend: Frontend) { self.frontend = frontend }

    func page(_ request: Request) -> Response {
        let query = FormFields(encoded: request.uri.query ?? "") ?? FormFields()
        return page(request, target: query["to"])
    }

    private func page(
        _ request: Request,
        target: String?,
        _ fields: Fields = [:],
        status: HTTPResponse.Status = .ok
    ) -> Response {
        var fields = fields
        fields["target"] = ownAddress(target)
        return frontend.plainPage("sign-in", "signIn.title", status, to: request, fields)
    }

    /// Opens a session for who has a token, and goes on where they wanted to.
    ///
    /// A form that was sent when a session was over is shown to be sent again.
    func open(_ request: Request, _ context: PlimsollContext) async throws -> Response {
        guard !request.isForeign else {
            return frontend.plainPage("forged", "forged.title", .forbidden, to: request)
        }
        let form = try await request.form()
        let found: SessionCookie?
        do {
            found = try await cookie(request, form)
        } catch UseCaseError.storeAway {
            return page(request, again: form, "isAway", .serviceUnavailable)
        } catch {
            context.logger.error("a page failed", metadata: ["error": "\(error)"])
            return page(request, again: form, "isFailed", .internalServerError)
        }
        guard let cookie = found else {
            context.logger.notice("a browser was not signed in")
            return page(request, again: form, "isRefused", .unauthorized)
        }
        context.logger.notice("a browser was signed in", metadata: ["session": "\(cookie.id)"])
        var response = resumption(request, form, cookie)
        response.headers[.setCookie] =
            "\(sessionCookieName)=\(cookie.text); Path=/; Secure; HttpOnly; SameSite=Strict"
        return response
    }

    private func cookie(
        _ request: Request,
        _ form: FormFields
    ) async throws(UseCaseError) -> SessionCookie? {
        guard let secret = form["_token"] else { return nil }
        let agent = request.headers[.userAgent] ?? ""
        return try await frontend.useCases.signIn(secret, agent: agent)
    }

    /// The page once more, with why, and with all that it brings back.
    private func page(
        _ request: Request,
        again form: FormFields,
        _ cause: String,
        _ status: HTTPResponse.Status
    ) -> Response {
        let fields: Fields = [
            cause: true, "isForm": form["_resend"] != nil, "key": form["_key"] ?? "",
            "typed": form.typed.fields,
        ]
        return page(request, target: form["_to"], fields, status: status)
    }

    private func resumption(
        _ request: Request,
        _ form: FormFields,
        _ cookie: SessionCookie
    ) -> Response {
        let target = ownAddress(form["_to"])
        guard form["_resend"] != nil else { return .redirect(to: target, type: .normal) }
        return frontend.plainPage(
            "resume",
            "resume.title",
            .ok,
            to: request,
            [
                "target": target, "formKey": cookie.formKey,
                // What was sent already is done once.
                "key": form["_key"] ?? UUID().uuidString.lowercased(),
                "typed": form.typed.fields,
            ]
        )
    }

    func close(_ request: Request, _ context: PlimsollContext) async throws -> Response {
        let form = try await request.form()
        let sent = form.whole("_form")
        guard !request.isForeign, sent == request.sessionCookie?.formKey else {
            return frontend.plainPage("forged", "forged.title", .forbidden, to: request)
        }
        if let cookie = request.sessionCookie,
            let (session, _) = try await frontend.useCases.session(of: cookie)
        {
            try await frontend.useCases.signOut(session)
            context.logger.notice(
                "a browser was signed out",
                metadata: ["session": "\(session.id)"]
            )
        }
        var response = Response.redirect(to: "/sign-in", type: .normal)
        response.headers[.setCookie] =
            "\(sessionCookieName)=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0"
        return response
    }
}

/// An address of this console; any other leads to its beginning.
private func ownAddress(_ text: String?) -> String {
    guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("\\"),
        text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
    else { return "/" }
    return text
}
