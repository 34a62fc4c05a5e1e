import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PlimsollAPI
import PlimsollDomain
import Synchronization
import Testing

/// A server on a port of its own that answers every request alike, and remembers the requests.
final class Answering: Sendable {
    struct Seen: Equatable {
        let method: String
        let path: String
        let headers: [String: String]
        let body: String
    }

    private let requests = Mutex<[Seen]>([])
    var seen: [Seen] { requests.withLock { $0 } }

    /// Runs the body against a server that answers with these bytes.
    static func with(
        _ status: HTTPResponse.Status = .ok,
        _ answer: String,
        headers: HTTPFields = [:],
        limits: Transport.Limits = .usual,
        token: String? = "plm_test",
        _ body: @escaping @Sendable (AdminClient, Answering) async throws -> Void
    ) async throws {
        let answering = Answering()
        let response = Response(
            status: status,
            headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: answer))
        )
        try await answering.serve(response) { port in
            let address = try #require(ServiceAddress("http://127.0.0.1:\(port)"))
            try await Transport.with(limits) { transport in
                let client = AdminClient(at: address, token: token, over: transport)
                try await body(client, answering)
            }
        }
    }

    private func serve(
        _ response: Response,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.middlewares.add(Recording(answering: self, response: response))
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                continuation.yield(channel.localAddress?.port ?? 0)
            },
            logger: Logger(label: "answering") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(name: "server") { try await application.run() }
            for await port in ports.prefix(1) { try await body(port) }
            group.cancelAll()
        }
    }

    fileprivate func record(_ seen: Seen) {
        requests.withLock { $0.append(seen) }
    }
}

private struct Recording: RouterMiddleware {
    let answering: Answering
    let response: Response

    @concurrent func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let bytes = try await request.body.collect(upTo: 1 << 20)
        let headers = request.headers.map { ($0.name.canonicalName, $0.value) }
        answering.record(
            Answering.Seen(
                method: request.method.rawValue,
                path: request.uri.description,
                headers: Dictionary(headers, uniquingKeysWith: { first, _ in first }),
                body: String(buffer: bytes)
            )
        )
        return response
    }
}
