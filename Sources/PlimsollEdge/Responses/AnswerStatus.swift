/// The statuses this server answers with, numbered for counting.
enum AnswerStatus: Int, CaseIterable {
    case ok, notModified, malformed, notFound, methodNotAllowed, tooSlow, bodyTooLarge
    case targetTooLong, expectationUnknown, headTooLarge, tooManyConnections, tilesBusy
    case versionNotSupported

    var code: Int {
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
        }
    }

    var reason: String {
        switch self {
        case .ok: "OK"
        case .notModified: "Not Modified"
        case .malformed: "Bad Request"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .tooSlow: "Request Timeout"
        case .bodyTooLarge: "Content Too Large"
        case .targetTooLong: "URI Too Long"
        case .expectationUnknown: "Expectation Failed"
        case .headTooLarge: "Request Header Fields Too Large"
        case .tooManyConnections, .tilesBusy: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
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
