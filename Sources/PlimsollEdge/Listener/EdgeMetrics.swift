import Metrics
import PlimsollDomain
import Synchronization

/// What the listener reports, gathered by each loop and handed over once a tick.
final class EdgeMetrics: Sendable {
    private struct Gauges {
        let age: Gauge
        let sequence: Gauge
    }

    private let answers: [Counter]
    private let openConnections = Gauge(label: "plimsoll.connections.open")
    private let connections = Mutex(0)
    private let gauges = Mutex<[AppSlug: Gauges]>([:])

    /// Taken once: event loops have no task, and so no factory of their own.
    private let factory = MetricsSystem.factory

    init() {
        answers = AnswerStatus.allCases.map { status in
            Counter(
                label: "plimsoll.requests.answered",
                dimensions: [("status", String(status.code))]
            )
        }
    }

    func countAnswers(_ status: AnswerStatus, _ count: Int) {
        answers[status.rawValue].increment(by: count)
    }

    func countConnections(_ change: Int) {
        guard change != 0 else { return }
        connections.withLock { count in
            count += change
            openConnections.record(count)
        }
    }

    /// Of each app, the seconds since the oldest of what is served was ordered, and its number.
    func recordAges(_ table: EdgeTable, at now: Instant) {
        gauges.withLock { gauges in
            for publication in table.publications {
                let app = publication.app
                let pair = gauges[app] ?? makeGauges(app)
                gauges[app] = pair
                let age = now.millisecondsSince1970 - publication.issuedAt.millisecondsSince1970
                pair.age.record(Double(age) / 1000)
                pair.sequence.record(publication.sequence.rawValue)
            }
        }
    }

    /// How long clients will take the certificate; below zero they no longer do.
    func recordCertificate(until end: Instant, at now: Instant) {
        let left = end.millisecondsSince1970 - now.millisecondsSince1970
        // Made here: without a certificate there is no such series, rather than one that is 0.
        Gauge(label: "plimsoll.certificate.remaining.seconds", factory: factory)
            .record(Double(left) / 1000)
    }

    private func makeGauges(_ app: AppSlug) -> Gauges {
        let dimensions = [("app", app.text)]
        return Gauges(
            age: Gauge(
                label: "plimsoll.snapshot.age.seconds",
                dimensions: dimensions,
                factory: factory
            ),
            sequence: Gauge(
                label: "plimsoll.snapshot.sequence",
                dimensions: dimensions,
                factory: factory
            )
        )
    }
}
