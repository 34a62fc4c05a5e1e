@testable import PlimsollPublishing
import PlimsollDomain
import PlimsollStore
import Testing

@Suite struct ClockWatchTests {
    /// Looks after so many seconds on the one clock and on the other; answers the last look.
    private func looks(_ steps: (wall: Int, uptime: Int)...) -> Bool {
        var watch = ClockWatch()
        var (wall, uptime) = (Instant.soonAfter, ContinuousClock.now)
        var isTrusted = watch.trusts(ClockReading(wall: wall, uptime: uptime))
        for step in steps {
            wall = wall.advanced(by: .seconds(step.wall))
            uptime += .seconds(step.uptime)
            isTrusted = watch.trusts(ClockReading(wall: wall, uptime: uptime))
        }
        return isTrusted
    }

    @Test func `a clock that runs is trusted, however seldom one looks`() {
        #expect(looks())
        #expect(looks((1, 1), (86_400, 86_400), (1, 1)))
    }

    @Test func `a clock that is slewed is trusted`() {
        #expect(looks((105, 100), (100, 105), (0, 5), (5, 0)))
    }

    @Test(arguments: [6, -6, 86_400, -86_400, 315_360_000])
    func `a clock that was set is doubted for a while`(seconds: Int) {
        #expect(!looks((seconds, 0)))
        #expect(!looks((seconds, 0), (599, 599)))
        #expect(looks((seconds, 0), (600, 600)))
    }

    @Test func `a clock that is set back again is doubted once more`() {
        #expect(!looks((86_400, 0), (599, 599), (-86_400, 1), (599, 599)))
    }

    @Test func `a machine that slept is no clock that was set`() {
        #expect(looks((1, 1), (28_800, 28_800)))
    }
}
