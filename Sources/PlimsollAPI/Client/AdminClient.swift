import Foundation
package import PlimsollDomain
import PlimsollJSON

/// Speaks to the administration of one service, with the service's own types.
///
/// Each method is one request. Every error is an ``AdminError``.
package struct AdminClient: Sendable {
    package let address: ServiceAddress
    private let token: String?
    private let transport: Transport
    private let heedTokenEnd: @Sendable (Instant) -> Void
    private let heedReadOnly: @Sendable () -> Void

    /// Without a token only health and readiness can be asked for.
    ///
    /// Every answer of a service that reads only is a reason to heed: its record may not be what was
    /// signed. So is when the token ends, which every answer says.
    package init(
        at address: ServiceAddress,
        token: String?,
        over transport: Transport,
        heedTokenEnd: @escaping @Sendable (Instant) -> Void = { _ in },
        heedReadOnly: @escaping @Sendable () -> Void = {}
    ) {
        self.address = address
        self.token = token
        self.transport = transport
        self.heedTokenEnd = heedTokenEnd
        self.heedReadOnly = heedReadOnly
    }

    func get<A: Answer>(
        _ path: String,
        _ query: [(name: String, value: String)] = []
    ) async throws(AdminError) -> A {
        let request = WebRequest(.get, address.url(path, query), headers: headers())
        return try answer(await granted(request), to: request)
    }

    /// Decisions bind to what was seen: its digest goes along as the entity tag.
    func post<A: Answer>(
        _ form: some Form,
        to path: String,
        _ write: WriteOptions,
        ifMatch tag: String? = nil
    ) async throws(AdminError) -> A {
        try await send(.post, form, to: path, write, ifMatch: tag)
    }

    func put<A: Answer>(
        _ form: some Form,
        to path: String,
        _ write: WriteOptions,
        ifMatch tag: String?
    ) async throws(AdminError) -> A {
        try await send(.put, form, to: path, write, ifMatch: tag)
    }

    private func send<A: Answer>(
        _ method: WebRequest.Method,
        _ form: some Form,
        to path: String,
        _ write: WriteOptions,
        ifMatch tag: String?
    ) async throws(AdminError) -> A {
        let request = request(method, form, to: path, write, ifMatch: tag)
        return try answer(await granted(request), to: request)
    }

    private func request(
        _ method: WebRequest.Method,
        _ form: some Form,
        to path: String,
        _ write: WriteOptions,
        ifMatch tag: String?
    ) -> WebRequest {
        var headers = headers(for: write)
        headers.append(("Content-Type", "application/json"))
        if let tag { headers.append(("If-Match", "\"\(tag)\"")) }
        let url = address.url(path, write.query)
        return WebRequest(method, url, headers: headers, body: form.bytes)
    }

    func delete(_ path: String, _ write: WriteOptions) async throws(AdminError) {
        let url = address.url(path, write.query)
        let request = WebRequest(.delete, url, headers: headers(for: write))
        _ = try await granted(request)
    }

    /// Takes something away, and says why.
    func delete(
        _ path: String,
        _ form: some Form,
        _ write: WriteOptions,
        ifMatch tag: String? = nil
    ) async throws(AdminError) {
        _ = try await granted(request(.delete, form, to: path, write, ifMatch: tag))
    }

    /// The answer, or the problem that it is.
    ///
    /// A connection that ends before the answer, as a crowded service may end it, is made again:
    /// whatever is written carries a key under which it happens once.
    func granted(_ request: WebRequest) async throws(AdminError) -> WebAnswer {
        for _ in 1..<Self.attempts {
            do {
                return try granted(try await transport.send(request), to: request)
            } catch {
                guard error.isInterruption else { throw error }
            }
        }
        return try granted(try await transport.send(request), to: request)
    }

    private static let attempts = 3

    func granted(
        _ answer: WebAnswer,
        to request: WebRequest
    ) throws(AdminError) -> WebAnswer {
        if answer.header("Plimsoll-Read-Only") != nil { heedReadOnly() }
        if let end = answer.header("Plimsoll-Token-End").flatMap(Instant.init(rfc3339:)) {
            heedTokenEnd(end)
        }
        guard !(200...299).contains(answer.status) else { return answer }
        guard let problem = Problem(answer) else {
            let cause = "that is no answer of the administration. Is this its address?"
            throw AdminError(.notUnderstood(status: answer.status, cause), url: request.url)
        }
        throw AdminError(.refused(problem), url: request.url)
    }

    private func answer<A: Answer>(
        _ answer: WebAnswer,
        to request: WebRequest
    ) throws(AdminError) -> A {
        do {
            return try A(try JSONValue(parsing: answer.body, limits: .answer))
        } catch {
            let kind = AdminError.Kind.notUnderstood(status: answer.status, "\(error)")
            throw AdminError(kind, url: request.url)
        }
    }

    func lines(
        of request: WebRequest,
        _ take: (String) async throws(AdminError) -> Void
    ) async throws(AdminError) -> WebAnswer? {
        try await transport.lines(of: request, take)
    }

    func headers() -> [(name: String, value: String)] {
        var headers = [(name: "Accept", value: "application/json, application/problem+json")]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return headers
    }

    private func headers(for write: WriteOptions) -> [(name: String, value: String)] {
        headers() + [("Idempotency-Key", write.idempotencyKey)]
            + (write.input.map { [("Idempotency-Input", $0)] } ?? [])
    }
}

