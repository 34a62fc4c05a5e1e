import NIOCore
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// What other threads tell a loop.
@Suite(.timeLimit(.minutes(5))) struct LoopMailboxTests {
    @Test func `messages are taken once, and whoever waits is woken`() throws {
        let (mailbox, poll) = (try LoopMailbox(), try Poll())
        try poll.watchReading(mailbox.waker.number, key: 1)
        #expect(mailbox.post(.delivery(.tile(nil), key: 7)))
        #expect(mailbox.post(.drain(until: .now())))
        #expect(poll.wait(milliseconds: 10_000) == 1)
        #expect(mailbox.take().count == 2)
        #expect(mailbox.take().isEmpty)
        #expect(poll.wait(milliseconds: 0) == 0)
    }

    @Test func `what comes too late is refused, and what was not read is handed out`() throws {
        let mailbox = try LoopMailbox()
        #expect(mailbox.post(.delivery(.tile(nil), key: 7)))
        #expect(mailbox.close().count == 1)
        #expect(!mailbox.post(.delivery(.tile(nil), key: 8)))
        #expect(mailbox.take().isEmpty)
    }

    @Test func `there is room for as many as may be, and again for who leaves`() {
        let admission = Admission(maximum: 2)
        #expect(admission.enter() && admission.enter())
        #expect(!admission.enter())
        admission.leave()
        #expect(admission.enter() && !admission.enter())
    }
}
