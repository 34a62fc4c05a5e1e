import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct ProposalFormTests {
    @Test func `every operation is read`() throws {
        let form = try ProposalForm(
            body: Array(
                #"""
                {"title": "Raise the line", "reason": "3.1 loses data", "base": 42, "operations": [
                  {"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "3.2.0"},
                  {"op": "setValue", "platform": "android", "threshold": "minimumApp", "value": 35},
                  {"op": "setText", "platform": "ios", "threshold": "minimumApp",
                   "part": "description", "language": "en-gb", "text": "Please update."},
                  {"op": "clearThreshold", "platform": "ios", "threshold": "recommendedOS"},
                  {"op": "clearValue", "platform": "ios", "threshold": "recommendedApp"},
                  {"op": "removeText", "platform": "ios", "threshold": "minimumApp",
                   "part": "title", "language": "cy"}]}
                """#.utf8
            )
        )
        let english = try #require(LanguageTag("en-GB"))
        let welsh = try #require(LanguageTag("cy"))
        let version = try #require(AppleVersion("3.2.0"))
        let code = try #require(AndroidVersion(35))
        #expect(form.base == Position(42))
        #expect(
            form.operations == [
                Operation(.ios, .minimumApp, .setValue(.dotted(version))),
                Operation(.android, .minimumApp, .setValue(.integer(code))),
                Operation(
                    .ios,
                    .minimumApp,
                    .setText(.description, english, try Text(validating: "Please update."))
                ),
                Operation(.ios, .recommendedOS, .clearThreshold),
                Operation(.ios, .recommendedApp, .clearValue),
                Operation(.ios, .minimumApp, .removeText(.title, welsh)),
            ]
        )
    }

    @Test func `what is written is read again`() throws {
        let form = ProposalForm(
            title: try Title(validating: "Raise the line"),
            reason: nil,
            base: Position(7),
            operations: [
                Operation(.ios, .minimumOS, .clearThreshold),
                Operation(
                    .ios,
                    .minimumApp,
                    .setText(
                        .title,
                        try #require(LanguageTag("ar")),
                        try Text(validating: "خط \"مهم\" \\ \n نهاية")
                    )
                ),
            ]
        )
        #expect(try ProposalForm(body: form.bytes) == form)
    }

    @Test func `everything wrong is said at once, each at its place`() throws {
        let problem = try refusal(
            of: #"""
                {"titel": "x", "reason": 5, "base": "42", "operations": [
                  {"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "1.2.3.4"},
                  {"op": "setText", "platform": "ios", "threshold": "minimumApp", "part": "footer",
                   "language": "en_GB", "text": "a\u202Eb", "value": "1"},
                  {"op": "raise", "platform": "ios", "threshold": "minimumApp", "value": "1"},
                  {"op": "clearThreshold", "platform": "windows"}, 17]}
                """#
        )
        #expect(problem.code == .invalidRequest)
        #expect(
            Set(pointers(problem)) == [
                "/titel", "/title", "/reason", "/base", "/operations/0/value",
                "/operations/1/part", "/operations/1/language", "/operations/1/text",
                "/operations/1/value", "/operations/2/op", "/operations/3/platform",
                "/operations/3/threshold", "/operations/4",
            ]
        )
        #expect(problem.errors.allSatisfy { $0.detail.hasSuffix(".") })
    }

    @Test(arguments: ["title", "base", "operations"])
    func `a needed member is missed, and so is one that is null`(_ name: String) throws {
        var json = try complete()
        json[name] = nil
        #expect(pointers(try refusal(of: json)) == ["/\(name)"])
        json[name] = .null
        #expect(pointers(try refusal(of: json)) == ["/\(name)"])
    }

    @Test(arguments: [
        ("ios", "\"1.2.3.4\""), ("ios", "\"-1\""), ("ios", "\"\""), ("ios", "\"3.\""),
        ("ios", "\"v3\""), ("ios", "\"2147483648\""), ("ios", "3"), ("ios", "null"),
        ("ios", "\" 3\""), ("ios", "\"٣\""), ("ios", "[\"3\"]"), ("ios", "true"),
        ("android", "\"35\""), ("android", "-1"), ("android", "0"), ("android", "2147483648"),
        ("android", "null"), ("android", "{}"),
    ])
    func `a value that the platform does not write is refused`(
        _ platform: String,
        _ value: String
    ) throws {
        let problem = try refusal(
            of: #"""
                {"title": "t", "base": 0, "operations": [{"op": "setValue",
                 "platform": "\#(platform)", "threshold": "minimumApp", "value": \#(value)}]}
                """#
        )
        #expect(pointers(problem) == ["/operations/0/value"])
    }

    @Test(arguments: [
        "", "   ", "a\\u0007b", "a\\tb", "a\\r\\nb", "a\\u202Eb", "a\\u2066b",
        String(repeating: "a", count: 4001),
    ])
    func `a text that nobody should see is refused`(_ text: String) throws {
        let problem = try refusal(
            of: #"""
                {"title": "t", "base": 0, "operations": [{"op": "setText", "platform": "ios",
                 "threshold": "minimumApp", "part": "title", "language": "en", "text": "\#(text)"}]}
                """#
        )
        #expect(pointers(problem) == ["/operations/0/text"])
    }

    @Test(arguments: ["", "e", "en_GB", "en-", "-en", "123", "en-GB-en-GB-en-GB-en-GB-en-GB-en-GB"])
    func `a malformed language tag is refused`(_ tag: String) throws {
        let problem = try refusal(
            of: #"""
                {"title": "t", "base": 0, "operations": [{"op": "removeText", "platform": "ios",
                 "threshold": "minimumApp", "part": "title", "language": "\#(tag)"}]}
                """#
        )
        #expect(pointers(problem) == ["/operations/0/language"])
    }

    @Test(arguments: ["-1", "1.5", "\"1\"", "true", "null", "[]"])
    func `a base that is no position is refused`(_ base: String) throws {
        let problem = try refusal(
            of: #"{"title": "t", "base": \#(base), "operations": []}"#
        )
        // A fraction is no JSON that this service reads, so it has no place in a form yet.
        #expect(base == "1.5" ? problem.code == .malformedJSON : pointers(problem) == ["/base"])
    }

    @Test func `a title is one line`() throws {
        let problem = try refusal(of: #"{"title": "a\nb", "base": 0, "operations": []}"#)
        #expect(pointers(problem) == ["/title"])
    }

    private func complete() throws -> JSONObject {
        ProposalForm(title: try Title(validating: "t"), reason: nil, base: .start, operations: [])
            .json
    }

    private func refusal(of json: JSONObject) throws -> Problem {
        try #require(throws: Problem.self) { try ProposalForm(body: json.canonicalBytes()) }
    }

    private func refusal(of text: String) throws -> Problem {
        try #require(throws: Problem.self) { try ProposalForm(body: Array(text.utf8)) }
    }
}

/// Where the problem's errors stand in the body.
func pointers(_ problem: Problem) -> [String] {
    problem.errors.compactMap { error in
        if case .body(let pointer) = error.place { pointer.text } else { nil }
    }
}
