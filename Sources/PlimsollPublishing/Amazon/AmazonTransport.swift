import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Carries requests to Amazon's services, within limits of time and size.
///
/// A redirect is an answer like any other, and nothing is sent twice: whoever asks decides what to
/// do about a failure.
struct AmazonTransport: Sendable {
    private let client: HTTPClient

    private static let connectTimeout: TimeAmount = .seconds(3)
    private static let answerTimeout: TimeAmount = .seconds(10)
    private static let bytesMaximum = 1 << 20

    /// Keeps connections for as long as the body runs.
    static func with<Value: Sendable>(
        _ body: (AmazonTransport) async throws(AmazonFailure) -> Value
    ) async throws(AmazonFailure) -> Value {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: connectTimeout, read: answerTimeout)
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        let result: Result<Value, AmazonFailure>
        do throws(AmazonFailure) {
            result = .success(try await body(AmazonTransport(client: client)))
        } catch {
            result = .failure(error)
        }
        // What was answered counts, however the connections end.
        try? await client.shutdown()
        return try result.get()
    }

    func send(
        _ request: AmazonRequest,
        _ headers: [AmazonRequest.Field]
    ) async throws(AmazonFailure) -> AmazonAnswer {
        var message = HTTPClientRequest(url: request.url)
        message.method = HTTPMethod(rawValue: request.method)
        for header in headers { message.headers.add(name: header.name, value: header.value) }
        message.body = .bytes(request.body)
        do {
            let response = try await client.execute(
                message,
                deadline: .now() + Self.answerTimeout
            )
            let body = try await response.body.collect(upTo: Self.bytesMaximum)
            return AmazonAnswer(
                status: Int(response.status.code),
                body: Array(body.readableBytesView)
            )
        } catch is NIOTooManyBytesError {
            throw .notUnderstood
        } catch {
            // The library's words have addresses and times in them.
            throw .away("it does not answer")
        }
    }
}
