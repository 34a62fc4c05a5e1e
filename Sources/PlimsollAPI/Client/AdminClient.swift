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
