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
    }

    /// Something was entered; a wake that nobody has taken yet stands for all before it.
    let wakes: AsyncStream<Void>

    private let page = Mutex(Page())
    private let waker: AsyncStream<Void>.Continuation

    package init() {
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package var latest: Page {
        page.withLock { $0 }
    }

    /// Enters the next events of the log, whole appends only, and the world after the last.
    package func enter(_ events: some Sequence<RecordedEvent>, leadingTo world: World) {
        page.withLock { page in
            for event in events { page.orders.evolve(event) }
            page.world = world
        }
        wake()
    }

    /// Makes the exporter look, although nothing was entered.
    func wake() {
        waker.yield()
    }
}
