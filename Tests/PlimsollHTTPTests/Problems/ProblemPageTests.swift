import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite struct ProblemPageTests {
    @Test(arguments: ProblemCode.allCases)
    func `a page says what the problem means and how to clear it`(_ code: ProblemCode) {
        let page = ProblemPage(code).html.text
        let (meaning, remedy) = (code.declaration.meaning, code.declaration.remedy)
        #expect(page.contains("<h1>\(code.title)</h1>"))
        #expect(page.contains(HTML(sentence: remedy).text))
        let sentence = meaning.prefix(1).uppercased() + meaning.dropFirst()
        #expect(page.contains("<p>\(HTML(sentence: sentence).text).</p>"))
        #expect(!page.contains("`"))
    }

    @Test(arguments: ProblemCode.allCases)
    func `an explanation is a sentence with whole marks, fit for a table`(_ code: ProblemCode) {
        let (meaning, remedy) = (code.declaration.meaning, code.declaration.remedy)
        for text in [meaning, remedy] {
            #expect(text.count { $0 == "`" }.isMultiple(of: 2))
            #expect(!text.contains("|") && !text.contains("\n"))
        }
        #expect(remedy.hasSuffix(".") && !meaning.hasSuffix("."))
    }

    /// What the page has in its tables' rows that begin so.
    private func rows(_ start: Substring) throws -> [Substring] {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/reference/problems.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix(start) }
    }

    /// To mend the page, copy the rows that the failure shows.
    @Test func `the documentation has the same words`() throws {
        let written = ProblemCode.allCases.map { code in
            let declaration = code.declaration
            return "| `\(code.type)` | \(code.status) | \(declaration.meaning)"
                + " | \(declaration.remedy) |"
        }
        #expect(try rows("| `/problems/") == written.map { Substring($0) })
    }

    @Test func `the documentation has a row with the status of every kind of objection`() throws {
        let statuses = try rows("| 4").map { $0.split(separator: " ")[1] }
        #expect(statuses == ObjectionKind.allCases.map { Substring("\($0.problem.status)") })
    }
}

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ProblemRouteTests {
    @Test func `the type of every problem leads to a page, for anybody`() async throws {
        try await ServiceFixture.with { service in
            for code in ProblemCode.allCases {
                let page = try await service.send(.get, code.type)
                #expect(page.status == .ok, "\(code)")
                #expect(page.headers[.contentType] == "text/html; charset=utf-8")
                #expect(page.headers[.xContentTypeOptions] == "nosniff")
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
                #expect(!policy.contains("unsafe"))
                #expect(page.bytes == Array(ProblemPage(code).html.text.utf8))
            }
        }
    }

    @Test(arguments: ["teapot", "", "Stale", "<script>", "stale/x", "..%2Fme"])
    func `a kind that there is not has no page`(_ name: String) async throws {
        try await ServiceFixture.with { service in
            let path = name.replacing("<", with: "%3C").replacing(">", with: "%3E")
            let answer = try await service.send(.get, "/problems/\(path)")
            #expect(answer.status == .notFound)
            #expect(answer.headers[.contentType] == Problem.mediaType)
        }
    }
}
