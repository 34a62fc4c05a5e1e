import PlimsollDomain
import PlimsollTestSupport
import PlimsollUseCases
import Testing

/// What a request names, and where it leads.
extension RollbackTests {
    @Test func `a threshold goes back with all that there was and is of it`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let places = [ThresholdPlace(platform: .ios, name: .minimumApp)]
            let request = RollbackRequest(
                app: harbour,
                target: .beforeChange(change(2)),
                platforms: nil,
                thresholds: places,
                reason: try Reason(validating: "3.2.0 is not in the store")
            )
            let asked = house.request(by: story.responder)
            let receipt = try await house.useCases.rollBack(request, asked)
            #expect(receipt.changes.map(\.field.part?.description) == ["description.en", "value"])
            #expect(receipt.platforms == [.ios])
            #expect(house.minimum == "3.1.0")
        }
    }

    @Test func `what leads elsewhere than its rehearsal is refused`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let there = try await story.rollBack(to: .beforeChange(change(2)), nil, .dryRun)
            for (rehearsed, refusal) in [
                (
                    there.target.before,
                    [Objection.targetDiffers(rehearsed: there.target.before, now: there.target)]
                ), (there.target, []),
            ] {
                let request = RollbackRequest(
                    app: harbour,
                    target: .beforeChange(change(2)),
                    platforms: nil,
                    rehearsed: rehearsed,
                    reason: try Reason(validating: "3.2.0 is not in the store")
                )
                let asked = house.request(by: story.responder)
                if refusal.isEmpty {
                    _ = try await house.useCases.rollBack(request, asked)
                } else {
                    #expect(
                        try await objections {
                            _ = try await house.useCases.rollBack(request, asked)
                        } == refusal
                    )
                }
            }
            #expect(house.minimum == "3.1.0")
        }
    }
}
