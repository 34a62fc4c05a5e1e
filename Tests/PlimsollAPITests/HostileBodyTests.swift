import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// What is refused before anybody asks what it says, whatever form it was meant to be.
@Suite struct HostileBodyTests {
    @Test(arguments: [
        "", " ", "{", "}", "nul", "{\"title\": }", "{'title': 1}", "{\"a\":1,}", "[1,]", "{} {}",
        "{\"base\": 1.5}", "{\"base\": 1e3}", "{\"base\": 01}", "{\"base\": -0}",
        "{\"base\": 9223372036854775808}", "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\u0000\"}", "{\"a\":\"\u{1}\"}", "\u{FEFF}{}",
    ])
    func `what is not JSON is malformed`(_ text: String) throws {
        let problem = try refusal(of: Array(text.utf8))
        #expect(problem.code == .malformedJSON)
        #expect(problem.status == 400)
    }

    @Test(arguments: ["null", "true", "17", "\"text\"", "[]", "[{}]"])
    func `what is JSON but no object is refused at its root`(_ text: String) throws {
        let problem = try refusal(of: Array(text.utf8))
        #expect(problem.code == .invalidRequest)
        #expect(problem.errors.map(\.place) == [.body("")])
    }

    @Test func `a duplicated member is refused, however it is spelt`() throws {
        let plain = try refusal(of: Array(#"{"base": 1, "base": 2}"#.utf8))
        let escaped = try refusal(of: Array(#"{"base": 1, "b\u0061se": 2}"#.utf8))
        let nested = try refusal(of: Array(#"{"operations": [{"op": "a", "op": "b"}]}"#.utf8))
        #expect([plain, escaped, nested].allSatisfy { $0.code == .malformedJSON })
        #expect(nested.errors.first?.place == .body("/operations/0/op"))
    }

    @Test func `a body of a mebibyte is too large`() throws {
        let body = Array("\"".utf8) + Array(repeating: UInt8(ascii: "a"), count: 1_048_576)
        let problem = try refusal(of: body + Array("\"".utf8))
        #expect(problem.code == .tooLarge)
        #expect(problem.status == 413)
    }

    @Test func `ten thousand levels end at the thirty-third`() throws {
        let arrays = String(repeating: "[", count: 10_000)
        let objects = String(repeating: "{\"a\":", count: 10_000)
        for text in [arrays, objects] {
            #expect(try refusal(of: Array(text.utf8)).code == .malformedJSON)
        }
    }

    @Test(arguments: [
        [0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC0, 0xAF],
    ])
    func `invalid UTF-8 is refused`(_ bytes: [UInt8]) throws {
        let body = Array("{\"title\":\"".utf8) + bytes + Array("\"}".utf8)
        #expect(try refusal(of: body).code == .malformedJSON)
    }

    @Test func `other encodings of Unicode are refused`() throws {
        let utf16 = "{}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try refusal(of: utf16).code == .malformedJSON)
    }

    private func refusal(of body: [UInt8]) throws -> Problem {
        try #require(throws: Problem.self) { try ProposalForm(body: body) }
    }
}
