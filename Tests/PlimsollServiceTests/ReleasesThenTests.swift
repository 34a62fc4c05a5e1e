import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

/// What was told of releases at a moment that has passed, whatever stores have by now.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct ReleasesThenTests {
    private func told(
        _ house: House,
        _ state: StateName,
        _ viewer: Caller
    ) async throws -> [String] {
        let view = try await house.useCases.documents(of: harbour, in: state, for: viewer)
        return view.releases.told(on: .ios, at: view.at).map(\.version.description)
    }

    private func register(_ version: String, liveSince: Instant, _ house: House) async throws {
        let facts = ReleaseFacts(liveSince: liveSince)
        _ = try await house.useCases.registerRelease(
            ReleaseForm(facts: facts),
            at: AppRelease(harbour, .ios, dotted(version)),
            house.request(by: try await house.caller(.proposer))
        )
    }

    @Test func `an event is asked what was told at its own time`() async throws {
        try await House.with { house in
            try await house.register()
            let viewer = try await house.caller(.viewer)
            let registered = house.clock.now
            try await register("3.2.0", liveSince: registered.advanced(by: .seconds(3600)), house)
            let event = house.head
            #expect(try await told(house, .event(event), viewer) == [])
            house.clock.advance(by: .seconds(7200))
            #expect(try await told(house, .live, viewer) == ["3.2.0"])
            #expect(try await told(house, .time(house.clock.now), viewer) == ["3.2.0"])
            #expect(try await told(house, .event(event), viewer) == [])
            #expect(try await told(house, .time(registered), viewer) == [])
        }
    }

    @Test func `what was said during a freeze was not told in it`() async throws {
        try await House.with { house in
            try await house.register()
            let responder = try await house.caller(.responder)
            try await register("3.1.0", liveSince: house.clock.now, house)
            let reason = try Reason(validating: "Christmas")
            for scope in [Scope.app(harbour), .all] {
                let start = StartFreeze(of: scope, reason: reason, by: responder.principal)
                let end = EndFreeze(of: scope, reason: nil, by: responder.principal)
                let before = try await told(house, .live, responder)
                _ = try await house.writer.perform(CommandRequest(start))
                let version = scope == .all ? "3.3.0" : "3.2.0"
                try await register(version, liveSince: house.clock.now, house)
                let event = house.head
                #expect(try await told(house, .live, responder) == before)
                _ = try await house.writer.perform(CommandRequest(end))
                #expect(try await told(house, .live, responder) == before + [version])
                #expect(try await told(house, .event(event), responder) == before)
            }
        }
    }
}
