/// The states of a client, from now on: the first at once, the others as they change.
///
/// Whoever iterates drives the client: between two elements it waits until a refresh is due,
/// somebody else has refreshed, or the document expires. Iteration ends when its task is cancelled.
/// Several may iterate; they share what one of them fetches.
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
