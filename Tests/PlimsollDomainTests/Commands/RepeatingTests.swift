import PlimsollDomain
import PlimsollTestSupport
import Testing

/// A change that sets a field to what another had put there for a shorter time: nothing is written, so
/// the other's end would take back what people had decided on.
@Suite struct RepeatingTests {
    private func value(heldBy id: Int64) -> Objection {
        .fieldEnds(Field(.ios, .minimumApp, .value), change(id), noon, at: "/operations")
    }

    private func text(heldBy id: Int64) -> Objection {
        let field = Field(.ios, .minimumApp, .text(.description, tag("en")))
        return .fieldEnds(field, change(id), noon, at: "/operations")
    }

    private func title(_ words: String) throws -> PlimsollDomain.Operation {
        Operation(
            .ios,
            .minimumApp,
            .setText(.title, tag("en"), try PlimsollTestSupport.text(words))
        )
    }

    private func applied() throws -> (Given, EndChange) {
        try Given.harbourApp().at(testNow).boxed(1, try minimum("3.0.0"), until: noon)
    }

    @Test func `a change does not rest on what goes back before it does`() throws {
        let (applied, end) = try applied()
        let same = try raise(to: "3.0.0", base: applied.logState.position)
        applied.when(same, refusedBy: text(heldBy: 1), value(heldBy: 1))
        let more = try minimum("3.0.0") + [try title("Update")]
        for until in [nil, evening] {
            let longer = try propose(more, base: applied.logState.position, until: until)
            let told = refusals(of: longer, in: applied)
            #expect(told.suffix(2) == [text(heldBy: 1), value(heldBy: 1)])
        }
        let soon = noon.advanced(by: .seconds(-1))
        _ = applied.when(try applied.proposal(more, until: soon))
        let ended = applied.at(noon).when(end)
        _ = ended.when(try raise(to: "3.0.0", base: ended.logState.position))
    }

    private func refusals(of command: some Command, in given: Given) -> [Objection] {
        do throws(Refusal) {
            _ = try command.decide(in: given.logState, at: given.decidedAt)
            return []
        } catch {
            return error.objections
        }
    }

    /// A change that was made before another put for a time what it asks for.
    private func waiting(
        at start: Instant?,
        with more: [PlimsollDomain.Operation]
    ) throws -> Given {
        let given = try Given.harbourApp().at(testNow)
        let proposal = try given.proposal(minimum("3.0.0") + more, at: start)
        let proposed = given.when(proposal)
        let ready = start == nil ? proposed : proposed.when(proposed.approve(change(1)))
        return try ready.boxed(2, try minimum("3.0.0"), until: noon).0
    }

    @Test func `what came into force after a change was made is not rested on either`() throws {
        // Told alike whether the change would write something else or nothing.
        for more in [[], [try title("Update")]] {
            let waiting = try waiting(at: nil, with: more)
            waiting.when(
                waiting.approve(change(1)),
                refusedBy: text(heldBy: 2),
                value(heldBy: 2)
            )
        }
        let start = testNow.advanced(by: .seconds(60))
        let due = ApplyDueChange(change: change(1), hash: testHash)
        try waiting(at: start, with: [title("Update")]).at(start)
            .when(due, then: [.change(.changeSuspended(.conflict))])
    }

    @Test func `an emergency rests on no version that goes back, and on texts`() throws {
        let (applied, _) = try applied()
        let emergency = try emergency(
            minimum("3.0.0") + [title("Update")],
            base: applied.logState.position
        )
        applied.when(emergency, refusedBy: value(heldBy: 1))
        let words = try PlimsollTestSupport.text("Update to 3.0.0.")
        let block = try block(below: "4.0", texts: [.description: [tag("en"): words]])
        #expect(applied.when(block).minimum?.value == dotted("4.0"))
    }

    @Test func `rules of yesterday do not ask`() throws {
        let (applied, _) = try applied()
        let logState = applied.logState.deciding(by: .ignoringEnds)
        let change = try propose(
            try minimum("3.0.0") + [try title("Update")],
            base: logState.position
        )
        let decision = try change.decide(in: logState, at: testNow)
        #expect(!decision.events.isEmpty)
    }
}
