import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

/// Who follows the record, at whichever instance.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct RecordFollowingTests {
    // Method: an instance that looks at the log only where it is told to, and another one that has
    // told of an event meanwhile.
    @Test func `who was told of an event by one instance goes on at another`() async throws {
        try await HookHouse.with(lookingEvery: .seconds(3600)) { house in
            var told = Position.start
            try await HookHouse.with { other in told = try await other.happen() }
            #expect(house.writer.logState.position < told)
            // A busy machine may need longer than whoever follows is let wait at once.
            try await eventually("what the other one told is known") {
                let following = try? await house.useCases.follow(
                    EventQuery(),
                    after: told,
                    for: HookHouse.administrator
                )
                return following?.position == told
            }
        }
    }
}
