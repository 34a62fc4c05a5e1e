import Crypto
import NIOCore
import PlimsollDomain

/// A whole answer in bytes, made before anybody asked.
///
/// The head begins with the status line and the `Date`, so that both a new date and a
/// `Connection: close` have a known place.
struct PreparedAnswer: Sendable {
    let status: AnswerStatus
    var bytes: ByteBuffer
    let headLength: Int

    /// Where a field may be put in: after the status line.
    let statusLineLength: Int

    init(status: AnswerStatus, fields: [(String, String)], body: [UInt8]) {
        self.status = status
        let statusLine = Self.statusLine(status)
        var head = statusLine + "Date: \(HTTPDate.placeholder)\r\n"
        for (name, value) in fields {
            head += "\(name): \(value)\r\n"
        }
        head += "\r\n"
        statusLineLength = statusLine.utf8.count
        headLength = head.utf8.count
        bytes = ByteBuffer(string: head)
        bytes.writeBytes(body)
    }

    /// One that has the length of its body in its head.
    init(_ head: AnswerHead, body: [UInt8]) {
        status = head.status
        statusLineLength = head.statusLineLength
        let length = String(body.count)
        headLength = head.beginning.count + length.utf8.count + head.rest.count
        bytes = ByteBufferAllocator().buffer(capacity: headLength + body.count)
        bytes.writeBytes(head.beginning)
        bytes.writeString(length)
        bytes.writeBytes(head.rest)
        bytes.writeBytes(body)
    }

    static func statusLine(_ status: AnswerStatus) -> String {
        "HTTP/1.1 \(status.code) \(status.reason)\r\n"
    }

    /// Writes a date over the one that is there.
    ///
    /// Answers on their way out keep theirs: the buffer copies itself while they share it.
    mutating func setDate(_ date: ByteBuffer) {
        let place = statusLineLength + "Date: ".utf8.count
        precondition(date.readableBytes == HTTPDate.length, "all dates have one length")
        bytes.setBuffer(date, at: place)
    }

    /// What is sent: everything, or the head alone for `HEAD`.
    func content(headOnly: Bool) -> ByteBuffer {
        headOnly ? slice(0..<headLength) : bytes
    }

    /// The same with `Connection: close`, in three pieces, so that nothing is copied.
    func closingContent(headOnly: Bool) -> [ByteBuffer] {
        let end = headOnly ? headLength : bytes.readableBytes
        return [slice(0..<statusLineLength), Self.closeField, slice(statusLineLength..<end)]
    }

    private func slice(_ range: Range<Int>) -> ByteBuffer {
        guard let slice = bytes.getSlice(at: range.lowerBound, length: range.count) else {
            preconditionFailure("a head is part of its answer")
        }
        return slice
    }

    private static let closeField = ByteBuffer(string: "Connection: close\r\n")

    /// Not an answer yet: who waits before a body is told to send it.
    static let goAhead = PreparedAnswer(interim: .goAhead)

    private init(interim status: AnswerStatus) {
        self.status = status
        bytes = ByteBuffer(string: Self.statusLine(status) + "\r\n")
        headLength = bytes.readableBytes
        statusLineLength = headLength - 2
    }
}

/// The head of answers that differ in nothing but their bodies.
struct AnswerHead: Sendable {
    let status: AnswerStatus
    let statusLineLength: Int
    /// Up to where the length of the body stands.
    let beginning: [UInt8]
    let rest: [UInt8]

    init(status: AnswerStatus, mediaType: String, fields: [(String, String)]) {
        self.status = status
        let statusLine = PreparedAnswer.statusLine(status)
        statusLineLength = statusLine.utf8.count
        let date = "Date: \(HTTPDate.placeholder)\r\n"
        let type = "Content-Type: \(mediaType)\r\nContent-Length: "
        beginning = Array((statusLine + date + type).utf8)
        let lines = fields.map { name, value in "\(name): \(value)\r\n" }
        rest = Array("\r\n\(lines.joined())\r\n".utf8)
    }
}

