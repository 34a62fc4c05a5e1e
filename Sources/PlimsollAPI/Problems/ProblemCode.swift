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

extension ProblemCode {
    /// What it means and how to clear it, for the page that the type leads to and for
    /// `docs/reference/problems.md`; words between backticks are code.
    package var explanation: (meaning: String, remedy: String) {
        switch self {
        case .malformedRequest:
            (
                "the body is cut off, or where it ends cannot be told",
                "Send the request again, as a whole and with one `Content-Length`."
            )
        case .malformedJSON:
            (
                "the body is not JSON as this service reads it: cut off, a duplicate member, a"
                    + " number that is not whole, not UTF-8, nested too deeply",
                "Mend the place that the error names, and send the request again."
            )
        case .invalidParameter:
            (
                "a parameter of the address is unknown, wrong or repeated",
                "Leave out or mend the parameters that the errors name; `/openapi.json` lists"
                    + " those there are."
            )
        case .invalidHeader:
            (
                "a header is wrong",
                "Mend the header that the error names: `If-Match` takes one strong entity tag,"
                    + " `Idempotency-Key` 1 to 255 visible ASCII characters, each once."
            )
        case .unauthenticated:
            (
                "there is no token, or it is unknown, revoked or expired",
                "Send a valid token as `Authorization: Bearer plm_…`; an administrator issues"
                    + " them."
            )
        case .forbidden:
            (
                "the principal may not do this; the errors name the role, or the rule",
                "Ask an administrator for the role, or somebody who has it to do it;"
                    + " `/v1/me` says what you may do."
            )
        case .notFound:
            (
                "there is no such resource",
                "Look at the lists, such as `/v1/apps`, for what there is, and mend the address."
            )
        case .methodNotAllowed:
            (
                "the resource does not know the method; `Allow` has those it knows",
                "Use one of the methods in `Allow`."
            )
        case .notAcceptable:
            (
                "there is no form of the answer that the request accepts",
                "Send `Accept: application/json`, or leave the header out."
            )
        case .conflict:
            (
                "somebody else was there first",
                "Read what is there now, and make a new request on top of it."
            )
        case .nothingToDo:
            (
                "everything is as the request would make it already",
                "Nothing needs to be done."
            )
        case .stale:
            (
                "`If-Match` does not name what is there now",
                "Read it again, decide on what it says now, and send the `ETag` of that answer."
            )
        case .tooLarge:
            ("the body is too large", "Split it into several requests.")
        case .unsupportedMediaType:
            (
                "the body is not `application/json`",
                "Send JSON in UTF-8 with `Content-Type: application/json`."
            )
        case .invalidRequest:
            (
                "the body says something that cannot be",
                "Mend every place that the errors name; all of them are named at once."
            )
        case .keyReused:
            (
                "the idempotency key was used before, for another request",
                "Send a new request with a new key, such as a random UUID."
            )
        case .preconditionRequired:
            (
                "the request needs `If-Match`",
                "Read what is there and send the `ETag` of the answer as `If-Match`, so that the"
                    + " decision binds to what was seen."
            )
        case .tooManyRequests:
            (
                "this principal has too many requests under way, sent too many in a minute, or has"
                    + " too many open changes",
                "Wait as long as `Retry-After` says, or for the requests under way; close what is"
                    + " open of your own changes."
            )
        case .internalError:
            (
                "an unexpected error; the log has the rest under the request's id",
                "Tell the operator the request's id; with an `Idempotency-Key` the same request"
                    + " may be sent again."
            )
        case .unavailable:
            (
                "the database cannot be reached, or the outcome of a write is unknown",
                "Wait as long as `Retry-After` says; with an `Idempotency-Key` the same request"
                    + " may be sent again."
            )
        case .keyUnusable:
            (
                "the key that the secrets of webhooks are made from cannot be used",
                "Have the operator look with `plimsoll doctor --data`: the file has to be its owner's"
                    + " alone, and as it was made."
            )
        case .logBehind:
            (
                "the service reads only: a checkpoint was signed over more events than its database"
                    + " has, as after an older backup was restored",
                "Restore the newest database and start again, or start once with `--accept-log`"
                    + " to go on without the lost events; `/readyz` has the words."
            )
        case .logForked:
            (
                "the service reads only: a checkpoint was signed over other events than its database"
                    + " has, because another database was restored or this one was changed",
                "Keep the database as evidence and restore the right one; `plimsoll verify log`"
                    + " and `/readyz` say more."
            )
        }
    }
}
