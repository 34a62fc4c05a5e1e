public import Foundation

/// What fetches a document; the default is ``URLSessionTransport``.
///
/// Write one of your own where an app has its own HTTP stack, a proxy, or certificates to pin.
public protocol DocumentTransport: Sendable {
    /// Sends one GET and returns the answer, whatever its status.
    ///
    /// It does not follow redirects, does not answer from a cache, hands out the body decompressed
    /// and otherwise untouched, and stops when the task is cancelled, which the client does when
    /// time is up. One that goes on is not waited for.
    ///
    /// - Throws: An ``AvailabilityError`` where one fits, such as
    ///   ``AvailabilityError/Code/tooLarge`` as soon as the body exceeds
    ///   ``DocumentRequest/bodyMaximum``; anything else counts as
    ///   ``AvailabilityError/Code/unreachable``.
    func answer(to request: DocumentRequest) async throws -> DocumentAnswer
}

/// What to ask for.
public struct DocumentRequest: Hashable, Sendable {
    /// Where the document is.
    public let url: URL
    /// The value of `If-None-Match`; `nil` where there is nothing to compare with.
    public let entityTag: String?
    /// How many bytes the body may have after decompression.
    public let bodyMaximum: Int
    /// After how many seconds the client gives up.
    public let timeLimit: TimeInterval

    /// For those who ask a transport themselves.
    public init(url: URL, entityTag: String?, bodyMaximum: Int, timeLimit: TimeInterval) {
        self.url = url
        self.entityTag = entityTag
        self.bodyMaximum = bodyMaximum
        self.timeLimit = timeLimit
    }
}

/// What came back.
public struct DocumentAnswer: Sendable {
    /// The status code of HTTP, such as 200 or 304.
    public let status: Int
    /// Decompressed, otherwise untouched.
    public let body: Data
    private let fields: [String: String]

    /// Field names may be in any letter case; of two that differ in nothing else, one counts.
    public init(status: Int, fields: [String: String], body: Data) {
        self.status = status
        self.body = body
        self.fields = Dictionary(
            fields.map { ($0.key.lowercased(), $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The value of a header field; `nil` where it is missing.
    public subscript(name: String) -> String? { fields[name.lowercased()] }
}
