/// What kinds of problems there are; the names are stable, because programs switch on them.
package enum ProblemCode: String, CaseIterable, Sendable {
    case malformedRequest = "malformed-request"
    case malformedJSON = "malformed-json"
    case invalidParameter = "invalid-parameter"
    case invalidHeader = "invalid-header"
    case unauthenticated
    case forbidden
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case conflict
    case nothingToDo = "nothing-to-do"
    case stale
    case tooLarge = "too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case invalidRequest = "invalid-request"
    case keyReused = "idempotency-key-reused"
    case preconditionRequired = "precondition-required"
    case tooManyRequests = "too-many-requests"
    case internalError = "internal"
    case unavailable
    case keyUnusable = "key-unusable"
    case logBehind = "log-behind"
    case logForked = "log-forked"

    /// The URI reference that identifies the kind (RFC 9457, 3.1.1).
    package var type: String { "/problems/\(rawValue)" }

    package var status: Int {
        switch self {
        case .malformedRequest, .malformedJSON, .invalidParameter, .invalidHeader: 400
        case .unauthenticated: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .conflict, .nothingToDo: 409
        case .stale: 412
        case .tooLarge: 413
        case .unsupportedMediaType: 415
        case .invalidRequest, .keyReused: 422
        case .preconditionRequired: 428
        case .tooManyRequests: 429
        case .internalError: 500
        case .unavailable, .keyUnusable, .logBehind, .logForked: 503
        }
    }

    /// The same words for every problem of the kind.
    package var title: String {
        switch self {
        case .malformedRequest: "The request is cut off, or is not HTTP"
        case .malformedJSON: "The body is not JSON that this service reads"
        case .invalidParameter: "A parameter is unknown or wrong"
        case .invalidHeader: "A header is wrong"
        case .unauthenticated: "A valid token is needed"
        case .forbidden: "You may not do this"
        case .notFound: "There is no such thing"
        case .methodNotAllowed: "The resource does not know this method"
        case .notAcceptable: "There is no form that you accept"
        case .conflict: "Something stands in the way"
        case .nothingToDo: "Nothing would change"
        case .stale: "It has changed since you saw it"
        case .tooLarge: "The body is too large"
        case .unsupportedMediaType: "The body has the wrong media type"
        case .invalidRequest: "The request is not acceptable"
        case .keyReused: "The idempotency key was used for something else"
        case .preconditionRequired: "If-Match is needed"
        case .tooManyRequests: "You ask for too much at a time"
        case .internalError: "Something went wrong in the service"
        case .unavailable: "The service cannot reach its database"
        case .keyUnusable: "A key of the service cannot be used"
        case .logBehind: "The record has less than was signed, so nothing is written"
        case .logForked: "The record is not what was signed, so nothing is written"
        }
    }
}
