import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

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
    func moment() throws(Problem) -> Moment {
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

extension SeenKey: ReadPrecondition {
    static func value(in headers: HTTPFields) throws(Problem) -> Position? {
        try Position(ifMatch: headers, orElse: .ifMatchNoKey)
    }
}
