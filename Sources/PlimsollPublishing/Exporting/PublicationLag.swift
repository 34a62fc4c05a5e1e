import Metrics
import PlimsollDomain
import PlimsollStore

/// For how long something has been ordered that nobody has published, and who leads.
///
/// That is what an operator is to be woken for, at whatever instance. A disk that does not answer holds
/// up whoever publishes, so it is shown by a task of its own.
struct PublicationLag {
    /// Since when this instance has seen an app's order that nobody has published.
    private var waiting: [AppSlug: ContinuousClock.Instant] = [:]

    mutating func show(_ page: PublicationQueue.Page, _ leader: Leader?) {
        let now = ContinuousClock.now
        for edition in page.editions {
            let published = page.logState.publication(of: edition.app)?.sequence
            let isPublished = published.map { $0 >= edition.order.sequence } ?? false
            waiting[edition.app] = isPublished ? nil : waiting[edition.app] ?? now
        }
        let lag = waiting.values.min().map { now - $0 } ?? .zero
        Gauge(label: "plimsoll.publication.lag.seconds").record(lag / .seconds(1))
        let age = leader.map { now - $0.since } ?? .zero
        Gauge(label: "plimsoll.exporter.epoch").record(leader?.epoch.rawValue ?? 0)
        Gauge(label: "plimsoll.exporter.age.seconds").record(age / .seconds(1))
    }
}
