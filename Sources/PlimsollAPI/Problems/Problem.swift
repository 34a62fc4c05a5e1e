package import PlimsollDomain

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
