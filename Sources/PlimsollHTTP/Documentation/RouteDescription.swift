import Hummingbird
import PlimsollAPI

/// What a route takes and what it answers.
struct RouteDescription {
    let method: HTTPRequest.Method
    /// With its parameters between braces: `/v1/apps/{app}`.
    let path: String
    let name: String
    let summary: String
    var query: [Parameter] = []
    var body: String?
    /// What a body is that is no form: it is taken as it comes, and may be sent again.
    var bytes: MediaType?
    var answer: Content?
    var status = 200
    /// Whether it binds to the digest of the change that was seen.
    var bindsToDigest = false
    /// Whether it binds to the policy that was seen, where there is one already.
    var bindsToPolicy = false
    /// Whether it binds to the settings that were seen.
    var bindsToSettings = false
    /// Whether it binds to where the key was seen.
    var bindsToKey = false
    /// Whether the answer is needed, whatever the caller prefers.
    var answersWhole = false
    /// Whether it only asks, though with a body.
    var isQuestion = false
    /// Whether its last parameter may have slashes.
    var isDeep = false
    var tag = RouteTag.operations

    /// A parameter of the query.
    struct Parameter {
        let name: String
        let schema: Schema
        var isRequired = false
        var isRepeatable = false
        /// Where the name means something else here than elsewhere.
        var description: String?
    }

    /// The schema of an answer.
    struct Content {
        /// `nil` where it is described elsewhere.
        let schema: String?
        var mediaTypes = [MediaType.json]
    }

    var needsCaller: Bool { path.hasPrefix("/v1/") }
    var isWrite: Bool {
        (method == .post || method == .put || method == .delete) && !isQuestion && bytes == nil
    }

    /// Whether a caller may prefer to be told only that it was done.
    var canBeBrief: Bool { isWrite && answer != nil && !answersWhole }

    /// Whether it has to say what was seen.
    var bindsToSomething: Bool {
        bindsToDigest || bindsToPolicy || bindsToSettings || bindsToKey
    }

    /// The names between braces.
    var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
    }

    /// The path as the router writes it.
    var routerPath: String {
        guard isDeep, let end = path.lastIndex(of: "/") else { return path }
        return path[..<end] + "/**"
    }

    /// What holds of the route beyond what its summary says.
    var description: String {
        var sentences = [summary]
        sentences.append(needsCaller ? "Needs a token." : "Needs no token.")
        if isWrite {
            sentences.append(
                "With `dryRun=true` nothing is written, and the answer says what would be. With an"
                    + " `Idempotency-Key` it happens once, however often it is sent."
            )
        } else if isQuestion {
            sentences.append("It asks; nothing is written.")
        }
        if bindsToSomething {
            sentences.append(
                "`If-Match` takes the `ETag` of what was seen; where that has changed meanwhile, the"
                    + " answer is 412."
            )
        }
        return sentences.joined(separator: " ")
    }

    /// Everything that can stand in the way here.
    var problems: [ProblemCode] {
        var codes: [ProblemCode] = [
            .internalError, .invalidParameter, .invalidHeader, .malformedRequest,
        ]
        if path == "/readyz" { codes.append(.unavailable) }
        if !pathParameters.isEmpty { codes.append(.notFound) }
        guard needsCaller else { return codes }
        codes += [
            .unauthenticated, .forbidden, .notFound, .notAcceptable, .tooManyRequests, .unavailable,
            // Whoever has no body to send may announce one all the same.
            .tooLarge, .unsupportedMediaType,
        ]
        if body != nil || isWrite {
            codes += [.malformedJSON, .invalidRequest]
        }
        if answer?.schema == "SecretWebhook" { codes.append(.keyUnusable) }
        if bytes != nil {
            codes += [.invalidRequest, .conflict, .logBehind, .logForked]
        }
        guard isWrite else { return codes }
        codes += [.conflict, .nothingToDo, .keyReused, .logBehind, .logForked]
        if ["rollBack", "chooseDefaultApp"].contains(name) { codes.append(.stale) }
        return bindsToSomething ? codes + [.stale, .preconditionRequired] : codes
    }

    /// Whether the path leads here; nothing between two slashes is a segment too.
    func leads(from path: String) -> Bool {
        let own = self.path.split(separator: "/", omittingEmptySubsequences: false)
        var asked = path.split(separator: "/", omittingEmptySubsequences: false)
        if asked.count > 2, asked.last == "" { asked.removeLast() }
        return (isDeep ? own.count <= asked.count : own.count == asked.count)
            && zip(own, asked).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
    }
}
