import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

/// What a request names, and where it leads.
extension RollbackTests {
    @Test func `a threshold goes back with all that there was and is of it`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let places = [ThresholdPlace(platform: .ios, name: .minimumApp)]
            let request = RollbackForm(
                target: .beforeChange(change(2)),
                platforms: nil,
                thresholds: places,
                reason: try Reason(validating: "3.2.0 is not in the store")
            )
            let asked = house.request(by: story.responder)
            let receipt = try await house.useCases.rollBack(request, of: harbour, asked)
            #expect(receipt.changes.map(\.field.part?.description) == ["description.en", "value"])
            #expect(receipt.platforms == [.ios])
            #expect(house.minimum == "3.1.0")
        }
    }

    @Test func `what leads elsewhere than its dry run is refused`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let there = try await story.rollBack(to: .beforeChange(change(2)), nil, .dryRun)
            for (seen, refusal) in [
                (
                    there.target.before,
                    [Objection.targetDiffers(seen: there.target.before, now: there.target)]
                ), (there.target, []),
            ] {
                let request = RollbackForm(
                    target: .beforeChange(change(2)),
                    platforms: nil,
                    seen: seen,
                    reason: try Reason(validating: "3.2.0 is not in the store")
                )
                let asked = house.request(by: story.responder)
                if refusal.isEmpty {
                    _ = try await house.useCases.rollBack(request, of: harbour, asked)
                } else {
                    #expect(
                        try await objections {
                            _ = try await house.useCases.rollBack(request, of: harbour, asked)
                        } == refusal
                    )
                }
            }
            #expect(house.minimum == "3.1.0")
        }
    }

    // Goal: one change goes back, whatever came after it. Method: a third change writes another
    // text; what the second wrote is taken back, as it was shown before.
    @Test func `one change is taken back, and later ones stay`() async throws {
        try await House.with { house in
            let story = try await Story(house)
            let title = Field(.ios, .minimumApp, .text(.title, tag("en")))
            let edit = Operation(.ios, .minimumApp, .setText(.title, tag("en"), try text("New")))
            let author = try await house.caller(.proposer)
            let proposed = try await house.propose(
                try house.proposal("3.2.0").with([edit]),
                by: author
            )
            _ = try await house.approve(proposed, by: try await house.caller(.approver))
            let target = RollbackTarget.revert(change(2))
            let seen = try await house.useCases.documents(
                of: harbour,
                in: .rollback(target),
                for: story.responder
            )
            let tried = try await story.rollBack(to: target, nil, .dryRun)
            #expect(house.minimum == "3.2.0")
            let done = try await story.rollBack(to: target)
            #expect(done.changes == tried.changes)
            #expect(done.outlook.sideEffects?.undone == [change(2)])
            #expect(done.outlook.sideEffects?.undoneOfOthers == [])
            #expect(done.platformsKept == [])
            #expect(house.minimum == "3.1.0")
            let live = try #require(house.writer.logState.app(harbour)).document(.ios)
            #expect(live[title] != nil)
            #expect(seen.documents.contains(live))
            #expect(
                try await objections { try await story.rollBack(to: target) } == [.nothingChanges]
            )
            #expect(
                try await objections { try await story.rollBack(to: .revert(change(9))) }
                    == [.changeNeverApplied(change(9))]
            )
        }
    }
}