/// The statuses this server answers with, numbered for counting.
package enum AnswerStatus: Int, CaseIterable, Sendable {
    case ok, notModified, malformed, notFound, methodNotAllowed, tooSlow, bodyTooLarge
    case targetTooLong, expectationUnknown, headTooLarge, tooManyConnections, tilesBusy
    case versionNotSupported
    // To devices that install from a marketplace.
    case goAhead, unauthorized, forbidden, readingNotAllowed, lengthRequired, postTooLarge
    case postsBusy, unavailable, notImplemented
    // Of packages.
    case partial, rangeUnsatisfiable, packagesBusy
    // Of snapshots that were published before.
    case snapshotsNotKept, snapshotsBusy
    // Of apps that are to be served and are not loaded.
    case notLoaded

    package var code: Int {
        switch self {
        case .ok: 200
        case .notModified: 304
        case .malformed: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .tooSlow: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .expectationUnknown: 417
        case .headTooLarge: 431
        case .tooManyConnections, .tilesBusy: 503
        case .versionNotSupported: 505
        case .goAhead: 100
        case .unauthorized: 401
        case .forbidden: 403
        case .readingNotAllowed: 405
        case .lengthRequired: 411
        case .postTooLarge: 413
        case .postsBusy, .unavailable: 503
        case .notImplemented: 501
        case .partial: 206
        case .rangeUnsatisfiable: 416
        case .packagesBusy, .snapshotsBusy, .notLoaded: 503
        case .snapshotsNotKept: 404
        }
    }

    package var reason: String {
        switch self {
        case .ok: "OK"
        case .notModified: "Not Modified"
        case .malformed: "Bad Request"
        case .notFound, .snapshotsNotKept: "Not Found"
        case .methodNotAllowed, .readingNotAllowed: "Method Not Allowed"
        case .tooSlow: "Request Timeout"
        case .bodyTooLarge, .postTooLarge: "Content Too Large"
        case .targetTooLong: "URI Too Long"
        case .expectationUnknown: "Expectation Failed"
        case .headTooLarge: "Request Header Fields Too Large"
        case .tooManyConnections, .tilesBusy, .postsBusy, .unavailable, .packagesBusy,
            .snapshotsBusy, .notLoaded:
            "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        case .goAhead: "Continue"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .lengthRequired: "Length Required"
        case .notImplemented: "Not Implemented"
        case .partial: "Partial Content"
        case .rangeUnsatisfiable: "Range Not Satisfiable"
        }
    }
}

extension RequestRefusal {
    var status: AnswerStatus {
        switch self {
        case .malformed: .malformed
        case .tooSlow: .tooSlow
        case .targetTooLong: .targetTooLong
        case .expectationUnknown: .expectationUnknown
        case .headTooLarge: .headTooLarge
        case .tooManyConnections: .tooManyConnections
        case .versionNotSupported: .versionNotSupported
        }
    }
}

/// How a body travels; its signature is always over the identity form.
enum ContentEncoding: CaseIterable {
    case identity, gzip
}

/// What names one state of a document: it changes with the body and with the signature.
struct EntityTag: Equatable, Sendable {
    /// The part between the quotes, without what the encoding adds.
    private let opaque: [UInt8]

    private static let gzipSuffix = Array("-gzip".utf8)
    /// Of SHA-256: half of it is far more than chance or malice can repeat.
    private static let digestLength = 16

