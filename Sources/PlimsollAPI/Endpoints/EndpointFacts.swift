package import PlimsollJSON

/// What there is to say of an endpoint, whatever its types.
package struct EndpointFacts: Sendable {
    package let name: String
    package let method: WebRequest.Method
    /// With its parameters between braces: `/v1/apps/{app}`.
    package let path: String
    package let summary: String
    package internal(set) var query: [QueryParameter] = []
    /// The schema of its body.
    package internal(set) var body: Schema?
    /// Whether its body may be left out, as an empty object is taken for none.
    package internal(set) var allowsNoBody = false
    /// What a body is that is no form: it is taken as it comes, and may be sent again.
    package internal(set) var bytes: ContentType?
    /// The schema of its answer; `nil` where it is described elsewhere.
    package internal(set) var answer: Schema?
    package internal(set) var forms: [ContentType] = [.json]
    package internal(set) var status = 200
    /// What its caller has to have seen.
    package internal(set) var precondition: PreconditionKind?
    /// Whether the answer is needed, whatever the caller prefers.
    package internal(set) var answersWhole = false
    /// Whether it only asks, though with a body.
    package internal(set) var isQuestion = false
    /// Whether it is answered in its one form, whatever the caller accepts.
    package internal(set) var isFile = false
    /// Whether its last parameter may have slashes.
    package internal(set) var isDeep = false
    /// What can stand in the way here and at no other endpoint of its kind.
    var ownProblems: [ProblemCode] = []
    package internal(set) var tag = EndpointTag.operations

    init(_ address: EndpointAddress, _ summary: String) {
        name = address.name
        method = address.method
        path = address.path
        self.summary = summary
    }
}

extension EndpointFacts {
    package var needsCaller: Bool { path.hasPrefix("/v1/") }

    package var isWrite: Bool { method != .get && !isQuestion && bytes == nil }

    /// Whether a caller may prefer to be told only that it was done.
    package var canBeBrief: Bool { isWrite && !answersWhole }

    /// The names between braces.
    package var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
    }

    /// The most that a page of the list has.
    package var limitMaximum: Int {
        let limit = query.first { $0.name == "limit" }
        guard let maximum = limit?.schema.json["maximum"]?.integer
        else { preconditionFailure("\(name) answers no list") }
        return Int(maximum)
    }

    /// What holds of the endpoint beyond what its summary says.
    package var description: String {
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
        if precondition != nil {
            sentences.append(
                "`If-Match` takes the `ETag` of what was seen; where that has changed meanwhile, the"
                    + " answer is 412."
            )
        }
        return sentences.joined(separator: " ")
    }

    /// Everything that can stand in the way here.
    package var problems: [ProblemCode] {
        var codes: [ProblemCode] = [
            .internalError, .invalidParameter, .invalidHeader, .malformedRequest,
        ]
        codes += ownProblems
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
        if bytes != nil {
            codes += [.invalidRequest, .conflict] + ProblemCode.readOnly
        }
        guard isWrite else { return codes }
        codes += [.conflict, .nothingToDo, .keyReused] + ProblemCode.readOnly
        return precondition == nil ? codes : codes + [.stale, .preconditionRequired]
    }

    /// The path with names in the place of what stands between braces.
    func path(naming names: some PathNames) -> String {
        var texts = names.texts[...]
        let segments = path.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? texts.removeFirst() : String(segment)
        }
        return "/" + segments.joined(separator: "/")
    }
}

/// A form in which bodies and answers are written.
package enum ContentType: String, Sendable {
    case json = "application/json"
    case ndjson = "application/x-ndjson"
    case csv = "text/csv"
    case eventStream = "text/event-stream"
    case plainText = "text/plain"
    case html = "text/html"
    case octets = "application/octet-stream"

    /// What stands in `Content-Type`; a text says how its characters are written.
    package var field: String {
        switch self {
        case .json, .ndjson, .eventStream, .octets: rawValue
        case .csv: "\(rawValue); charset=utf-8; header=present"
        case .plainText, .html: "\(rawValue); charset=utf-8"
        }
    }
}

/// A parameter of a query.
package struct QueryParameter: Sendable {
    package let name: String
    package let schema: Schema
    package var isRequired = false
    package var isRepeatable = false
    /// Where the name means something else here than elsewhere.
    package var description: String?

    /// One that has to be there.
    static func required(
        _ name: String,
        _ schema: Schema,
        _ description: String? = nil
    ) -> QueryParameter {
        QueryParameter(name: name, schema: schema, isRequired: true, description: description)
    }

    /// One that may be left out.
    static func optional(
        _ name: String,
        _ schema: Schema,
        _ description: String? = nil
    ) -> QueryParameter {
        QueryParameter(name: name, schema: schema, description: description)
    }

    /// One that may stand several times, which means either.
    static func repeatable(_ name: String, _ schema: Schema) -> QueryParameter {
        QueryParameter(name: name, schema: schema, isRepeatable: true)
    }
}

extension [QueryParameter] {
    /// The point in the life of the service that an answer is of.
    static let moment: [QueryParameter] = [
        .optional("at", .instant), .optional("event", .position),
    ]

    /// Which part of a list.
    static func paging(most maximum: Int64) -> [QueryParameter] {
        [.optional("limit", .integer(from: 1, to: maximum)), .optional("cursor", .cursor)]
    }
}
