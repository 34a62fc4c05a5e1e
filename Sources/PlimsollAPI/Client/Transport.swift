import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Carries requests over HTTP, within limits of time and size.
///
/// A redirect is an answer like any other and is never followed: a token must not travel to an
/// address that nobody gave. Nothing is sent twice here.
package struct Transport: Sendable {
    /// How long and how large an answer may be.
    package struct Limits: Sendable {
        package let connectTimeout: Duration
        package let answerTimeout: Duration
        package let bytesMaximum: Int

        package init(
            connectTimeout: Duration = .seconds(5),
            answerTimeout: Duration = .seconds(60),
            bytesMaximum: Int = 32 << 20
        ) {
            self.connectTimeout = connectTimeout
            self.answerTimeout = answerTimeout
            self.bytesMaximum = bytesMaximum
        }

        package static let usual = Limits()
    }

    private let client: HTTPClient
    private let limits: Limits

    /// Opens the transport for as long as the body runs.
    ///
    /// A host that is pinned is looked for at that address and nowhere else, whatever its name may
    /// lead to by then; whom it has to prove to be stays the host. Authorities that are given are
    /// the only ones whose word counts for that.
    package static func with<Result: Sendable>(
        _ limits: Limits = .usual,
        pinning addresses: [String: String] = [:],
        trusting authorities: CertificateAuthorities? = nil,
        _ body: (Transport) async throws -> Result
    ) async throws -> Result {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(limits.connectTimeout),
                read: TimeAmount(limits.answerTimeout)
            )
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.dnsOverride = addresses
        configuration.tlsConfiguration = authorities?.configuration
        let client = HTTPClient(configuration: configuration)
        do {
            let result = try await body(Transport(client: client, limits: limits))
            try await client.shutdown()
            return result
        } catch {
            // The first error is the one to hear of.
            try? await client.shutdown()
            throw error
        }
    }

    package func send(_ request: WebRequest) async throws(AdminError) -> WebAnswer {
        let response = try await open(request, within: limits.answerTimeout)
        return try await whole(response, of: request)
    }

    /// Sends the request and reads nothing of the answer but its head.
    package func head(of request: WebRequest) async throws(AdminError) -> WebAnswer {
        let response = try await open(request, within: limits.answerTimeout)
        return WebAnswer(response, body: [])
    }

    var bytesMaximum: Int { limits.bytesMaximum }

    /// Sends the request; the answer's body is still to come, for as long as it may take.
    func open(
        _ request: WebRequest,
        within timeout: Duration? = nil
    ) async throws(AdminError) -> HTTPClientResponse {
        var message = HTTPClientRequest(url: request.url)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        for header in request.headers {
            message.headers.add(name: header.name, value: header.value)
        }
        if let body = request.body { message.body = .bytes(body) }
        do {
            let deadline = timeout.map { NIODeadline.now() + TimeAmount($0) } ?? .distantFuture
            return try await client.execute(message, deadline: deadline)
        } catch {
            throw AdminError(kind(of: error), url: request.url)
        }
    }

    func whole(
        _ response: HTTPClientResponse,
        of request: WebRequest
    ) async throws(AdminError) -> WebAnswer {
        do {
            let body = try await response.body.collect(upTo: limits.bytesMaximum)
            return WebAnswer(response, body: Array(body.readableBytesView))
        } catch {
            throw AdminError(kind(of: error), url: request.url)
        }
    }

    func kind(of error: any Error) -> AdminError.Kind {
        switch error {
        case is CancellationError: return .cancelled
        case is NIOTooManyBytesError: return .answerTooLarge(maximum: limits.bytesMaximum)
        case let error as NIOConnectionError: return .unreachable(error.cause)
        case let error as HTTPClientError: return kind(of: error)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            return .unreachable(
                "TLS failed there, as it does where nobody trusted vouches for the certificate"
            )
        case let error as IOError:
            return error.cause.map(AdminError.Kind.unreachable)
                ?? .interrupted("the connection broke")
        default: return .interrupted("the connection broke")
        }
    }

    private func kind(of error: HTTPClientError) -> AdminError.Kind {
        switch error {
        case .connectTimeout:
            .unreachable("nobody answered within \(limits.connectTimeout)")
        case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
            .timedOut(limits.answerTimeout)
        case .cancelled: .cancelled
        case .invalidURL, .emptyHost, .emptyScheme: .unreachable("this is not a web address")
        case .remoteConnectionClosed: .interrupted("the connection was closed before the answer")
        default: .interrupted(error.shortDescription)
        }
    }
}

extension WebAnswer {
    fileprivate init(_ response: HTTPClientResponse, body: [UInt8]) {
        self.init(
            status: Int(response.status.code),
            headers: response.headers.map { ($0.name, $0.value) },
            body: body
        )
    }
}

extension NIOConnectionError {
    fileprivate var cause: String {
        let causes = connectionErrors.compactMap { ($0.error as? IOError)?.cause }
        if let cause = causes.first { return cause }
        if connectionErrors.isEmpty, dnsAError != nil || dnsAAAAError != nil {
            return "the name \(host) is unknown"
        }
        return "no connection could be made"
    }
}

extension IOError {
    /// Why there was no connection; `nil` for what can also happen on an open one.
    fileprivate var cause: String? {
        switch errnoCode {
        case ECONNREFUSED: "the connection was refused"
        case EHOSTUNREACH, ENETUNREACH: "no way leads there"
        default: nil
        }
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
    }
}
