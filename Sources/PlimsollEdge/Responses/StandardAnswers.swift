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

    private static func answer(_ status: AnswerStatus) -> PreparedAnswer {
        let body = Array("\(sentence(status))\n".utf8)
        var fields = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Length", String(body.count)),
            // A missing document is asked for again and again; a shared cache may say no for
            // us, but not for long, since the next snapshot may have it.
            ("Cache-Control", status == .notFound ? "public, max-age=10" : "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if status == .methodNotAllowed { fields.append(("Allow", "GET, HEAD")) }
        if status.code == 503 { fields.append(("Retry-After", "2")) }
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
        }
    }
}
