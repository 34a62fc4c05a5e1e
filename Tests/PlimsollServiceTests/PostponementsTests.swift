import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollService

/// What cannot be kept steps aside, for longer each time, and comes back.
@Suite struct PostponementsTests {
    private let start = ContinuousClock.now
    private let first = Appointment(at: testNow, change: change(1), act: .apply)
    private let second = Appointment(at: testNow, change: change(2), act: .apply)

    @Test func `it is tried again later and later, and others are not kept waiting`() {
        var postponements = Postponements()
        var now = start
        for delay in [1, 2, 4, 8, 8, 8] {
            postponements.note(first, failedAt: now)
            #expect(postponements.next == now + .seconds(delay))
            let early = now + .seconds(delay) - .milliseconds(1)
            #expect(postponements.admit([first, second], at: early) == [second])
            now += .seconds(delay)
            #expect(postponements.admit([first, second], at: now) == [first, second])
        }
    }

    @Test func `what is kept, or not due any more, is forgotten`() {
        var postponements = Postponements()
        postponements.note(first, failedAt: start)
        postponements.note(second, failedAt: start)
        postponements.noteKept(first)
        #expect(postponements.admit([first], at: start) == [first])
        #expect(postponements.next == nil)
        #expect(postponements.admit([second], at: start) == [second])
    }
}
