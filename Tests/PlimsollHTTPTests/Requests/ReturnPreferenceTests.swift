import HTTPTypes
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite struct ReturnPreferenceTests {
    @Test(arguments: [
        (["return=minimal"], ReturnPreference.minimal), (["Return=\"minimal\""], .minimal),
        (["wait=10, return = minimal; foo=1"], .minimal), (["a", "return=minimal"], .minimal),
        (["return=representation, return=minimal"], .representation), ([], nil), ([""], nil),
        (["return"], nil), (["return=everything"], nil), (["minimal"], nil), ([",;=,="], nil),
    ])
    func `the first wish counts`(_ fields: [String], _ expected: ReturnPreference?) {
        var headers: HTTPFields = [:]
        headers[values: .prefer] = fields
        #expect(ReturnPreference(headers) == expected)
    }
}

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ReturnPreferenceRouteTests {
    /// Every write can be answered briefly, but for the one that has a secret to tell.
    @Test(arguments: RouteTable.service.routes.filter(\.canBeBrief).map(\.name))
    func `who prefers it is told only that it was done`(_ route: String) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            var headers = sample.headers
            headers[.prefer] = "return=minimal"
            let tried = try await service.send(sample, query: "?dryRun=true", headers: headers)
            #expect(tried.json["dryRun"] == true)
            #expect(tried.headers[.preferenceApplied] == nil)
            let end = try await service.logEnd()
            let done = try await service.send(sample, headers: headers)
            #expect([201, 204].contains(done.status.code))
            #expect(done.bytes.isEmpty && done.headers[.contentType] == nil)
            #expect(done.headers[.preferenceApplied] == "return=minimal")
            #expect((done.headers[.location] != nil) == (done.status == .created))
            #expect(try await service.logEnd() > end)
        }
    }

    @Test func `a secret is told whatever is preferred`() async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample("issueToken", on: service)
            var headers = sample.headers
            headers[.prefer] = "return=minimal"
            let answer = try await service.send(sample, headers: headers)
            #expect(answer.json["token"]?.string?.hasPrefix("plm_") == true)
            #expect(answer.headers[.preferenceApplied] == nil)
        }
    }

    @Test func `who prefers the representation is told that this was heard`() async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.propose(
                Edits.minimum("3.2.0"),
                headers: [.prefer: "return=representation"]
            )
            #expect(answer.status == .created)
            #expect(answer.json["state"] == "proposed")
            #expect(answer.headers[.preferenceApplied] == "return=representation")
        }
    }
}
