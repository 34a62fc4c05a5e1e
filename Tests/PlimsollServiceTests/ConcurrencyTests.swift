import Metrics
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct ConcurrencyTests {
    @Test func `of many approvals of one change one applies it`() async throws {
        try await House.with { house in
            try await house.register()
            let proposed = try await house.propose("3.2.0", by: try await house.caller(.proposer))
            var approvers: [Caller] = []
            for _ in 1...8 { approvers.append(try await house.caller(.approver)) }
            let outcomes = await outcomes(approvers.map { (proposed, $0) }, in: house)
            #expect(outcomes.count { $0 == [] } == 1)
            let closed = [Objection.changeClosed(proposed.id, .applied)]
            #expect(outcomes.count { $0 == closed } == 7)
            let applied = try await house.log.history(of: .change(proposed.id))
                .count { $0.event.type == .changeApplied }
            #expect(applied == 1)
        }
    }

    @Test func `of changes of the same field one applies, and none undoes another`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            var attempts: [(ChangeAnswer, Caller)] = []
            for number in 1...6 {
                let proposed = try await house.propose("3.\(number)", by: author)
                attempts.append((proposed, try await house.caller(.approver)))
            }
            let outcomes = await outcomes(attempts, in: house)
            let winner = try #require(outcomes.firstIndex { $0 == [] })
            #expect(outcomes.count { $0 == [] } == 1)
            #expect(house.minimum == "3.\(winner + 1)")
            for (index, found) in outcomes.enumerated() where index != winner {
                #expect(found?.allSatisfy { [.conflict, .stale].contains($0.kind) } == true)
            }
        }
    }

    // Goal: the receipt tells of everything that went back along, also of what came in between. Method:
    // another instance applies a change that this one has not read yet, as it never looks by itself.
    @Test func `a rollback tells of a change that another instance applied just before`()
        async throws
    {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await House.with(lookingEvery: .seconds(3600)) { house in
                let story = try await RollbackTests.Story(house)
                try await House.with(.untouched, clock: house.clock) { other in
                    _ = try await other.apply("3.3.0")
                }
                #expect(house.minimum == "3.2.0")
                let done = try await story.rollBack(to: .event(story.first))
                let effects = try #require(done.outlook.sideEffects)
                #expect(effects.undone == [change(2), change(3)])
                #expect(effects.undoneOfOthers == [change(2), change(3)])
                #expect(house.minimum == "3.1.0")
            }
        }
        #expect(notebook["plimsoll.log.conflicts"] ?? 0 > 0)
    }

    /// What each approval was objected to, all sent at once; `nil` for another error.
    private func outcomes(
        _ attempts: [(ChangeAnswer, Caller)],
        in house: House
    ) async -> [[Objection]?] {
        await withTaskGroup(of: (Int, [Objection]?).self) { group in
            for (index, (change, approver)) in attempts.enumerated() {
                group.addTask {
                    do {
                        _ = try await house.approve(change, by: approver)
                        return (index, [])
                    } catch UseCaseError.refused(let refusal) {
                        return (index, refusal.objections)
                    } catch {
                        return (index, nil)
                    }
                }
            }
            var outcomes = [[Objection]?](repeating: nil, count: attempts.count)
            for await (index, found) in group { outcomes[index] = found }
            return outcomes
        }
    }
}
