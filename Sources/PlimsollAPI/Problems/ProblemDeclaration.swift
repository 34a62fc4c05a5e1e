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
