import PlimsollDomain
import PlimsollTestSupport
import Testing

/// A change with an end over another one that ends before it: the later end would bring back for good
/// what the other had put there for a time.
@Suite struct OutlivingTests {
    private let outlives = Objection.outlives(change(4), noon, at: nil)

    /// 3.0.0 for good, 2.0.0 until noon, and change 2 to 4.0 until the evening, which found 2.0.0.
    private func waiting(approved: Bool, at start: Instant? = nil) throws -> Given {
        let given = try Given.harbourApp().at(testNow).raised(1, to: "2.0.0")
        let proposed = given.when(
            try propose(minimum("4.0"), base: given.logState.position, at: start, until: evening)
        )
        let ready = approved ? proposed.when(proposed.approve(change(2))) : proposed
        return try ready.raised(3, to: "3.0.0").boxed(4, try minimum("2.0.0"), until: noon).0
    }

    @Test func `a change does not outlive one that goes back underneath it`() throws {
        let given = try Given.harbourApp().at(testNow)
        let (applied, _) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let operations = try minimum("4.0")
        for end in [noon, evening] {
            applied.when(
                try applied.proposal(operations, until: end),
                refusedBy: .outlives(change(1), noon, at: "/schedule")
            )
        }
        let soon = noon.advanced(by: .seconds(-1))
        let inner = applied.when(try applied.proposal(operations, until: soon))
        let later = ScheduleChange(
            change: change(2),
            seen: inner.digest(change(2)),
            schedule: Schedule(at: nil, until: evening, timeZone: .utc),
            by: alice,
            hash: testHash
        )
        inner.when(later, refusedBy: .outlives(change(1), noon, at: "/schedule"))
        _ = inner.when(
            try inner.revise(
                change(2),
                to: "4.1",
                Schedule(at: noon, until: evening, timeZone: .utc),
                by: alice
            )
        )
        let android = [Operation(.android, .minimumApp, .setText(.title, tag("en"), try text("A")))]
        _ = applied.when(try applied.proposal(android, until: evening))
    }

    @Test func `a change outlives only what another one still holds`() throws {
        let given = try Given.settled()
        let (applied, _) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let decided = applied.when(try block(below: "4.0"))
        let higher = Operation(.ios, .minimumApp, .setValue(dotted("5.0")))
        _ = decided.when(try decided.proposal([higher], until: evening))
        decided.when(
            try decided.proposal(minimum("5.0"), until: evening),
            refusedBy: .outlives(change(1), noon, at: "/schedule")
        )
    }

    @Test func `a change outlives one that is late to end`() throws {
        let given = try Given.settled()
        let (applied, _) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let late = applied.at(noon.advanced(by: .seconds(60)))
        late.when(
            try late.proposal(minimum("4.0"), until: evening),
            refusedBy: .outlives(change(1), noon, at: "/schedule")
        )
    }

    @Test func `what came into force after a schedule was made is not outlived either`() throws {
        let given = try waiting(approved: false)
        given.when(given.approve(change(2)), refusedBy: outlives)
        // One whose time is over and that has not ended yet is still underneath.
        let late = given.at(noon.advanced(by: .seconds(1)))
        late.when(late.approve(change(2)), refusedBy: outlives)
    }

    @Test func `what has come due is not applied over what it outlives`() throws {
        let start = testNow.advanced(by: .seconds(60))
        let given = try waiting(approved: true, at: start).at(start)
        let due = ApplyDueChange(change: change(2), hash: testHash)
        given.when(due, then: [.change(.changeSuspended(.conflict))])
        let suspended = given.when(due)
        let apply = ApplyChange(
            change: change(2),
            seen: suspended.digest(change(2)),
            by: alice,
            hash: testHash
        )
        suspended.when(apply, refusedBy: outlives)
    }
}
