import Testing

@testable import PlimsollEdge

/// `If-None-Match`, on the wire.
@Suite(.timeLimit(.minutes(5))) struct ConditionTests {
    private func tag(gzip: Bool = false) throws -> String {
        EntityTag(of: try EdgeFixture.resource()).fieldValue(gzip ? .gzip : .identity)
    }

    private func answer(_ condition: String, fields: [String] = []) async throws -> Answer {
        try await EdgeFixture.answer(
            to: EdgeFixture.get(fields: ["If-None-Match: \(condition)"] + fields)
        )
    }

    @Test(arguments: [
        "TAG", "W/TAG", "GZIP", "W/GZIP", "*", "\"other\", TAG", "\"a,b\", W/\"x\",TAG, \"z\"",
        ", ,TAG,,", "TAG\t, \"x\"", "\"\", TAG",
    ])
    func `a client that has the document is told so`(form: String) async throws {
        let condition = form.replacing("TAG", with: try tag())
            .replacing("GZIP", with: try tag(gzip: true))
        #expect(try await answer(condition).status == 304)
    }

    @Test(arguments: [
        "\"other\"", "", "TAG-", "\"TAG\"", "TAG x", "x TAG", "w/TAG", "W /TAG", "W/*", "* ,",
        "\"unfinished", "'TAG'", "TAG\"", "\"x\" TAG", "\"a b\", TAG",
    ])
    func `a client that has something else gets the document`(form: String) async throws {
        let condition = form.replacing("TAG", with: try tag())
        #expect(try await answer(condition).status == 200)
    }

    @Test func `a tag without its quotes or with more letters is another tag`() async throws {
        let tag = try tag()
        let inner = String(tag.dropFirst().dropLast())
        for other in [inner, "\"\(inner)x\"", "\"\(inner.dropLast())\"", "\"\(inner)-gzip-gzip\""] {
            #expect(try await answer(other).status == 200)
        }
    }

    @Test func `several fields count together`() async throws {
        let tag = try tag()
        #expect(try await answer("\"x\"", fields: ["If-None-Match: \(tag)"]).status == 304)
    }

    @Test(arguments: ["identity", "gzip"])
    func `a 304 says what the 200 would say of caching and signature`(
        encoding: String
    ) async throws {
        let accept = "Accept-Encoding: \(encoding)"
        let whole = try await EdgeFixture.answer(to: EdgeFixture.get(fields: [accept]))
        let answer = try await answer(try #require(whole["ETag"]), fields: [accept])
        #expect(answer.status == 304)
        let kept = [
            "ETag", "Vary", "Cache-Control", "x-amz-meta-signature", "x-amz-meta-signature-date",
        ]
        for name in kept { #expect(answer[name] == whole[name] && answer.has(name)) }
        #expect(answer.has("Date"))
        #expect(!answer.has("Content-Length") && !answer.has("Content-Type"))
    }

    @Test func `the tag changes with the body and with the signature`() throws {
        let first = EntityTag(of: try EdgeFixture.resource())
        let signature = EdgeResource.Signature(value: "other", date: EdgeFixture.signature.date)
        let date = EdgeResource.Signature(value: EdgeFixture.signature.value, date: "other")
        #expect(EntityTag(of: try EdgeFixture.resource(signature: signature)) != first)
        #expect(EntityTag(of: try EdgeFixture.resource(signature: date)) != first)
        #expect(EntityTag(of: try EdgeFixture.resource(signature: nil)) != first)
        #expect(EntityTag(of: try EdgeFixture.resource(Array("{}".utf8))) != first)
        #expect(EntityTag(of: try EdgeFixture.resource()) == first)
    }
}
