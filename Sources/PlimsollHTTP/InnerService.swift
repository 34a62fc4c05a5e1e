import HTTPTypes
package import Hummingbird
import NIOCore
package import PlimsollAPI
package import PlimsollService
import Synchronization

/// The interface of the administration, without the network: what `/v1` answers, it answers to callers in
/// this process.
package struct InnerService: Sendable {
    private let responder: RouterResponder<PlimsollContext>

    package init(dependencies: Dependencies) {
        responder = buildInnerRouter(dependencies).buildResponder()
    }

    /// Carries what somebody asks while a request of theirs is answered.
    package func transport(
        within context: PlimsollContext,
        for caller: Caller
    ) -> InnerTransport {
        InnerTransport(responder, PlimsollContext(within: context, for: caller))
    }
}

/// Carries requests to the endpoints in this process, as somebody who is known.
package struct InnerTransport: AdminTransport {
    /// An answer of the service is that large at most, as over the network.
    private static let bytesMaximum = 32 << 20

    private let responder: RouterResponder<PlimsollContext>
    private let context: PlimsollContext

    fileprivate init(_ responder: RouterResponder<PlimsollContext>, _ context: PlimsollContext) {
        (self.responder, self.context) = (responder, context)
    }

    package func send(_ request: WebRequest) async throws(AdminError) -> WebAnswer {
        do {
            let response = try await response(to: Request(request))
            let body = Collected(bytesMaximum: Self.bytesMaximum)
            try await response.body.write(CollectingWriter(body: body))
            return WebAnswer(
                status: response.status.code,
                headers: response.headers.map { (name: $0.name.rawName, value: $0.value) },
                body: body.bytes
            )
        } catch is CancellationError {
            throw AdminError(.cancelled, url: request.url)
        } catch is NIOTooManyBytesError {
            throw AdminError(.answerTooLarge(maximum: Self.bytesMaximum), url: request.url)
        } catch {
            throw AdminError(.notUnderstood(status: 500, "\(error)"), url: request.url)
        }
    }

    /// The lines of an answer that ends, once it is whole.
    package func lines(
        of request: WebRequest,
        _ take: (String) async throws(AdminError) -> Void
    ) async throws(AdminError) -> WebAnswer? {
        let answer = try await send(request)
        guard answer.status == 200 else { return answer }
        for line in answer.body.split(separator: UInt8(ascii: "\n")) {
            try await take(String(decoding: line, as: UTF8.self))
        }
        return nil
    }

    /// The answer as it comes, which may be one that does not end.
    package func response(to request: Request) async throws -> Response {
        try await responder.respond(to: request, context: context)
    }
}

extension Request {
    fileprivate init(_ request: WebRequest) {
        var fields = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) {
                fields.append(HTTPField(name: name, value: value))
            }
        }
        let body = ByteBuffer(bytes: request.body ?? [])
        self.init(
            head: HTTPRequest(
                method: HTTPRequest.Method(rawValue: request.method.rawValue) ?? .get,
                scheme: nil,
                authority: nil,
                path: request.url,
                headerFields: fields
            ),
            body: RequestBody(buffer: body)
        )
    }
}

/// What was written of an answer so far.
private final class Collected: Sendable {
    private let bytesMaximum: Int
    private let buffer = Mutex(ByteBuffer())

    init(bytesMaximum: Int) { self.bytesMaximum = bytesMaximum }

    var bytes: [UInt8] { buffer.withLock { Array($0.readableBytesView) } }

    func add(_ part: ByteBuffer) throws(NIOTooManyBytesError) {
        let count = buffer.withLock {
            $0.writeImmutableBuffer(part); return $0.readableBytes
        }
        guard count <= bytesMaximum else { throw NIOTooManyBytesError(maxBytes: bytesMaximum) }
    }
}

private struct CollectingWriter: ResponseBodyWriter {
    let body: Collected

    mutating func write(_ buffer: ByteBuffer) async throws { try body.add(buffer) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