extension Problem {
    fileprivate init?(_ answer: WebAnswer) {
        // What cannot be read is not a problem of this service; the caller says so.
        guard
            let value = try? JSONValue(parsing: answer.body, limits: .answer),
            let problem = try? Problem(value), problem.status == answer.status
        else { return nil }
        self = problem
    }
}

extension JSONLimits {
    fileprivate static let answer = JSONLimits(sizeMaximum: 32 << 20)
}

/// `/v1/tokens` and `/v1/me`: who may come in, and as what.
extension AdminClient {
    package func identity() async throws(AdminError) -> IdentityAnswer {
        try await get("/v1/me")
    }

    package func tokens() async throws(AdminError) -> TokenList {
        try await get("/v1/tokens")
    }

    package func principals() async throws(AdminError) -> PrincipalList {
        try await get("/v1/principals")
    }

    /// Erases what somebody is called, for good.
    package func eraseName(
        of id: PrincipalID,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete("/v1/principals/\(id)/name", write)
    }

    /// The secret comes with this answer and never again.
    package func issueToken(
        _ form: TokenForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> IssuedTokenAnswer {
        try await post(form, to: "/v1/tokens", write)
    }

    /// The secret of the new token comes with this answer and never again.
    package func renewToken(
        _ form: RenewalForm = RenewalForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> IssuedTokenAnswer {
        try await post(form, to: "/v1/tokens/renew", write)
    }

    package func suspend(
        _ id: PrincipalID,
        _ form: SuspensionForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PrincipalStandingAnswer {
        try await post(form, to: "/v1/principals/\(id)/suspend", write)
    }

    package func resume(
        _ id: PrincipalID,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PrincipalStandingAnswer {
        try await post(form, to: "/v1/principals/\(id)/resume", write)
    }

    package func revokeRole(
        of id: PrincipalID,
        _ form: RoleRevocationForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PrincipalStandingAnswer {
        try await post(form, to: "/v1/principals/\(id)/revoke-role", write)
    }

    package func revokeToken(
        _ id: TokenID,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete("/v1/tokens/\(id)", write)
    }
}

/// Where a service is: a web address that paths are put behind.
package struct ServiceAddress: Equatable, Sendable {
    /// Without a slash at its end.
    package let text: String

    package static let grammar =
        "an address such as http://127.0.0.1:8080, without user, query or fragment"

    package init?(_ text: String) {
        guard
            let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        var text = text
        while text.hasSuffix("/") { text.removeLast() }
        self.text = text
    }

    /// The address of a path, with a query where there is one.
    package func url(_ path: String, _ query: [(name: String, value: String)] = []) -> String {
        query.isEmpty ? text + path : "\(text)\(path)?\(Self.query(query))"
    }

    /// A query as it stands behind the question mark: only what needs no percent sign has none.
    package static func query(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    /// Everything but the unreserved characters of RFC 3986, 2.3, as percent signs and digits.
    package static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}

extension ServiceAddress: CustomStringConvertible {
    package var description: String { text }
}
