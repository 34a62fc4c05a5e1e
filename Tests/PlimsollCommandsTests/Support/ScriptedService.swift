import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Synchronization

/// A server on a port of its own that gives each route the answers it was told, in turn, the last
/// one for ever; and remembers what it was asked.
final class ScriptedService: Sendable {
    struct Reply: Sendable {
        let status: HTTPResponse.Status
        let body: [UInt8]
        let headers: HTTPFields

        init(
            bytes: [UInt8],
            _ status: HTTPResponse.Status = .ok,
            headers: HTTPFields = HTTPFields()
        ) {
            (self.status, body, self.headers) = (status, bytes, headers)
        }

        init(_ message: some Message, _ status: HTTPResponse.Status = .ok) {
            self.init(bytes: message.bytes, status)
        }

        init(_ problem: Problem) {
            self.init(problem, HTTPResponse.Status(code: problem.status))
        }
    }

    struct Seen: Sendable {
        let method: String
        /// With the query.
        let path: String
        let headers: [String: String]
        let body: [UInt8]

        func json() throws -> JSONValue { try JSONValue(parsing: body) }
    }

    private struct State {
        var replies: [String: [Reply]]
        var seen: [Seen] = []
    }

    private let state: Mutex<State>

    var seen: [Seen] { state.withLock { $0.seen } }
    /// What was asked for, such as `GET /v1/apps`.
    var requests: [String] { seen.map { "\($0.method) \($0.path)" } }

    /// What the last write said of itself beside its key.
    var input: String? { seen.last { $0.method != "GET" }?.headers["idempotency-input"] }

    private init(_ replies: [String: [Reply]]) {
        state = Mutex(State(replies: replies))
    }

    /// Runs the body while the service answers at the address.
    static func with(
        _ replies: [String: [Reply]],
        _ body: (ScriptedService, String) async throws -> Void
    ) async throws {
        let service = ScriptedService(replies)
        try await withStandIn(
            { request in
                let reply = service.reply(
                    to: Seen(
                        method: request.method,
                        path: request.path,
                        headers: request.headers,
                        body: request.body
                    )
                )
                return Response(
                    status: reply.status,
                    headers: reply.headers,
                    body: .init(byteBuffer: ByteBuffer(bytes: reply.body))
                )
            },
            { try await body(service, $0) }
        )
    }

    private func reply(to request: Seen) -> Reply {
        state.withLock { state in
            state.seen.append(request)
            let path = request.path.split(separator: "?").first.map(String.init) ?? "/"
            let route = "\(request.method) \(path)"
            guard let reply = state.replies[route]?.first else {
                return Reply(Problem(.notFound, detail: "There is nothing at this address."))
            }
            if state.replies[route]?.count ?? 0 > 1 { state.replies[route]?.removeFirst() }
            return reply
        }
    }
}
