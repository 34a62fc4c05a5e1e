package import PlimsollDomain
import Synchronization

/// Where the log's orders wait for the exporter: filled by whoever folds the log.
///
/// The projector enters each run of whole appends with the world they lead to; that wakes the
/// exporter. From one book come one world and its orders, so both platforms of a snapshot are
/// always taken from one position.
package final class OrderBook: Sendable {
    /// The world and the orders after the same event.
    package struct Page: Equatable, Sendable {
        package fileprivate(set) var world = World()
        package fileprivate(set) var orders = PublicationOrders()

        /// What is to be published of the app; `nil` while nothing was ordered.
        package func edition(of app: AppSlug) -> Edition? {
            Edition(of: app, in: world, by: orders)
        }

        /// What is to be published of every app, in the order of the slugs.
        package var editions: [Edition] {
            let keys = Dictionary(grouping: world.keyring.keys.values, by: \.record.app)
            return world.apps.compactMap { app in
                Edition(of: app, with: keys[app.slug] ?? [], in: world, by: orders)
            }
        }
    }

    private struct State {
        var page = Page()
        var wakers: [Int: AsyncStream<Void>.Continuation] = [:]
        var wakersCount = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var latest: Page {
        state.withLock(\.page)
    }

    /// Enters the next events of the log, whole appends only, and the world after the last.
    ///
    /// Whoever folds the log may begin anew at its start; what is known already is passed over.
    package func enter(_ events: some Sequence<RecordedEvent>, leadingTo world: World) {
        let wakers = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            let known = state.page.world.position
            guard world.position > known else { return [] }
            for event in events where event.position > known { state.page.orders.evolve(event) }
            state.page.world = world
            return Array(state.wakers.values)
        }
        for waker in wakers { waker.yield() }
    }

    /// Wakes from now on; one that was not taken yet stands for all after it.
    ///
    /// Whoever listens may also wake itself, and end the wakes.
    func listen() -> (wakes: AsyncStream<Void>, waker: AsyncStream<Void>.Continuation) {
        let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.wakersCount += 1
            state.wakers[state.wakersCount] = waker
            return state.wakersCount
        }
        waker.onTermination = { [weak self] _ in
            self?.state.withLock { $0.wakers[number] = nil }
        }
        return (wakes, waker)
    }
}
