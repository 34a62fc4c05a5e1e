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
    /// the only ones whose word counts for that. Requests wait for one of so many connections to a
    /// place.
    package static func with<Result: Sendable>(
        _ limits: Limits = .usual,
        pinning addresses: [String: String] = [:],
        trusting authorities: CertificateAuthorities? = nil,
        connectionsMaximum: Int = 8,
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
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            connectionsMaximum
        configuration.dnsOverride = addresses
        configuration.tlsConfiguration = authorities?.configuration
        let client = HTTPClient(configuration: configuration)
        do {
            let result = try await body(Transport(client: client, limits: limits))
            // What was answered counts, however the connections end.
            try? await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    package func send(_ request: WebRequest) async throws(AdminError) -> WebAnswer {
        do {
            return try await withThrowingTaskGroup { group in
                group.addTask(name: "answer") {
                    let response = try await open(request, within: limits.answerTimeout)
                    return try await whole(response, of: request)
                }
                // The client's own deadline ends with the head, and a body may drip for ever.
                group.addTask(name: "deadline") {
                    try await Task.sleep(for: limits.answerTimeout)
                    throw AdminError(.timedOut(limits.answerTimeout), url: request.url)
                }
                defer { group.cancelAll() }
                guard let answer = try await group.next() else { throw CancellationError() }
                return answer
            }
        } catch let error as AdminError {
            throw error
        } catch {
            throw AdminError(kind(of: error), url: request.url)
        }
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

extension Transport {
    /// Hands over the body of an answer piece by piece, for as long as pieces come.
    ///
    /// The head comes first, and whoever sees it says whether the body is wanted.
    package func pieces(
        of request: WebRequest,
        after begin: (WebAnswer) throws -> Bool,
        _ take: ([UInt8]) throws -> Void
    ) async throws -> WebAnswer {
        let response = try await open(request)
        let head = WebAnswer(response, body: [])
        guard try begin(head) else { return head }
        var parts = response.body.makeAsyncIterator()
        while true {
            let part: ByteBuffer?
            do {
                part = try await parts.next()
            } catch {
                throw AdminError(kind(of: error), url: request.url)
            }
            guard let part else { return head }
            try take(Array(part.readableBytesView))
        }
    }

    /// Hands over the lines of an answer as they come, for as long as they come.
    ///
    /// An answer that is no success is returned whole instead.
    package func lines(
        of request: WebRequest,
        _ take: (String) async throws(AdminError) -> Void
    ) async throws(AdminError) -> WebAnswer? {
        let response = try await open(request)
        guard response.status == .ok else { return try await whole(response, of: request) }
        var lines = LineReader(sizeMaximum: bytesMaximum)
        do {
            for try await part in response.body {
                for line in try lines.take(part) { try await take(line) }
            }
            return nil
        } catch let error as AdminError {
            throw error
        } catch {
            throw AdminError(kind(of: error), url: request.url)
        }
    }
}

/// Cuts what comes into lines, wherever its parts end.
private struct LineReader {
    private var rest = ByteBuffer()
    let sizeMaximum: Int

    init(sizeMaximum: Int) {
        self.sizeMaximum = sizeMaximum
    }

    mutating func take(_ part: ByteBuffer) throws(NIOTooManyBytesError) -> [String] {
        var lines: [String] = []
        var part = part
        rest.writeBuffer(&part)
        while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest.readString(length: end - rest.readerIndex) ?? "")
            rest.moveReaderIndex(forwardBy: 1)
        }
        guard rest.readableBytes <= sizeMaximum else {
            throw NIOTooManyBytesError(maxBytes: sizeMaximum)
        }
        rest.discardReadBytes()
        return lines
    }
}

/// Those whose certificates are believed, instead of those that the machine believes or besides
/// them.
package struct CertificateAuthorities: Sendable {
    private let certificates: [NIOSSLCertificate]
    private let place: Place

    /// Where they stand.
    package enum Place: Sendable {
        /// Nobody else's word counts.
        case alone
        /// The word of those whom the machine believes counts as well.
        case besideOthers
    }

    /// All that a machine knows have a quarter of it.
    package static let sizeMaximum = 1 << 20

    package static let grammar = "a file with certificates of authorities, as PEM"

    /// `nil` for what holds no certificate.
    package init?(pem bytes: [UInt8], _ place: Place = .alone) {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes) else { return nil }
        self.certificates = certificates
        self.place = place
    }

    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        switch place {
        case .alone: configuration.trustRoots = .certificates(certificates)
        case .besideOthers: configuration.additionalTrustRoots = [.certificates(certificates)]
        }
        return configuration
    }
}

/// A request over HTTP, as far as this program makes them.
package struct WebRequest: Sendable {
    /// The methods that the service and other stores of documents know.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    package let method: Method
    package let url: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]?

    package init(
        _ method: Method,
        _ url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// What came back: every byte of it, within the limits of ``Transport``.
package struct WebAnswer: Sendable {
    package let status: Int
    package let body: [UInt8]
    private let headers: [(name: String, value: String)]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header that stands once; `nil` where it is missing or repeated.
    package func header(_ name: String) -> String? {
        let found = headers.filter { $0.name.lowercased() == name.lowercased() }
        return found.count == 1 ? found[0].value : nil
    }
}
