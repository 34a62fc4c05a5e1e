import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollTestSupport
import Synchronization
import Testing

/// A server on a port of its own that answers every request alike, and remembers the requests.
final class Answering: Sendable {
    private let requests = Mutex<[StandInRequest]>([])
    var seen: [StandInRequest] { requests.withLock { $0 } }

    /// Runs the body against a server that answers with these bytes.
    static func with(
        _ status: HTTPResponse.Status = .ok,
        _ answer: String,
        headers: HTTPFields = [:],
        limits: Transport.Limits = .usual,
        token: String? = "plm_test",
        _ body: (AdminClient, Answering) async throws -> Void
    ) async throws {
        let answering = Answering()
        let response = Response(
            status: status,
            headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: answer))
        )
        try await withStandIn(
            { request in
                answering.requests.withLock { $0.append(request) }
                return response
            },
            { text in
                let address = try #require(ServiceAddress(text))
                try await Transport.with(limits) { transport in
                    let client = AdminClient(at: address, token: token, over: transport)
                    try await body(client, answering)
                }
            }
        )
    }
}