    init(of resource: EdgeResource) {
        var hash = SHA256()
        // Lengths keep apart what one field ends with and the next begins with.
        for part in [resource.signature?.value, resource.signature?.date, resource.mediaType] {
            let bytes = Array((part ?? "").utf8)
            hash.update(data: Array("\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
        hash.update(data: resource.body)
        self.init(digest: hash.finalize())
    }

    /// Of bytes that a digest stands for already.
    init(digest: some Sequence<UInt8>) {
        opaque = digest.prefix(Self.digestLength).flatMap { byte in
            [byte >> 4, byte & 0xF].map { $0 < 10 ? 0x30 + $0 : 0x57 + $0 }
        }
    }

    func fieldValue(_ encoding: ContentEncoding) -> String {
        let suffix = encoding == .gzip ? Self.gzipSuffix : []
        return "\"\(String(decoding: opaque + suffix, as: UTF8.self))\""
    }

    /// Whether the bytes are this tag's, in either encoding.
    func isNamed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= opaque.count else { return false }
        for index in opaque.indices where bytes[range.lowerBound + index] != opaque[index] {
            return false
        }
        let rest = range.lowerBound + opaque.count
        if rest == range.upperBound { return true }
        let suffix = Self.gzipSuffix
        guard range.upperBound - rest == suffix.count else { return false }
        for index in suffix.indices where bytes[rest + index] != suffix[index] { return false }
        return true
    }
}

/// The `IMF-fixdate` of RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    static let length = 29
    static let placeholder = "Thu, 01 Jan 1970 00:00:00 GMT"

    static func text(_ instant: Instant) -> String { "\(CivilTime(instant).mailText) GMT" }
}

/// The answers that do not depend on what is published.
enum StandardAnswers {
    /// In the order of the statuses; the two that documents have are absent.
    static let all: [PreparedAnswer] = AnswerStatus.allCases
        .filter { $0 != .ok && $0 != .notModified }
        .map(answer)

    /// Where the answer of a status stands in ``all``.
    static func number(of status: AnswerStatus) -> Int {
        precondition(status.rawValue >= 2, "documents have their own answers")
        return status.rawValue - 2
    }

    static let retrySeconds = "2"

    private static func answer(_ status: AnswerStatus) -> PreparedAnswer {
        let body = Array("\(sentence(status))\n".utf8)
        var fields = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Length", String(body.count)),
            // A missing document is asked for again and again; a shared cache may say no for
            // us, but not for long, since the next snapshot may have it.
            ("Cache-Control", status.code == 404 ? "public, max-age=10" : "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if status == .methodNotAllowed { fields.append(("Allow", "GET, HEAD")) }
        if status == .readingNotAllowed { fields.append(("Allow", "POST")) }
        if status.code == 503 { fields.append(("Retry-After", retrySeconds)) }
        return PreparedAnswer(status: status, fields: fields, body: body)
    }

    private static func sentence(_ status: AnswerStatus) -> String {
        switch status {
        case .ok, .notModified: ""
        case .malformed: "The request is not well-formed HTTP."
        case .notFound: "There is no document at this address."
        case .methodNotAllowed: "Documents are read with GET or HEAD."
        case .tooSlow: "The request did not arrive in time."
        case .bodyTooLarge: "Documents are asked for without a body."
        case .targetTooLong: "The address is longer than any document's."
        case .expectationUnknown: "The expectation cannot be met."
        case .headTooLarge: "The request head is too large."
        case .tooManyConnections: "The server has as many connections as it may have."
        case .tilesBusy: "Too many wait for tiles already."
        case .versionNotSupported: "The server speaks HTTP/1.1 and HTTP/1.0."
        case .goAhead: "The body may be sent."
        case .unauthorized: "A token is needed."
        case .forbidden: "The token is not accepted."
        case .readingNotAllowed: "Devices ask here with POST."
        case .lengthRequired: "The body has to say how long it is, by Content-Length."
        case .postTooLarge: "The body is larger than 1 MiB."
        case .postsBusy: "Too many large bodies are on their way already."
        case .unavailable: "Devices are not answered at present."
        case .notImplemented: "Nobody here does that."
        case .partial: ""
        case .rangeUnsatisfiable: "The file has no such part."
        case .packagesBusy: "Too many wait for packages already."
        case .snapshotsNotKept: "This edge has no folder of older snapshots."
        case .snapshotsBusy: "Too many ask for older snapshots already."
        case .notLoaded: "Nothing that may be served is here yet."
        }
    }
}
