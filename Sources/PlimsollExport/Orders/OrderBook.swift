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
    ///
    /// Whoever folds the log may begin anew at its start; what is known already is passed over.
    package func enter(_ events: some Sequence<RecordedEvent>, leadingTo world: World) {
        page.withLock { page in
            let known = page.world.position
            guard world.position > known else { return }
            for event in events where event.position > known { page.orders.evolve(event) }
            page.world = world
        }
        wake()
    }

    /// Makes the exporter look, although nothing was entered.
    func wake() {
        waker.yield()
    }

    /// Ends the exporter; what is entered afterwards is for nobody.
    func close() {
        waker.finish()
    }
}
