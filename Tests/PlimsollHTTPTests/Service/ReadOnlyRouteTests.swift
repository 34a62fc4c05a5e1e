import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Synchronization
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
            #expect(try await service.gauge("plimsoll_ready") == "1")
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
            #expect(try await service.gauge("plimsoll_ready") == "0")
        }
    }

    @Test func `who is about to stop is not ready, whichever way that is asked`() async throws {
        let stopSignal = StopSignal()
        try await ServiceFixture.with(stopSignal: stopSignal) { service in
            let before = try await service.send(.get, "/readyz")
            #expect(before.status == .ok)
            #expect(try await service.gauge("plimsoll_ready") == "1")
            stopSignal.raise()
            let after = try await service.send(.get, "/readyz")
            #expect(after.status == .serviceUnavailable)
            #expect(try await service.gauge("plimsoll_ready") == "0")
        }
    }

    // A look at the database that fails says nothing, and the clock is in doubt for want of it.
    @Test func `the clock is told as it stands when somebody asks`() async throws {
        let isTrusted = Mutex(true)
        try await ServiceFixture.with(trustsClock: { isTrusted.withLock(\.self) }) { service in
            let before = try await service.gauge("plimsoll_clock_trusted")
            #expect(before == "1")
            isTrusted.withLock { $0 = false }
            let after = try await service.gauge("plimsoll_clock_trusted")
            #expect(after == "0")
        }
    }

    // Goal: whoever watches sees how far an instance knows the log, and that no look agrees with it
    // any more. Method: looks go on once a second, and the log lacks something meanwhile.
    @Test func `what an instance knows of the log is a number, and so is since when`()
        async throws
    {
        try await ServiceFixture.with { service in
            let head = service.writer.logState.position
            #expect(try await service.gauge("plimsoll_log_head_position") == "\(head)")
            #expect(try await service.gauge("plimsoll_schedules_overdue_seconds") == "0")
            var ages: [Double] = []
            for await _ in service.writer.growth() {
                ages.append(try await age(service))
                if ages.count > 2 { break }
            }
            #expect(ages.allSatisfy { $0 >= 0 })
            service.writer.memory.lose(Prohibition(.logBehind, "It lost events."))
            let lost = ContinuousClock.now
            while try await age(service) < 3 {
                try #require(ContinuousClock.now - lost < .seconds(60))
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try await service.gauge("plimsoll_log_head_position") == "\(head)")
        }
    }

    private func age(_ service: ServiceFixture) async throws -> Double {
        try #require(
            try await service.gauge("plimsoll_log_check_age_seconds").flatMap(Double.init)
        )
    }
}
