import Foundation
import PlimsollDomain
@testable import PlimsollPublishing
import PlimsollTestSupport
import Testing

@Suite struct PublicationQueueTests {
    private var log = LogBuilder()

    init() throws {
        try log.register(KeyRecord(id: KeyID(UUID()), app: harbour, publicKey: [1]))
        log.apply((.ios, dotted("3.2.0")))
        log.rollBack(.ios, to: dotted("3"))
    }

    @Test func `the page has the state and the orders of the same events`() {
        let book = PublicationQueue()
        #expect(book.latest.edition(of: harbour) == nil)
        book.enter(log.events, leadingTo: log.logState)
        #expect(book.latest.logState == log.logState)
        #expect(book.latest.orders == log.orders)
        #expect(book.latest.edition(of: harbour) == log.edition())
    }

    @Test func `entering in two runs gives the same page as in one`() {
        let (once, twice) = (PublicationQueue(), PublicationQueue())
        once.enter(log.events, leadingTo: log.logState)
        var half = LogState()
        for event in log.events.prefix(4) { half.evolve(event) }
        twice.enter(log.events.prefix(4), leadingTo: half)
        twice.enter(log.events.dropFirst(4), leadingTo: log.logState)
        #expect(once.latest == twice.latest)
    }

    @Test func `a log that is folded anew from its start changes nothing`() {
        let book = PublicationQueue()
        book.enter(log.events, leadingTo: log.logState)
        let page = book.latest
        var logState = LogState()
        for events in [log.events.prefix(4), log.events.dropFirst(4)] {
            for event in events { logState.evolve(event) }
            book.enter(events, leadingTo: logState)
            #expect(book.latest == page)
        }
    }

    @Test func `wakes that nobody took are one`() async {
        let book = PublicationQueue()
        let (wakes, waker) = book.listen()
        for event in log.events {
            var logState = book.latest.logState
            logState.evolve(event)
            book.enter([event], leadingTo: logState)
        }
        waker.finish()
        #expect(await wakes.reduce(0) { count, _ in count + 1 } == 1)
    }

    @Test func `everybody who listens is woken`() async {
        let book = PublicationQueue()
        let (first, second) = (book.listen(), book.listen())
        book.enter(log.events, leadingTo: log.logState)
        var wakes = [first.wakes.makeAsyncIterator(), second.wakes.makeAsyncIterator()]
        for index in wakes.indices { #expect(await wakes[index].next() != nil) }
    }
}
