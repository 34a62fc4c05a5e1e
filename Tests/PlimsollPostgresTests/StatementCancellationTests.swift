@testable import PlimsollPostgres
import Testing

struct StatementCancellationTests {
    private let start = ContinuousClock.now

    @Test func `without a deadline there is no haste`() {
        var clock = StatementCancellation(deadline: nil, grace: .seconds(5))
        #expect(clock.nextLook == nil)
        #expect(clock.look(at: start + .seconds(10_000)) == .carryOn)
    }

    @Test func `after the deadline the server is asked, again and again, then cut off`() {
        var clock = StatementCancellation(deadline: start + .seconds(1), grace: .milliseconds(1200))
        #expect(clock.look(at: start) == .carryOn)
        #expect(clock.look(at: start + .seconds(1)) == .askToStop)
        #expect(clock.nextLook == start + .milliseconds(1500))
        #expect(clock.look(at: start + .milliseconds(1400)) == .carryOn)
        #expect(clock.look(at: start + .milliseconds(1500)) == .askToStop)
        #expect(clock.look(at: start + .milliseconds(2000)) == .askToStop)
        #expect(clock.nextLook == start + .milliseconds(2200))
        #expect(clock.look(at: start + .milliseconds(2200)) == .cut)
        #expect(clock.isCut)
        #expect(clock.look(at: start + .seconds(100)) == .carryOn)
    }

    @Test func `a cancelled task's statement has the same grace`() {
        var clock = StatementCancellation(deadline: nil, grace: .seconds(1))
        clock.stopRequested(at: start)
        // A second request does not prolong it.
        clock.stopRequested(at: start + .milliseconds(900))
        #expect(clock.look(at: start + .seconds(1)) == .cut)
    }
}
