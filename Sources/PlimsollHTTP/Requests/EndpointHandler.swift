import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollStore

/// What answers the requests to an endpoint.
struct EndpointHandler<Context: RequestContext>: Sendable {
    let facts: EndpointFacts
    let respond: @Sendable (Request, Context) async throws -> Response

    /// Takes the request as it comes.
    static func raw<Names, Seen, Body, Outcome>(
        _ endpoint: Endpoint<Names, Seen, Body, Outcome>,
        _ respond: @escaping @Sendable (Request, Context) async throws -> some ResponseGenerator
    ) -> EndpointHandler {
        EndpointHandler(facts: endpoint.facts) { request, context in
            try await respond(request, context).response(from: request, context: context)
        }
    }
}

extension EndpointHandler where Context == CallerContext {
    /// Answers a question, with its tag, and with the way to the next part of a list.
    static func read<Names, Outcome: Answer>(
        _ endpoint: Read<Names, Outcome>,
        _ answer: @escaping @Sendable (ReadCall<Names>) async throws -> Outcome
    ) -> EndpointHandler {
        raw(endpoint) { request, context in
            let call = try ReadCall<Names>(endpoint.facts, request, context)
            return Reply(try await answer(call), to: request)
        }
    }

    /// Answers a question that has a body.
    static func ask<Names, Body: Form, Outcome: Answer>(
        _ endpoint: Write<Names, Body, Outcome>,
        _ answer: @escaping @Sendable (Names, Body, Caller) async throws -> Outcome
    ) -> EndpointHandler {
        raw(endpoint) { request, context in
            try QueryReader(request).finish()
            let names = try context.names(Names.self)
            let form = try Body(body: try await request.jsonBytes())
            return Reply(try await answer(names, form, context.caller))
        }
    }

    /// Carries out a write, or tries it, and answers what came of it.
    ///
    /// What it made has its own address.
    static func write<Names, Seen: ReadPrecondition, Body: Form, Outcome: Answer>(
        _ endpoint: Endpoint<Names, Seen, Body, Outcome>,
        at location: @escaping @Sendable (Outcome) -> String? = { _ in nil },
        _ perform: @escaping @Sendable (WriteCall<Names, Seen, Body>) async throws -> Outcome
    ) -> EndpointHandler {
        raw(endpoint) { request, context in
            let call = try await WriteCall<Names, Seen, Body>(request, context)
            let outcome = try await perform(call)
            return Reply(outcome, to: call.write, of: endpoint.facts, at: location(outcome))
        }
    }

    /// Carries out what leaves nothing to show, or tries it.
    static func write<Names, Seen: ReadPrecondition, Body: Form>(
        _ endpoint: Endpoint<Names, Seen, Body, DryRunAnswer>,
        _ perform: @escaping @Sendable (WriteCall<Names, Seen, Body>) async throws -> Void
    ) -> EndpointHandler {
        EndpointHandler(facts: endpoint.facts) { request, context in
            let call = try await WriteCall<Names, Seen, Body>(request, context)
            try await perform(call)
            guard call.write.mode == .dryRun else { return Response(status: .noContent) }
            return try Reply(DryRunAnswer(), to: call.write, of: endpoint.facts)
                .response(from: request, context: context)
        }
    }
}

/// A question as it came in.
struct ReadCall<Names: PathNames> {
    let facts: EndpointFacts
    let request: Request
    let context: CallerContext

    var caller: Caller { context.caller }
    var query: QueryReader { QueryReader(request) }

    /// A query that the endpoint does not have is refused before anything is looked at.
    fileprivate init(
        _ facts: EndpointFacts,
        _ request: Request,
        _ context: CallerContext
    ) throws(Problem) {
        (self.facts, self.request, self.context) = (facts, request, context)
        if facts.query.isEmpty { try QueryReader(request).finish() }
    }

    /// What the address names.
    func names() throws(Problem) -> Names { try context.names() }

    /// The moment that the query names, and nothing else.
    func moment() throws(Problem) -> DocumentMoment {
        var query = query
        let moment = query.moment()
        try query.finish()
        return moment
    }
}

extension CallerContext {
    /// What the address names.
    func names<Names: PathNames>(_ type: Names.Type = Names.self) throws(Problem) -> Names {
        let parameters = parameters
        return try Names(PathReader { parameters.get($0) })
    }
}

/// What the service reads from `If-Match`.
protocol ReadPrecondition: Precondition {
    static func value(in headers: HTTPFields) throws(Problem) -> Value
}

extension Unbound: ReadPrecondition {
    static func value(in headers: HTTPFields) {}
}

