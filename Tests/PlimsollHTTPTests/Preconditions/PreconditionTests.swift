import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollHTTP

@Suite struct IfMatchTests {
    private let hex = String(repeating: "0a", count: 32)

    @Test func `the digest that was seen is read`() throws {
        #expect(try ChangeDigest(ifMatch: headers("\"\(hex)\"")).hex == hex)
        #expect(try ChangeDigest(ifMatch: headers("\"\(hex)-applied\"")).hex == hex)
    }

    @Test func `a decision without a digest is not taken`() {
        #expect(code(headers(nil)) == .preconditionRequired)
    }

    @Test(arguments: ["*", "W/\"x\"", "x", "\"", "\"a\", \"b\"", ""])
    func `what is not one strong tag is refused`(_ field: String) {
        #expect(code(headers(field)) == .invalidHeader)
    }

    @Test(arguments: ["\"\"", "\"abc\"", "\"ZZ\""])
    func `a tag that no change has is stale`(_ field: String) {
        #expect(code(headers(field)) == .stale)
    }

    private func code(_ headers: HTTPFields) -> ProblemCode? {
        do throws(Problem) {
            _ = try ChangeDigest(ifMatch: headers)
            return nil
        } catch {
            return error.code
        }
    }

    private func headers(_ ifMatch: String?) -> HTTPFields {
        var headers: HTTPFields = [:]
        headers[.ifMatch] = ifMatch
        return headers
    }
}

@Suite struct IfNoneMatchTests {
    @Test(arguments: ["\"x\"", "W/\"x\"", "*", "\"a\", \"x\"", "\"a\",W/\"x\" "])
    func `a reader that has it is known`(_ field: String) {
        #expect(EntityTag(opaque: "x").isNamed(by: [.ifNoneMatch: field]))
    }

    @Test(arguments: ["\"y\"", "x", "\"X\"", "", "\"x"])
    func `a reader that has something else is not`(_ field: String) {
        #expect(!EntityTag(opaque: "x").isNamed(by: [.ifNoneMatch: field]))
    }
}

@Suite struct IdempotencyKeyTests {
    @Test(arguments: [
        "a", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", String(repeating: "~", count: 255),
    ])
    func `a key of visible characters is taken`(_ key: String) throws {
        #expect(try ([.idempotencyKey: key] as HTTPFields).idempotencyKey() == key)
    }

    @Test(arguments: ["", "a b", "schlüssel", "a\tb", String(repeating: "a", count: 256)])
    func `a key of another form is refused`(_ key: String) {
        #expect(throws: Problem.self) {
            try ([.idempotencyKey: key] as HTTPFields).idempotencyKey()
        }
    }

    @Test func `two keys are refused, none is none`() throws {
        var headers: HTTPFields = [:]
        #expect(try headers.idempotencyKey() == nil)
        headers.append(HTTPField(name: .idempotencyKey, value: "a"))
        headers.append(HTTPField(name: .idempotencyKey, value: "b"))
        #expect(throws: Problem.self) { try headers.idempotencyKey() }
    }
}
