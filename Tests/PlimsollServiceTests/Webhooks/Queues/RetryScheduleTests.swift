import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollService

@Suite struct RetryScheduleTests {
    private let schedule = RetrySchedule()

    private func delay(_ failures: Int, asked: Duration? = nil, chance: Double = 1) -> Duration {
        schedule.delay(afterFailures: failures, asked: asked, chance: chance)
    }

    @Test func `the wait doubles, up to an hour, and half of it is chance`() {
        #expect((1...4).map { delay($0) } == [5, 10, 20, 40].map { Duration.seconds($0) })
        #expect(delay(1, chance: 0) == .milliseconds(2500))
        #expect(delay(12) == .seconds(3600))
        #expect(delay(.max) == .seconds(3600))
        #expect(delay(12, chance: 0) == .seconds(1800))
    }

    @Test func `a receiver that asks for more gets it, within the same bound`() {
        #expect(delay(1, asked: .seconds(120)) == .seconds(120))
        #expect(delay(1, asked: .seconds(1)) == .seconds(5))
        #expect(delay(1, asked: .seconds(Int64.max)) == .seconds(3600))
    }

    @Test func `patience ends after three days of failures`() {
        let end = testNow.advanced(by: .seconds(3 * 86_400))
        #expect(schedule.isOver(since: testNow, failures: 80, at: end))
        let justBefore = end.advanced(by: .milliseconds(-1))
        #expect(!schedule.isOver(since: testNow, failures: 80, at: justBefore))
    }

    // Goal: a service that stood still for days gives up nobody for that.
    @Test func `days in which nobody tried are held against nobody`() {
        let late = testNow.advanced(by: .seconds(30 * 86_400))
        #expect(!schedule.isOver(since: testNow, failures: 23, at: late))
        #expect(schedule.isOver(since: testNow, failures: 24, at: late))
    }
}
