import Metrics
import PlimsollDomain
import Synchronization

/// What the listener reports, gathered by each loop and handed over once a tick.
final class EdgeMetrics: Sendable {
    private let answers: [Counter]
    private let openConnections = Gauge(label: "plimsoll.connections.open")
    private let connections = Mutex(0)

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
        let count = connections.withLock { count in
            count += change
            return count
        }
        openConnections.record(count)
    }

    /// Seconds since what is served was ordered, and its number; one pair of gauges an app.
    func recordAges(_ table: EdgeTable, at now: Instant) {
        for publication in table.publications {
            let dimensions = [("app", publication.app.text)]
            let age = now.millisecondsSince1970 - publication.issuedAt.millisecondsSince1970
            Gauge(label: "plimsoll.snapshot.age.seconds", dimensions: dimensions)
                .record(Double(age) / 1000)
            Gauge(label: "plimsoll.snapshot.sequence", dimensions: dimensions)
                .record(publication.sequence.rawValue)
        }
    }
}
