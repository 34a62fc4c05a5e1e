import Foundation
package import PlimsollDomain
import PlimsollJSON

/// Speaks to the administration of one service, with the service's own types.
///
/// Each call is one request to an endpoint. Every error is an ``AdminError``.
package struct AdminClient: Sendable {
    package let address: ServiceAddress
    private let token: String?
    private let transport: any AdminTransport
    private let heedTokenEnd: @Sendable (Instant) -> Void
    private let heedReadOnly: @Sendable () -> Void

    /// Without a token only health and readiness can be asked for.
    ///
    /// Every answer of a service that reads only is a reason to heed: its record may not be what was
    /// signed. So is when the token ends, which every answer says.
    package init(
        at address: ServiceAddress,
        token: String?,
        over transport: any AdminTransport,
        heedTokenEnd: @escaping @Sendable (Instant) -> Void = { _ in },
        heedReadOnly: @escaping @Sendable () -> Void = {}
    ) {
        self.address = address
        self.token = token
        self.transport = transport
        self.heedTokenEnd = heedTokenEnd
        self.heedReadOnly = heedReadOnly
    }

    /// Reads what an endpoint answers.
    package func call<Names: PathNames, Outcome: Answer>(
        _ endpoint: Read<Names, Outcome>,
        _ names: Names,
        _ query: [(name: String, value: String)] = []
    ) async throws(AdminError) -> Outcome {
        let url = address.url(endpoint.facts.path(naming: names), query)
        let request = WebRequest(.get, url, headers: headers())
        return try answer(await granted(request), to: request)
    }

    /// The same where the address names nothing.
    package func call<Outcome: Answer>(
        _ endpoint: Read<NoNames, Outcome>,
        _ query: [(name: String, value: String)] = []
    ) async throws(AdminError) -> Outcome {
        try await call(endpoint, NoNames(), query)
    }

    /// Sends a form; what its sender has to have seen goes along as the entity tag.
    package func call<Names, Seen, Body: Form, Outcome: Answer>(
        _ endpoint: Endpoint<Names, Seen, Body, Outcome>,
        _ names: Names,
        seen: Seen.Value,
        _ form: Body,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> Outcome {
        let request = request(endpoint, names, seen, form, write)
        return try answer(await granted(request), to: request)
    }

    /// The same where it does not matter what was seen.
    package func call<Names, Body: Form, Outcome: Answer>(
        _ endpoint: Write<Names, Body, Outcome>,
        _ names: Names,
        _ form: Body,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> Outcome {
        try await call(endpoint, names, seen: (), form, write)
    }

    /// The same where the address names nothing either.
    package func call<Body: Form, Outcome: Answer>(
        _ endpoint: Write<NoNames, Body, Outcome>,
        _ form: Body,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> Outcome {
        try await call(endpoint, NoNames(), seen: (), form, write)
    }

    /// Sends a form of which nothing is left to show.
    package func call<Names, Seen, Body: Form>(
        _ endpoint: Endpoint<Names, Seen, Body, DryRunAnswer>,
        _ names: Names,
        seen: Seen.Value,
        _ form: Body,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        _ = try await granted(request(endpoint, names, seen, form, write))
    }

    /// The same where it does not matter what was seen.
    package func call<Names, Body: Form>(
        _ endpoint: Write<Names, Body, DryRunAnswer>,
        _ names: Names,
        _ form: Body,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await call(endpoint, names, seen: (), form, write)
    }

    /// Sends a form to one of two endpoints: that of an app, where there is one, or that of all.
    package func call<Own, Rest, Body: Form, Outcome: Answer>(
        _ own: Write<Own, Body, Outcome>,
        _ names: Own?,
        else all: Write<Rest, Body, Outcome>,
        _ rest: Rest,
        _ form: Body,
        _ write: WriteOptions
    ) async throws(AdminError) -> Outcome {
        guard let names else { return try await call(all, rest, form, write) }
        return try await call(own, names, form, write)
    }

    /// The same of which nothing is left to show.
    package func call<Own, Rest, Body: Form>(
        _ own: Write<Own, Body, DryRunAnswer>,
        _ names: Own?,
        else all: Write<Rest, Body, DryRunAnswer>,
        _ rest: Rest,
        _ form: Body,
        _ write: WriteOptions
    ) async throws(AdminError) {
        guard let names else { return try await call(all, rest, form, write) }
        try await call(own, names, form, write)
    }

    private func request<Names, Seen, Body: Form, Outcome>(
        _ endpoint: Endpoint<Names, Seen, Body, Outcome>,
        _ names: Names,
        _ seen: Seen.Value,
        _ form: Body,
        _ write: WriteOptions
    ) -> WebRequest {
        let facts = endpoint.facts
        var headers = headers(for: write)
        headers.append(("Content-Type", ContentType.json.rawValue))
        if let tag = Seen.tag(of: seen) { headers.append(("If-Match", "\"\(tag)\"")) }
        let url = address.url(facts.path(naming: names), write.query)
        return WebRequest(facts.method, url, headers: headers, body: form.bytes)
    }

    /// The answer, or the problem that it is.
    ///
    /// A connection that ends before the answer, as a crowded service may end it, is made again:
    /// whatever is written carries a key under which it happens once. Where the next attempt is not
    /// heard either, what became of the first stays open.
    func granted(_ request: WebRequest) async throws(AdminError) -> WebAnswer {
        var interruption: AdminError?
        for _ in 1..<Self.attempts {
            do {
                return try granted(try await transport.send(request), to: request)
            } catch  where error.isInterruption {
                interruption = interruption ?? error
            } catch {
                throw error.following(interruption, of: request)
            }
        }
        do {
            return try granted(try await transport.send(request), to: request)
        } catch {
            throw error.following(interruption, of: request)
        }
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

    func headers(accepting type: ContentType = .json) -> [(name: String, value: String)] {
        var headers = [(name: "Accept", value: "\(type.rawValue), application/problem+json")]
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

/// Where a service is: a web address that paths are put behind.
package struct ServiceAddress: Equatable, Sendable {
    /// Without a slash at its end.
    package let text: String

    /// The service in this process, which has no address.
    package static let within = ServiceAddress(unchecked: "")

    private init(unchecked text: String) { self.text = text }

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

    /// An address as it may be shown, with `…` for who asks and for what follows the path: either may
    /// be what lets somebody in.
    package static func withoutSecrets(_ url: String) -> String {
        let scalars = url.unicodeScalars
        let start = scalars.firstRange(of: "://".unicodeScalars)?.upperBound ?? scalars.startIndex
        let place = scalars[start...].prefix { $0 != "?" && $0 != "#" }
        let further = scalars[place.endIndex...]
        let scheme = String(scalars[..<start])
        // Of a password with a question mark, or of a query.
        guard !further.contains("@") else { return scheme + "…" }
        let shown = place.lastIndex(of: "@").map { "…" + String(place[$0...]) } ?? String(place)
        return scheme + shown + String(further.prefix(1)) + (further.isEmpty ? "" : "…")
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

/// Why a service did not do what it was asked.
package struct AdminError: Error, Equatable, Sendable {
    /// What kept the service from it, as far as can be told from here.
    package enum Kind: Equatable, Sendable {
        /// The service said no, and why.
        case refused(Problem)
        /// There was no connection, so nothing was asked.
        case unreachable(String)
        /// The connection broke on the way; what became of a write is not known.
        case interrupted(String)
        /// No answer came in time; what became of a write is not known.
        case timedOut(Duration)
        case answerTooLarge(maximum: Int)
        /// Something answered that is not this service, or a service that speaks differently.
        case notUnderstood(status: Int, String)
        case cancelled
    }

    package let kind: Kind
    /// What was asked, without secrets.
    package let url: String

    package init(_ kind: Kind, url: String) {
        self.kind = kind
        self.url = ServiceAddress.withoutSecrets(url)
    }

    /// The status of the answer; `nil` where there was none.
    package var status: Int? {
        switch kind {
        case .refused(let problem): problem.status
        case .notUnderstood(let status, _): status
        case .unreachable, .interrupted, .timedOut, .answerTooLarge, .cancelled: nil
        }
    }

    package var problem: Problem? {
        if case .refused(let problem) = kind { problem } else { nil }
    }

    /// Whether a write may have happened although nobody said so.
    package var leavesOutcomeOpen: Bool {
        switch kind {
        case .interrupted, .timedOut, .answerTooLarge, .notUnderstood, .cancelled: true
        case .refused(let problem): problem.status >= 500 && !problem.isReadOnly
        case .unreachable: false
        }
    }
}

extension AdminError {
    var isInterruption: Bool {
        if case .interrupted = kind { true } else { false }
    }

    /// The same, or an interruption that tells of both: a write that was interrupted may have happened,
    /// and who was not let in afterwards knows no more of it.
    fileprivate func following(_ interruption: AdminError?, of request: WebRequest) -> AdminError {
        guard case .interrupted(let first)? = interruption?.kind, request.method != .get,
            let later = causeBeforeTheWrite
        else { return self }
        return AdminError(.interrupted("\(first); asked again, \(later)"), url: request.url)
    }

    /// Why nobody looked at what was asked; `nil` where somebody did.
    private var causeBeforeTheWrite: String? {
        switch kind {
        case .unreachable(let cause): "it could not be reached: \(cause)"
        case .refused(let problem) where problem.isBeforeTheWrite:
            "it answered \(problem.status), \(problem.title)"
        case .refused, .interrupted, .timedOut, .answerTooLarge, .notUnderstood, .cancelled: nil
        }
    }
}

extension AdminError: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .refused(let problem): "\(problem.title). \(problem.detail)"
        case .unreachable(let cause): "The service at \(url) cannot be reached: \(cause)."
        case .interrupted(let cause): "The service at \(url) did not answer: \(cause)."
        case .timedOut(let limit): "The service at \(url) did not answer within \(limit)."
        case .answerTooLarge(let maximum):
            "The answer of \(url) is too large; at most \(maximum) bytes are read."
        case .notUnderstood(let status, let cause):
            "\(url) answered \(status), but not as this version of Plimsoll does: \(cause)"
        case .cancelled: "The request to \(url) was given up."
        }
    }
}

extension Problem {
    /// Whether the service writes nothing at all until an operator decides.
    package var isReadOnly: Bool { code.map(ProblemCode.readOnly.contains) ?? false }

    /// Whether the service refused to look at a request, rather than what it asks for.
    fileprivate var isBeforeTheWrite: Bool { [401, 429].contains(status) || isReadOnly }
}
