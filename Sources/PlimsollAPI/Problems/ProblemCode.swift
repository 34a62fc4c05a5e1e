import PlimsollDomain

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
    case positionUnknown = "position-unknown"
    case keyUnusable = "key-unusable"
    case logBehind = "log-behind"
    case logForked = "log-forked"
    case logDamaged = "log-damaged"

    /// Those with which the service writes nothing at all until an operator decides.
    package static let readOnly: [ProblemCode] = [.logBehind, .logForked, .logDamaged]

    /// The URI reference that identifies the kind (RFC 9457, 3.1.1).
    package var type: String { "/problems/\(rawValue)" }

    package var status: Int { declaration.status }

    /// The same words for every problem of the kind.
    package var title: String { declaration.title }
}

extension ProblemCode {
    /// The one place where a kind of problem is described.
    package var declaration: ProblemDeclaration {
        switch self {
        case .malformedRequest:
            ProblemDeclaration(
                status: 400,
                title: "The request is cut off, or is not HTTP",
                meaning: "the body is cut off, or where it ends cannot be told",
                remedy: "Send the request again, as a whole and with one `Content-Length`.",
                example: Problem.Fault("bodyCutOff", "The body ended before it was whole.")
            )
        case .malformedJSON:
            ProblemDeclaration(
                status: 400,
                title: "The body is not JSON that this service reads",
                meaning:
                    "the body is not JSON as this service reads it: cut off, a duplicate member, a"
                    + " number that is not whole, not UTF-8, nested too deeply",
                remedy: "Mend the place that the error names, and send the request again.",
                example: Problem.Fault(
                    "malformedJSON",
                    "The member “base” stands here for the second time.",
                    at: .body("/base")
                )
            )
        case .invalidParameter:
            ProblemDeclaration(
                status: 400,
                title: "A parameter is unknown or wrong",
                meaning: "a parameter of the address is unknown, wrong or repeated",
                remedy:
                    "Leave out or mend the parameters that the errors name; `/openapi.json` lists"
                    + " those there are.",
                example: Problem.Fault(
                    "parameterUnknown",
                    "There is no parameter \"limt\" here.",
                    at: .parameter("limt")
                )
            )
        case .invalidHeader:
            ProblemDeclaration(
                status: 400,
                title: "A header is wrong",
                meaning: "a header is wrong",
                remedy:
                    "Mend the header that the error names: `If-Match` takes one strong entity tag,"
                    + " `Idempotency-Key` 1 to 255 visible ASCII characters, each once.",
                example: Problem.Fault(
                    "ifMatchWrong",
                    "The header is not one strong entity tag.",
                    at: .header("If-Match")
                )
            )
        case .unauthenticated:
            ProblemDeclaration(
                status: 401,
                title: "A valid token is needed",
                meaning: "there is no token, or it is unknown, revoked or expired",
                remedy:
                    "Send a valid token as `Authorization: Bearer plm_…`; an administrator issues"
                    + " them.",
                exit: .notAuthenticated,
                next: "plimsoll whoami, with a valid token in PLIMSOLL_TOKEN",
                example: Problem.Fault(
                    "invalidToken",
                    "The token is unknown, has expired or was revoked.",
                    at: .header("Authorization")
                )
            )
        case .forbidden:
            ProblemDeclaration(
                status: 403,
                title: "You may not do this",
                meaning: "the principal may not do this; the errors name the role, or the rule",
                remedy: "Ask an administrator for the role, or somebody who has it to do it;"
                    + " `/v1/me` says what you may do.",
                example: Problem.Fault(
                    "roleMissing",
                    "This needs the role proposer for the app harbour."
                )
            )
        case .notFound:
            ProblemDeclaration(
                status: 404,
                title: "There is no such thing",
                meaning: "there is no such resource",
                remedy:
                    "Look at the lists, such as `/v1/apps`, for what there is, and mend the address.",
                example: Problem.Fault("appUnknown", "There is no app harbour.")
            )
        case .methodNotAllowed:
            ProblemDeclaration(
                status: 405,
                title: "The resource does not know this method",
                meaning: "the resource does not know the method; `Allow` has those it knows",
                remedy: "Use one of the methods in `Allow`.",
                example: Problem.Fault(
                    "methodNotAllowed",
                    "PUT is not known here; GET, HEAD, POST can be used."
                )
            )
        case .notAcceptable:
            ProblemDeclaration(
                status: 406,
                title: "There is no form that you accept",
                meaning: "there is no form of the answer that the request accepts",
                remedy: "Send `Accept: application/json`, or leave the header out.",
                example: Problem.Fault(
                    "notAcceptable",
                    "This can be answered as application/json only.",
                    at: .header("Accept")
                )
            )
        case .conflict:
            ProblemDeclaration(
                status: 409,
                title: "Something stands in the way",
                meaning: "somebody else was there first",
                remedy: "Read what is there now, and make a new request on top of it.",
                exit: .conflict,
                example: Problem.Fault(
                    "changedSince",
                    "ios.minimumApp.value was changed at position 57, after the position 42.",
                    at: .body("/base")
                )
            )
        case .nothingToDo:
            ProblemDeclaration(
                status: 409,
                title: "Nothing would change",
                meaning: "everything is as the request would make it already",
                remedy: "Nothing needs to be done.",
                exit: .differs,
                example: Problem.Fault(
                    "nothingChanges",
                    "Everything is as this would make it already.",
                    at: .body("/operations")
                )
            )
        case .stale:
            ProblemDeclaration(
                status: 412,
                title: "It has changed since you saw it",
                meaning: "`If-Match` does not name what is there now",
                remedy:
                    "Read it again, decide on what it says now, and send the `ETag` of that answer.",
                exit: .conflict,
                example: Problem.Fault(
                    "digestDiffers",
                    "Change 17 now has another digest.",
                    at: .header("If-Match")
                )
            )
        case .tooLarge:
            ProblemDeclaration(
                status: 413,
                title: "The body is too large",
                meaning: "the body is too large",
                remedy: "Split it into several requests.",
                example: Problem.Fault(
                    "bodyTooLarge",
                    "The body is larger than 262144 bytes.",
                    at: .header("Content-Length")
                )
            )
        case .unsupportedMediaType:
            ProblemDeclaration(
                status: 415,
                title: "The body has the wrong media type",
                meaning: "the body is not `application/json`",
                remedy: "Send JSON in UTF-8 with `Content-Type: application/json`.",
                example: Problem.Fault(
                    "mediaTypeWrong",
                    "The body has to be application/json.",
                    at: .header("Content-Type")
                )
            )
        case .invalidRequest:
            ProblemDeclaration(
                status: 422,
                title: "The request is not acceptable",
                meaning: "the body says something that cannot be",
                remedy: "Mend every place that the errors name; all of them are named at once.",
                example: Problem.Fault(
                    "memberWrong",
                    "Found “1.2.3.4”; a string of one to three whole numbers is needed.",
                    at: .body("/operations/3/value")
                )
            )
        case .keyReused:
            ProblemDeclaration(
                status: 422,
                title: "The idempotency key was used for something else",
                meaning: "the idempotency key was used before, for another request",
                remedy: "Send a new request with a new key, such as a random UUID.",
                example: Problem.Fault(
                    "keyReused",
                    "The earlier request with this key said something else.",
                    at: .header("Idempotency-Key")
                )
            )
        case .preconditionRequired:
            ProblemDeclaration(
                status: 428,
                title: "If-Match is needed",
                meaning: "the request needs `If-Match`",
                remedy:
                    "Read what is there and send the `ETag` of the answer as `If-Match`, so that the"
                    + " decision binds to what was seen.",
                exit: .conflict,
                example: Problem.Fault(
                    "ifMatchMissing",
                    "A decision binds to a digest.",
                    at: .header("If-Match")
                )
            )
        case .tooManyRequests:
            ProblemDeclaration(
                status: 429,
                title: "You ask for too much at a time",
                meaning:
                    "this principal has too many requests under way, sent too many in a minute, or has"
                    + " too many open changes",
                remedy:
                    "Wait as long as `Retry-After` says, or for the requests under way; close what is"
                    + " open of your own changes.",
                retryAfter: 60,
                example: Problem.Fault("tooManyAtOnce", "16 requests of yours are under way.")
            )
        case .internalError:
            ProblemDeclaration(
                status: 500,
                title: "Something went wrong in the service",
                meaning: "an unexpected error; the log has the rest under the request's id",
                remedy:
                    "Tell the operator the request's id; with an `Idempotency-Key` the same request"
                    + " may be sent again.",
                next: "plimsoll doctor",
                example: Problem.Fault(
                    "internal",
                    "An unexpected error. Tell the operator the request's id."
                )
            )
        case .unavailable:
            ProblemDeclaration(
                status: 503,
                title: "The service cannot reach its database",
                meaning:
                    "the database cannot be reached or does not answer in time, or the outcome of a"
                    + " write is unknown",
                remedy:
                    "Wait as long as `Retry-After` says; with an `Idempotency-Key` the same request"
                    + " may be sent again.",
                next: "plimsoll doctor",
                retryAfter: 2,
                example: Problem.Fault("unavailable", "The database cannot be reached.")
            )
        case .positionUnknown:
            ProblemDeclaration(
                status: 503,
                title: "This instance does not know the record that far yet",
                meaning: "`atLeast` names a position that this instance did not reach in time",
                remedy:
                    "Ask again after `Retry-After`, or the instance that answered with that position.",
                next: "plimsoll doctor",
                retryAfter: 2,
                example: Problem.Fault(
                    "positionUnknown",
                    "This instance knows the record up to 107, and not yet up to 110."
                )
            )
        case .keyUnusable:
            ProblemDeclaration(
                status: 503,
                title: "A key of the service cannot be used",
                meaning:
                    "the key that the secrets of webhooks are made from, or that accounts of devices"
                    + " are hashed with, cannot be used",
                remedy:
                    "Have the operator look with `plimsoll doctor --data`: the file has to be its owner's"
                    + " alone, and as it was made.",
                next: "plimsoll doctor --data, on the machine of the service",
                retryAfter: 60,
                example: Problem.Fault(
                    "keyUnusable",
                    "The key of the webhooks' secrets cannot be used."
                )
            )
        case .logBehind:
            ProblemDeclaration(
                status: 503,
                title: "The record has less than was signed, so nothing is written",
                meaning:
                    "the service reads only: a checkpoint was signed over more events than its database"
                    + " has, as after an older backup was restored, or it has lost events that the"
                    + " service knew, or nothing that it says was published is in the export folder",
                remedy:
                    "Restore the newest database, or the export folder that belongs to it, and start"
                    + " again, or start once with `--accept-log` to go on without what is lost;"
                    + " `/readyz` has the words.",
                next: "plimsoll doctor",
                retryAfter: 2,
                example: Problem.Fault(
                    "logBehind",
                    "The database has 40 events, and a checkpoint over 57 was published."
                )
            )
        case .logForked:
            ProblemDeclaration(
                status: 503,
                title: "The record is not what was signed, so nothing is written",
                meaning:
                    "the service reads only: a checkpoint was signed over other events than its database"
                    + " has, because another database was restored or this one was changed, or others"
                    + " stand where it has lost events that the service knew",
                remedy:
                    "Keep the database as evidence and restore the right one; `plimsoll verify log`"
                    + " and `/readyz` say more.",
                next: "plimsoll doctor",
                retryAfter: 2,
                example: Problem.Fault(
                    "logForked",
                    "The first 57 events are not those that a checkpoint was published over."
                )
            )
        case .logDamaged:
            ProblemDeclaration(
                status: 503,
                title: "The record, or the key that shows who wrote it, is not as it should be",
                meaning:
                    "the service reads only: an event is missing, cannot be read, or was written or"
                    + " changed by somebody else than the service, or the key is missing that tells;"
                    + " nothing from there on is believed",
                remedy:
                    "Where a key is named, put its file back and start again. Else find out who can"
                    + " write to the database and take that away; `plimsoll verify log` names the"
                    + " event, and `plimsoll cut` takes what was slipped in off the end of the log.",
                next: "plimsoll verify log",
                retryAfter: 2,
                example: Problem.Fault(
                    "logDamaged",
                    "Event 58: The service did not write it: it has no authenticator."
                )
            )
        }
    }
}
