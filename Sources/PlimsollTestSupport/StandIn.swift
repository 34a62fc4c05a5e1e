package import Hummingbird
import Logging
import NIOCore
import Testing

/// A request as a stand-in for another service got it.
package struct StandInRequest: Sendable {
    package let method: String
    /// With the query.
    package let path: String
    /// By their names in small letters, `host` too; of several of one name the first.
    package let headers: [String: String]
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
}

extension StandInRequest {
    fileprivate init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: 1 << 20)
        let host = [("host", request.head.authority ?? "")]
        let fields = request.headers.map { ($0.name.canonicalName, $0.value) }
        self.init(
            method: request.method.rawValue,
            path: request.uri.description,
            headers: Dictionary(host + fields) { first, _ in first },
            body: Array(body.readableBytesView)
        )
    }
}

/// Runs the body while every request to the address is answered so, on a port of its own.
package func withStandIn<Result>(
    _ answer: @escaping @Sendable (StandInRequest) async throws -> Response,
    _ body: (_ address: String) async throws -> Result
) async throws -> Result {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
        responder: CallbackResponder { (request: Request, _: BasicRequestContext) in
            try await answer(try await StandInRequest(request))
        },
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in
            if let number = channel.localAddress?.port { port.yield(number) }
        },
        logger: Logger(label: "stand-in") { _ in SwiftLogNoOpLogHandler() }
    )
    return try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask(name: "stand-in") {
            defer { port.finish() }
            try await application.run()
        }
        let number = try #require(await ports.first { _ in true })
        return try await body("http://127.0.0.1:\(number)")
    }
}
