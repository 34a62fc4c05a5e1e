import PlimsollAPI
import PlimsollDomain

extension ProblemCode {
    /// A problem of this kind as somebody could meet it.
    var example: Problem {
        var problem = Problem(self, detail: exampleFault.detail, errors: [exampleFault])
        problem.instance = "/v1/apps/harbour/changes"
        problem.requestID = "6d1f8a52-4f0e-4a3c-9b1e-0d2c7a9e5b31"
        return problem
    }

    private var exampleFault: Problem.Fault {
        let (place, code, detail) = exampleParts
        return Problem.Fault(at: place, code: code, detail: detail)
    }

    private var exampleParts: (Problem.Place?, String, String) {
        switch self {
        case .malformedRequest:
            (nil, "bodyCutOff", "The body ended before it was whole.")
        case .malformedJSON:
            (.body("/base"), "malformedJSON", "The member “base” stands here for the second time.")
        case .invalidParameter:
            (.parameter("limt"), "parameterUnknown", "There is no parameter \"limt\" here.")
        case .invalidHeader:
            (.header("If-Match"), "ifMatchWrong", "The header is not one strong entity tag.")
        case .unauthenticated:
            (
                .header("Authorization"), "invalidToken",
                "The token is unknown, has expired or was revoked."
            )
        case .forbidden:
            (nil, "roleMissing", "This needs the role proposer for the app harbour.")
        case .notFound: (nil, "appUnknown", "There is no app harbour.")
        case .methodNotAllowed:
            (nil, "methodNotAllowed", "PUT is not known here; GET, HEAD, POST can be used.")
        case .notAcceptable:
            (.header("Accept"), "notAcceptable", "This can be answered as application/json only.")
        case .conflict:
            (
                .body("/base"), "changedSince",
                "ios.minimumApp.value was changed at position 57, after the position 42."
            )
        case .nothingToDo:
            (
                .body("/operations"), "nothingChanges",
                "Everything is as this would make it already."
            )
        case .stale:
            (.header("If-Match"), "digestDiffers", "Change 17 now has another digest.")
        case .tooLarge:
            (.header("Content-Length"), "bodyTooLarge", "The body is larger than 262144 bytes.")
        case .unsupportedMediaType:
            (.header("Content-Type"), "mediaTypeWrong", "The body has to be application/json.")
        case .invalidRequest:
            (
                .body("/operations/3/value"), "memberWrong",
                "Found “1.2.3.4”; a string of one to three whole numbers is needed."
            )
        case .keyReused:
            (
                .header("Idempotency-Key"), "keyReused",
                "The earlier request with this key said something else."
            )
        case .preconditionRequired:
            (.header("If-Match"), "ifMatchMissing", "A decision binds to a digest.")
        case .tooManyRequests:
            (nil, "tooManyAtOnce", "16 requests of yours are under way.")
        case .internalError:
            (nil, "internal", "An unexpected error. Tell the operator the request's id.")
        case .unavailable: (nil, "unavailable", "The database cannot be reached.")
        case .keyUnusable:
            (nil, "keyUnusable", "The key of the webhooks' secrets cannot be used.")
        case .logBehind:
            (
                nil, "logBehind",
                "The database has 40 events, and a checkpoint over 57 was published."
            )
        case .logForked:
            (
                nil, "logForked",
                "The first 57 events are not those that a checkpoint was published over."
            )
        }
    }
}
