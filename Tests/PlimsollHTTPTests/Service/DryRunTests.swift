import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// A dry run makes every check of a write, and writes nothing.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct DryRunTests {
    @Test(arguments: WriteSample.routes)
    func `a write that is only tried is answered and appends nothing`(_ route: String) async throws
    {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            let end = try await service.logEnd()
            let tried = try await service.send(sample, query: "?dryRun=true")
            #expect(tried.status == .ok)
            #expect(tried.json["dryRun"] == true)
            #expect(tried.headers[.location] == nil)
            #expect(try await service.logEnd() == end)
            let real = try await service.send(sample)
            #expect(real.status.kind == .successful)
            // A session is no part of the record.
            #expect(try await service.logEnd() > end || route == "endSession")
        }
    }

    @Test(arguments: WriteSample.routes)
    func `a write that is only tried is refused as the real one`(_ route: String) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            let end = try await service.logEnd()
            // An auditor may comment, a viewer end their own token, and everybody renew theirs.
            let stranger: Role = route == "commentOnChange" ? .viewer : .auditor
            let strange = route == "renewToken" ? [] : [(stranger, sample.body)]
            let twins = strange + [(sample.role, .object(["colour": "red"]))]
            for (role, body) in twins {
                var answers: [ServiceAnswer] = []
                for query in ["", "?dryRun=true"] {
                    answers.append(
                        try await service.send(
                            sample.route.httpMethod,
                            sample.path + query,
                            as: role,
                            body,
                            headers: sample.headers
                        )
                    )
                }
                #expect(answers.allSatisfy { $0.status.kind == .clientError })
                #expect(answers[0].status == answers[1].status)
                #expect(answers[0].codes == answers[1].codes)
                #expect(answers[0].pointers == answers[1].pointers)
            }
            #expect(try await service.logEnd() == end)
        }
    }
}
