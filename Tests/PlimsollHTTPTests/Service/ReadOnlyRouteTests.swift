import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What is said by a service whose database is not the one that was signed.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ReadOnlyRouteTests {
    @Test(arguments: [
        (Prohibition.Cause.logBehind, "log-behind"), (.logForked, "log-forked"),
    ])
    func `who reads is told that the record may not be what was signed`(
        _ cause: Prohibition.Cause,
        _ name: String
    ) async throws {
        try await ServiceFixture.with { service in
            let before = try await service.send(.get, "/v1/apps", as: .auditor)
            #expect(before.headers[.plimsollReadOnly] == nil)
            service.writer.forbid(because: Prohibition(cause, "It was restored."))
            let after = try await service.send(.get, "/v1/apps", as: .auditor)
            #expect(after.status == .ok)
            #expect(after.headers[.plimsollReadOnly] == name)
            let missing = try await service.send(.get, "/v1/apps/nothing", as: .auditor)
            #expect(missing.status == .notFound)
            #expect(missing.headers[.plimsollReadOnly] == name)
            let stranger = try await service.send(.get, "/v1/apps")
            #expect(stranger.status == .unauthorized)
            #expect(stranger.headers[.plimsollReadOnly] == name)
            let ready = try await service.send(.get, "/readyz")
            #expect(ready.headers[.plimsollReadOnly] == nil)
            #expect(ready.status == .serviceUnavailable)
            #expect(ready.json["type"]?.string == "/problems/\(name)")
            #expect(ready.json["detail"]?.string == "It was restored.")
        }
    }
}
