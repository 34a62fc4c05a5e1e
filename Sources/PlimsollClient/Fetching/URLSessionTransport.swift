import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches with `URLSession`: no cache, no cookies, no redirects.
public struct URLSessionTransport: DocumentTransport {
    /// How many pieces of a body may wait to be put together.
    private static let waitingMaximum = 4096

    /// Every fetch has a session of its own, since there are minutes or hours between them.
    public init() {}

    /// Ends early where the body exceeds what is allowed or the answer leads elsewhere.
    public func answer(to request: DocumentRequest) async throws -> DocumentAnswer {
        let (events, continuation) = AsyncThrowingStream<Event, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMaximum)
        )
        let session = URLSession(
            configuration: Self.configuration(request),
            delegate: Listener(events: continuation),
            delegateQueue: nil
        )
        // A session holds its delegate until it is told that it ends.
        defer { session.invalidateAndCancel() }
        session.dataTask(with: Self.urlRequest(request)).resume()
        do {
            return try await Self.answer(of: events, bodyMaximum: request.bodyMaximum)
        } catch let error as URLError where error.code == .timedOut {
            throw AvailabilityError(.timedOut, "The service was silent for too long.")
        }
    }

    private static func answer(
        of events: AsyncThrowingStream<Event, any Error>,
        bodyMaximum: Int
    ) async throws -> DocumentAnswer {
        var head: (status: Int, fields: [String: String])?
        var body = Data()
        for try await event in events {
            switch event {
            case .head(let status, let fields): head = (status, fields)
            case .piece(let piece):
                guard body.count + piece.count <= bodyMaximum else {
                    throw AvailabilityError(
                        .tooLarge,
                        "The body has more than \(bodyMaximum) bytes."
                    )
                }
                body.append(piece)
            }
        }
        try Task.checkCancellation()
        guard let head else {
            throw AvailabilityError(.unreachable, "The answer is not one of HTTP.")
        }
        return DocumentAnswer(status: head.status, fields: head.fields, body: body)
    }

    private static func configuration(_ request: DocumentRequest) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = request.timeLimit
        configuration.timeoutIntervalForResource = request.timeLimit
        return configuration
    }

    private static func urlRequest(_ request: DocumentRequest) -> URLRequest {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.setValue("application/json", forHTTPHeaderField: "Accept")
        if let entityTag = request.entityTag {
            urlRequest.setValue(entityTag, forHTTPHeaderField: "If-None-Match")
        }
        return urlRequest
    }
}

/// What a session says while it works.
private enum Event: Sendable {
    case head(status: Int, fields: [String: String])
    case piece(Data)
}

/// Hands on what a session says, piece by piece, so that nobody has to hold more than is allowed.
private final class Listener: NSObject, URLSessionDataDelegate, Sendable {
    private let events: AsyncThrowingStream<Event, any Error>.Continuation

    init(events: AsyncThrowingStream<Event, any Error>.Continuation) {
        self.events = events
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The session is told first: ended while it waits for this answer, it stops the process.
        completionHandler(nil)
        events.finish(
            throwing: AvailabilityError(
                .redirected,
                "The answer leads elsewhere, with the status \(response.statusCode)."
            )
        )
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else {
            events.finish()
            return completionHandler(.cancel)
        }
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            fields[name] = value
        }
        events.yield(.head(status: response.statusCode, fields: fields))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if case .dropped = events.yield(.piece(data)) {
            events.finish(
                throwing: AvailabilityError(.tooLarge, "The body came in too many pieces.")
            )
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        events.finish(throwing: error)
    }
}
