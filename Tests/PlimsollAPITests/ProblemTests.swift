import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct ProblemTests {
    // Goal: a body that is none at all is told of without an empty place before the words.
    @Test(arguments: [
        ([UInt8]("null".utf8), "Found null; an object is needed."),
        ([UInt8](#"{"reason":1}"#.utf8), "/reason: Found a whole number; a string is needed."),
    ])
    func `one thing that is wrong is told with its place, if it has one`(
        _ body: [UInt8],
        _ detail: String
    ) throws {
        let problem = try #require(throws: Problem.self) { try ReasonForm(body: body) }
        #expect(problem.detail == detail)
    }

    @Test func `what is written is read again`() throws {
        var problem = Problem(
            .invalidRequest,
            detail: "Two things are wrong.",
            errors: [
                Problem.Fault(at: .body("/base"), code: "a", detail: "A.", remedy: "B."),
                Problem.Fault(at: .header("If-Match"), code: "b", detail: "C."),
                Problem.Fault(at: .parameter("limit"), code: "c", detail: "D."),
                Problem.Fault(at: nil, code: "d", detail: "E."),
            ]
        )
        problem.instance = "/v1/apps"
        problem.requestID = "r"
        #expect(try Problem(.object(problem.json)) == problem)
    }

    @Test func `a problem of a newer service is read, though its kind is not known`() throws {
        let json: JSONValue = [
            "type": "/problems/teapot", "title": "T", "status": 418, "balance": 30,
        ]
        let problem = try Problem(json)
        #expect(problem.code == nil)
        #expect(problem.status == 418)
    }

    @Test func `an answer that is no problem is not taken for one`() {
        #expect(throws: JSONIssues.self) { try Problem(["title": "T"]) }
        #expect(throws: JSONIssues.self) { try Problem(["oops"]) }
    }

    @Test func `no two kinds have one type`() {
        #expect(Set(ProblemCode.allCases.map(\.type)).count == ProblemCode.allCases.count)
        #expect(ProblemCode.allCases.allSatisfy { (400...599).contains($0.status) })
    }
}
