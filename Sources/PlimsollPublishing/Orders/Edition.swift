package import PlimsollDocuments
package import PlimsollDomain
import Synchronization

/// All that decides which bytes an app's next snapshot has, taken from one state of the log.
package struct Edition: Equatable, Sendable {
    package let app: AppSlug
    package let isDefault: Bool
    package let order: PublicationOrder
    /// What the order rests on.
    package let basis: SnapshotBasis
    /// What the documents tell of.
    package let state: PublishedState
    /// What clients are told, a document a format.
    package let documents: [EditionDocument]
    /// The keys of the app that the log knows, in the order of their ids.
    package let keys: [Key]

    /// The keys that sign, in the order of their ids.
    package var activeKeys: [KeyRecord] {
        keys.filter { $0.state == .active }.map(\.record)
    }

    /// The one that phones have known longest: it signs for those who name no key.
    package var leadingKey: KeyID? {
        keys.filter { $0.state == .active }
            .min { ($0.firstActivated ?? $0.since) < ($1.firstActivated ?? $1.since) }?.record.id
    }

    /// When the oldest of its documents is due for a renewal, or a store gets a release.
    package var renewAt: Instant {
        let aged = documents.map(\.order.renewAt).min() ?? order.renewAt
        return documents.compactMap { $0.nextChange(of: state) }.reduce(aged, min)
    }

    /// Whether it is to be ordered anew: half of its life is over, or it was dated by a clock that
    /// was ahead, and phones do not believe a document from the future.
    func isDue(at now: Instant) -> Bool {
        let newest = documents.map(\.order.issuedAt).max() ?? order.issuedAt
        return now >= renewAt || newest > now.advanced(by: PublicationOrder.clockTolerance)
    }
}

/// A document and the order that it was last changed or renewed by.
package struct EditionDocument: Equatable, Sendable {
    package let format: WireFormat
    package let order: PublicationOrder

    /// When it says something else though nothing is written.
    fileprivate func nextChange(of state: PublishedState) -> Instant? {
        format.nextChange(state, order.issuedAt)
    }
}

extension Edition {
    /// What is to be published of the app; `nil` while nothing was ordered.
    ///
    /// State and orders must have taken in the same events, up to the end of an append.
    package init?(of app: AppSlug, in logState: LogState, by orders: PublicationOrders) {
        guard let app = logState.app(app) else { return nil }
        let keys = logState.keyring.keys.values.filter { $0.record.app == app.slug }
        self.init(of: app, with: keys, in: logState, by: orders)
    }

    /// The same with the app's keys at hand.
    init?(of app: App, with keys: [Key], in logState: LogState, by orders: PublicationOrders) {
        guard let order = orders.order(of: app.slug), let basis = orders.basis(of: app.slug) else {
            return nil
        }
        state = PublishedState(app)
        documents = WireFormat.all(of: app).compactMap { format in
            orders.order(of: app.slug, format).map { EditionDocument(format: format, order: $0) }
        }
        self.app = app.slug
        isDefault = logState.defaultApp == app.slug
        (self.order, self.basis) = (order, basis)
        self.keys = keys.sorted { $0.record.id < $1.record.id }
    }
}

/// Where the log's orders wait for the exporter: filled by whoever folds the log.
///
/// The projector enters each run of whole appends with the state they lead to; that wakes the
/// exporter. From one book come one state and its orders, so both platforms of a snapshot are
/// always taken from one position.
package final class PublicationQueue: Sendable {
    /// The state and the orders after the same event.
    package struct Page: Codable, Equatable, Sendable {
        package fileprivate(set) var logState = LogState()
        package fileprivate(set) var orders = PublicationOrders()

        /// What is to be published of the app; `nil` while nothing was ordered.
        package func edition(of app: AppSlug) -> Edition? {
            Edition(of: app, in: logState, by: orders)
        }

        /// What is to be published of every app, in the order of the slugs.
        package var editions: [Edition] {
            let keys = Dictionary(grouping: logState.keyring.keys.values, by: \.record.app)
            return logState.apps.compactMap { app in
                Edition(of: app, with: keys[app.slug] ?? [], in: logState, by: orders)
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

    /// Begins with a state and its orders that need no entering, unless more is known by now.
    package func begin(with page: Page) {
        let wakers = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            guard page.logState.position > state.page.logState.position else { return [] }
            state.page = page
            return Array(state.wakers.values)
        }
        for waker in wakers { waker.yield() }
    }

    /// Enters the next events of the log, whole appends only, and the state after the last.
    ///
    /// Whoever folds the log may begin anew at its start; what is known already is passed over.
    package func enter(_ events: some Sequence<RecordedEvent>, leadingTo logState: LogState) {
        let wakers = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            let known = state.page.logState.position
            guard logState.position > known else { return [] }
            for event in events where event.position > known { state.page.orders.evolve(event) }
            state.page.logState = logState
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