extension SeenChange: ReadPrecondition {
    static func value(in headers: HTTPFields) throws(Problem) -> ChangeDigest {
        try ChangeDigest(ifMatch: headers)
    }
}

extension SeenPolicy: ReadPrecondition {
    static func value(in headers: HTTPFields) throws(Problem) -> Position? {
        try Position(ifMatch: headers, orElse: .ifMatchNoPosition)
    }
}

extension SeenSettings: ReadPrecondition {
    static func value(in headers: HTTPFields) throws(Problem) -> Position? {
        try Position(ifMatch: headers, orElse: .ifMatchNoSettings)
    }
}

extension SeenMarketplace: ReadPrecondition {
    static func value(in headers: HTTPFields) throws(Problem) -> Position? {
        try Position(ifMatch: headers, orElse: .ifMatchNoMarketplace)
    }
}

extension SeenKey: ReadPrecondition {
    static func value(in headers: HTTPFields) throws(Problem) -> Position? {
        try Position(ifMatch: headers, orElse: .ifMatchNoKey)
    }
}

/// A write as it came in: of what, what was seen and said, by whom, under which name, and whether
/// for real.
struct WriteCall<Names: PathNames, Seen: ReadPrecondition, Body: Form> {
    let names: Names
    let seen: Seen.Value
    let form: Body
    let write: WriteRequest

    var by: PrincipalID { write.caller.principal }

    init(_ request: Request, _ context: CallerContext) async throws {
        names = try context.names()
        seen = try Seen.value(in: request.headers)
        let received = try await ReceivedWrite(request)
        form = try Body(body: received.bytes)
        write = received.write(Body.self, request, context)
    }
}

/// What is read of every write alike, whatever its form: compiled once, not for each endpoint.
private struct ReceivedWrite {
    let isDryRun: Bool
    let key: String?
    let input: String?
    let bytes: [UInt8]

    init(_ request: Request) async throws {
        var query = QueryReader(request)
        isDryRun = query.one("dryRun", "true or false", Bool.init) ?? false
        try query.finish()
        key = try request.headers.idempotencyKey()
        input = try request.headers.idempotencyInput()
        bytes = try await request.jsonBytes()
    }

    func write(
        _ type: any Form.Type,
        _ request: Request,
        _ context: CallerContext
    ) -> WriteRequest {
        WriteRequest(
            caller: context.caller,
            id: context.requestID,
            identity: identity(type, request, context),
            mode: isDryRun ? .dryRun : .commit,
            correlation: context.trace.id
        )
    }

    /// Without a key nobody will name the command again.
    private func identity(
        _ type: any Form.Type,
        _ request: Request,
        _ context: CallerContext
    ) -> CommandIdentity {
        guard let key else { return .once(type.recordable(bytes)) }
        let seen = Array((request.headers[.ifMatch] ?? "").utf8)
        let (asked, former) = asked(type, seen: seen)
        return .keyed(
            key,
            by: context.caller.principal,
            method: request.method.rawValue,
            path: request.uri.path,
            body: asked,
            formerBody: former
        )
    }

    /// What a key stands for, and what programs of before took for it.
    ///
    /// What a decision binds to is part of what was asked, as much as the body. A caller who says what
    /// was asked says all of it: both may have been read for it, and be others by now.
    private func asked(
        _ type: any Form.Type,
        seen: [UInt8]
    ) -> (now: [UInt8], before: [UInt8]?) {
        if let input {
            let words = Array(input.utf8)
            return (words, seen.isEmpty ? nil : words + seen)
        }
        return (type.recordable(bytes) + seen, type.outsideLog.isEmpty ? nil : bytes + seen)
    }
}

extension Request {
    /// The bytes of a JSON body; those of an empty object where there is no body.
    func jsonBytes() async throws -> [UInt8] {
        let buffer = try await wholeBody()
        guard buffer.readableBytes > 0 else { return Array("{}".utf8) }
        guard isJSON(headers[.contentType]) else { throw Problem.mediaTypeWrong }
        return Array(buffer.readableBytesView)
    }
}

/// A charset is accepted where it is the one that JSON has (RFC 8259, 8.1).
private func isJSON(_ contentType: String?) -> Bool {
    let parts = (contentType ?? "").lowercased().split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespaces)
    }
    return parts.first == ContentType.json.rawValue
        && parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
}

extension Problem {
    static let mediaTypeWrong = Problem(
        .unsupportedMediaType,
        detail: "The body has to be application/json in UTF-8.",
        errors: [
            Fault(
                at: .header("Content-Type"),
                code: "mediaTypeWrong",
                detail: "The header does not say application/json.",
                remedy: "Send Content-Type: application/json."
            )
        ]
    )
}
