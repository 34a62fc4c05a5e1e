package import PlimsollDomain
package import PlimsollJSON

/// Why a request was not granted (RFC 9457), everything that stands in its way at once.
package struct Problem: Error, Equatable, Sendable {
    /// Identifies the kind; see ``ProblemCode/type``.
    package let type: String
    package let title: String
    package let status: Int
    /// What went wrong this time, in a sentence.
    package let detail: String
    /// The path that was asked for.
    package var instance: String?
    package var errors: [Fault]
    /// The name under which the service's log knows the request.
    package var requestID: String?

    package init(_ code: ProblemCode, detail: String, errors: [Fault] = []) {
        self.init(
            type: code.type,
            title: code.title,
            status: code.status,
            detail: detail,
            errors: errors
        )
    }

    init(type: String, title: String, status: Int, detail: String, errors: [Fault]) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.errors = errors
    }

    /// Which kind it is; `nil` where a newer service knows more kinds than this program.
    package var code: ProblemCode? {
        ProblemCode.allCases.first { $0.type == type }
    }

    /// One thing that is wrong with a request.
    package struct Fault: Equatable, Sendable {
        package let place: Place?
        package let detail: String
        /// A stable name for programs.
        package let code: String
        /// What clears it.
        package let remedy: String?

        package init(at place: Place?, code: String, detail: String, remedy: String? = nil) {
            self.place = place
            self.code = code
            self.detail = detail
            self.remedy = remedy
        }
    }

    /// Where in a request something is wrong.
    package enum Place: Equatable, Sendable {
        /// In the body.
        case body(Pointer)
        /// In the query or the path.
        case parameter(String)
        case header(String)
    }
}

extension Problem: Answer, Shaped {
    package static let mediaType = "application/problem+json"

    package static let shape = Shape<Self>(
        "Problem",
        byHand: [
            .required("type", .names(ProblemCode.allCases.map(\.type))),
            .required("title", .string),
            .required("status", .integer(from: 400, to: 599)),
            .required("detail", .string),
            .optional("instance", .string),
            .optional("requestId", .string),
            .optional(
                "errors",
                .array(
                    of: .object([
                        .required("code", .string), .required("detail", .string),
                        .optional("pointer", .string), .optional("parameter", .string),
                        .optional("header", .string), .optional("remedy", .string),
                    ])
                )
            ),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        let type = reader.string("type")
        let title = reader.string("title")
        let status = reader.integer("status").flatMap { Int(exactly: $0) }
        let detail = reader.optionalString("detail")
        let errors = (reader.optionalArray("errors") ?? []).compactMap { $0.object }.compactMap {
            reader.nested($0, at: reader.pointer.appending("errors")) { Fault(&$0) }
        }
        let instance = reader.optionalString("instance")
        let requestID = reader.optionalString("requestId")
        guard let type, let title, let status else { return nil }
        self.init(type: type, title: title, status: status, detail: detail ?? "", errors: errors)
        self.instance = instance
        self.requestID = requestID
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "type": .string(type),
            "title": .string(title),
            "status": .integer(Int64(status)),
            "detail": .string(detail),
        ]
        json["instance"] = instance.map(JSONValue.string)
        json["requestId"] = requestID.map(JSONValue.string)
        if !errors.isEmpty { json["errors"] = JSONValue(errors) }
        return json
    }
}

extension Problem.Fault: Answer {
    package init?(_ reader: inout ObjectReader) {
        let pointer = reader.optionalString("pointer").map { Problem.Place.body(Pointer($0)) }
        let parameter = reader.optionalString("parameter").map(Problem.Place.parameter)
        let header = reader.optionalString("header").map(Problem.Place.header)
        let detail = reader.string("detail")
        let code = reader.string("code")
        let remedy = reader.optionalString("remedy")
        guard let detail, let code else { return nil }
        self.init(at: pointer ?? parameter ?? header, code: code, detail: detail, remedy: remedy)
    }

    package var json: JSONObject {
        var json: JSONObject = ["code": .string(code), "detail": .string(detail)]
        switch place {
        case .body(let pointer): json["pointer"] = .string(pointer.text)
        case .parameter(let name): json["parameter"] = .string(name)
        case .header(let name): json["header"] = .string(name)
        case nil: break
        }
        json["remedy"] = remedy.map(JSONValue.string)
        return json
    }
}

/// All that is said of a kind of problem, wherever somebody meets it: in an answer, on the page
/// that its type leads to, in `docs/reference/problems.md`, in `/openapi.json` and on a terminal.
package struct ProblemDeclaration: Sendable {
    package let status: Int
    package let title: String
    /// Half a sentence; words between backticks are code, here and in the remedy.
    package let meaning: String
    /// How to clear it.
    package let remedy: String
    /// How a command ends that meets it.
    package var exit = ExitStatus.failed
    /// The command to run next, where one thing in its way does not name another.
    package var next: String?
    /// In how many seconds it is worth trying again.
    package var retryAfter: Int?
    package let example: Problem.Fault
}

extension Problem.Fault {
    /// One that only serves as an example.
    init(_ code: String, _ detail: String, at place: Problem.Place? = nil) {
        self.init(at: place, code: code, detail: detail)
    }
}

extension ProblemCode {
    /// A problem of this kind as somebody could meet it.
    package var example: Problem {
        let fault = declaration.example
        var problem = Problem(self, detail: fault.detail, errors: [fault])
        problem.instance = "/v1/apps/harbour/changes"
        problem.requestID = "6d1f8a52-4f0e-4a3c-9b1e-0d2c7a9e5b31"
        return problem
    }
}

/// How a command ends; scripts rely on the numbers.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    /// A difference was found where one was asked for, or there was nothing to do.
    case differs = 3
    case notAuthenticated = 4
    /// What the command was based on has moved on.
    case conflict = 5
    case waitsForApproval = 6
    case timedOut = 7
    case verificationFailed = 8
}
