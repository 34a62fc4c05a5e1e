import PlimsollDocuments
import PlimsollDomain
import Synchronization

/// Hands an app's newest snapshot to the lanes of all sinks, in their order, and waits for none.
///
/// It holds one snapshot: what was overtaken before a sink came to it is skipped.
final class SinkOutlet: Sendable {
    /// What a sink is to have.
    struct Offer {
        let publication: Publication
        let record: PublicationRecord
        /// Rises when the same snapshot is to be told again.
        let turn: Int
    }

    private struct State {
        var newest: (publication: Publication, record: PublicationRecord)?
        var turns: [Int]
    }

    private let sinks: [any Sink]
    private let wakers: [AsyncStream<Void>.Continuation]
    private let state: Mutex<State>

    /// One stream of wakes for each sink; wakes that were not taken yet are one.
    let wakes: [AsyncStream<Void>]

    init(_ sinks: [any Sink]) {
        let streams = sinks.map { _ in
            AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
        self.sinks = sinks
        wakes = streams.map(\.stream)
        wakers = streams.map(\.continuation)
        state = Mutex(State(turns: sinks.map { _ in 0 }))
    }

    /// Has every sink take the publication over.
    func offer(_ publication: Publication) {
        let record = PublicationRecord(publication.snapshot)
        state.withLock { $0.newest = (publication, record) }
        wake()
    }

    /// Nothing is to be taken over any more: another instance tells the sinks now.
    func withdraw() {
        state.withLock { $0.newest = nil }
    }

    /// Has the sinks look whether something waits, or may be tried again.
    func wake() {
        for waker in wakers { waker.yield() }
    }

    func finish() {
        for waker in wakers { waker.finish() }
    }

    /// What the sink of this number is to have; `nil` while there is nothing.
    func offer(toSink number: Int) -> Offer? {
        state.withLock { state in
            state.newest.map {
                Offer(publication: $0.publication, record: $0.record, turn: state.turns[number])
            }
        }
    }

    /// The sink of this number took over: whoever follows it is told again.
    func taken(bySink number: Int) {
        for follower in sinks.indices where follower > number && sinks[follower].followsOthers {
            state.withLock { $0.turns[follower] += 1 }
            wakers[follower].yield()
        }
    }
}
