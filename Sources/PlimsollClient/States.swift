public import Foundation

/// The states of a client, from now on: the first at once, the others as they change.
///
/// Whoever iterates drives the client: between two elements it waits until a refresh is due,
/// somebody else has refreshed, or the document expires. Iteration ends when its task is cancelled.
/// Several may iterate; they share what one of them fetches. What was fetched is shown before the
/// store has answered, and again where its version makes another decision of it.
///
/// ```swift
/// for await state in client.states {
///     show(state.decision)
/// }
/// ```
public struct AvailabilityStates: AsyncSequence, Sendable {
    /// What the client knows at a moment.
    public typealias Element = AvailabilityState

    let client: AvailabilityClient

    /// Nothing is read or fetched before the first element is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client)
    }

    /// Remembers what it said last, so that it says nothing twice.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let client: AvailabilityClient
        private var last: AvailabilityState?

        init(client: AvailabilityClient) {
            self.client = client
        }

        /// The next state that differs from the last one; `nil` once the task is cancelled.
        public mutating func next() async -> AvailabilityState? {
            guard let last else {
                last = await client.state()
                return last
            }
            while !Task.isCancelled {
                let state = await client.nextState(after: last)
                guard state.differs(from: last) else { continue }
                self.last = state
                return Task.isCancelled ? nil : state
            }
            return nil
        }
    }
}

/// What a client knows at a moment.
public struct AvailabilityState: Hashable, Sendable {
    /// Whether a document is as new as it should be.
    public enum Freshness: Hashable, Sendable {
        /// There is no document.
        case unknown
        /// The document is good until then.
        case fresh(until: Date)
        /// A newer document should have come by then; the last one goes on to count.
        case stale(since: Date)
    }

    /// What to do on this device; ``Decision/open`` where there is no document.
    public let decision: Decision
    /// What it rests on; `nil` where nothing was ever fetched, and nothing lies in the folder.
    public let document: AvailabilityDocument?
    /// Whether the document has expired, which never changes the decision.
    public let freshness: Freshness
    /// When the service last said what counts; `nil` where it has not since the client was made.
    public let checkedAt: Date?
    /// Why the last attempt to refresh failed; `nil` where it did not.
    public let refreshError: AvailabilityError?
    /// Why the document is not in the folder; `nil` where it is, or where there is no folder.
    public let keepingError: AvailabilityError?

    /// Whether somebody who was shown the one state would see anything else in the other.
    func differs(from other: AvailabilityState) -> Bool {
        decision != other.decision || document?.stamp != other.document?.stamp
            || freshness != other.freshness || refreshError?.code != other.refreshError?.code
            || keepingError?.code != other.keepingError?.code
    }
}

/// Wakes those who wait for a client to have something new.
struct News {
    /// Rises with every piece of news.
    private(set) var count = 0
    private var bells: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastBell = 0

    mutating func spread() {
        count += 1
        for bell in bells.values { bell.finish() }
        bells = [:]
    }

    /// How many are waiting.
    var listeners: Int { bells.count }

    /// A stream that ends with the next news.
    mutating func bell() -> (id: Int, stream: AsyncStream<Void>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        lastBell += 1
        bells[lastBell] = continuation
        return (lastBell, stream)
    }

    mutating func remove(_ id: Int) {
        bells[id] = nil
    }
}

/// The clock and the chance that a client lives with; tests bring their own.
struct ClientEnvironment: Sendable {
    var now: @Sendable () -> Date = { Date() }
    /// Waits for some seconds, or until the task is cancelled.
    var sleep: @Sendable (TimeInterval) async -> Void = { seconds in
        let nanoseconds = UInt64(min(max(seconds, 0), 1e9) * 1e9)
        // Being cancelled is how a wait ends early.
        try? await Task.sleep(nanoseconds: nanoseconds)
    }
    /// From 0 to 1.
    var chance: @Sendable () -> Double = { Double.random(in: 0...1) }
}
