package import CoreMetrics
import Metrics
import PlimsollAPI
import Synchronization

/// Some numbers that belong together.
protocol Series: Sendable {
    var kind: SeriesKind { get }
    var samples: [Sample] { get }
}

/// What Prometheus calls it.
enum SeriesKind: String {
    case counter
    case gauge
    case summary
    case histogram

    /// What the name ends in, so that a reader knows the unit.
    var suffix: String {
        switch self {
        case .counter: "_total"
        case .histogram: "_seconds"
        case .gauge, .summary: ""
        }
    }
}

/// A number of a series.
struct Sample {
    /// Added to the family's name.
    let suffix: String
    /// Added to the series' labels: `le="0.1"`.
    var label: String?
    let value: Double

    func line(_ name: SeriesName) -> String {
        let labels = [name.labels, label ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
        let number = Int64(exactly: value).map(String.init) ?? String(value)
        return "\(name.family)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(number)\n"
    }
}

/// How often something happened.
final class CounterSeries: Series, CounterHandler {
    private let count = Mutex<Int64>(0)

    let kind = SeriesKind.counter

    var samples: [Sample] {
        [Sample(suffix: kind.suffix, value: Double(count.withLock { $0 }))]
    }

    /// Stays where it is rather than to end the process when it is full.
    func increment(by amount: Int64) {
        count.withLock { count in
            let (sum, isFull) = count.addingReportingOverflow(amount)
            if !isFull { count = sum }
        }
    }

    func reset() { count.withLock { $0 = 0 } }
}

/// How much of something there is now.
final class GaugeSeries: Series, RecorderHandler {
    private let value = Mutex<Double>(0)

    let kind = SeriesKind.gauge

    var samples: [Sample] { [Sample(suffix: "", value: value.withLock { $0 })] }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) { self.value.withLock { $0 = value } }
}

/// How often something was measured, and the sum of it.
final class SummarySeries: Series, RecorderHandler {
    private let state = Mutex<(count: Int, sum: Double)>((0, 0))

    let kind = SeriesKind.summary

    var samples: [Sample] {
        let (count, sum) = state.withLock { $0 }
        return [
            Sample(suffix: "_sum", value: sum), Sample(suffix: "_count", value: Double(count)),
        ]
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        state.withLock { state in
            state.count += 1
            state.sum += value
        }
    }
}

/// How long something took, in seconds.
final class HistogramSeries: Series, TimerHandler {
    /// From a request answered from memory to one that nearly timed out.
    private static let bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15]

    private struct State {
        /// One for each bound, and one for what lies above them all.
        var counts = Array(repeating: 0, count: HistogramSeries.bounds.count + 1)
        var sum = 0.0
    }

    private let state = Mutex(State())

    let kind = SeriesKind.histogram

    var samples: [Sample] {
        let state = state.withLock { $0 }
        var total = 0
        let buckets = zip(Self.bounds.map { String($0) } + ["+Inf"], state.counts).map {
            total += $1
            return Sample(suffix: "_seconds_bucket", label: "le=\"\($0)\"", value: Double(total))
        }
        return buckets + [
            Sample(suffix: "_seconds_sum", value: state.sum),
            Sample(suffix: "_seconds_count", value: Double(total)),
        ]
    }

    func recordNanoseconds(_ duration: Int64) {
        let seconds = Double(duration) / 1_000_000_000
        let index = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += seconds
        }
    }
}

/// Keeps what the parts of the service count and measure, for `/metrics` to show.
///
/// What has the same label and dimensions is one series, however often it is made; a series is
/// never forgotten, because a counter that begins again at 0 looks like a restart. There is room
/// for ``seriesMaximum`` of them, so that nothing a caller sends can fill the memory; what comes
/// after that is not kept, and one series says so. What has no dimensions always has room: it is
/// one of the program's own, of which nobody makes more.
package final class MetricsRegistry: MetricsFactory {
    package static let seriesMaximum = 4096

    private let series = Mutex<[SeriesName: any Series]>([:])

    package init() {}

    package func makeCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any CounterHandler {
        kept(label, dimensions, CounterSeries.init) ?? CounterSeries()
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return kept(label, dimensions, GaugeSeries.init) ?? GaugeSeries() }
        return kept(label, dimensions, SummarySeries.init) ?? SummarySeries()
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        kept(label, dimensions, HistogramSeries.init) ?? HistogramSeries()
    }

    package func destroyCounter(_ handler: any CounterHandler) {}

    package func destroyRecorder(_ handler: any RecorderHandler) {}

    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Everything, in the text form that Prometheus reads (0.0.4).
    package var exposition: String {
        let families = Dictionary(grouping: series.withLock { Array($0) }, by: \.key.family)
        var text = ""
        for (family, members) in families.sorted(by: { $0.key < $1.key }) {
            guard let kind = members.first?.value.kind else { continue }
            if let help = SeriesHelp.byFamily[family] {
                text += "# HELP \(family)\(kind.suffix) \(help)\n"
            }
            text += "# TYPE \(family)\(kind.suffix) \(kind.rawValue)\n"
            // A label that was used for two kinds of metrics would make the text unreadable.
            for (name, series) in members.sorted(by: { $0.key < $1.key })
            where series.kind == kind {
                for sample in series.samples { text += sample.line(name) }
            }
        }
        return text
    }

    /// Says which program counts here, as `plimsoll_build_info`.
    package func tellBuild() {
        Gauge(
            label: "plimsoll.build.info",
            dimensions: [("version", ProgramVersion.text), ("swift", swiftVersion)],
            factory: self
        ).record(1)
    }

    /// The series of that name, or a new one; `nil` where there is no room or the name stands for
    /// another kind.
    private func kept<Kind: Series>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ make: () -> Kind
    ) -> Kind? {
        let name = SeriesName(label, dimensions)
        let (found, isLost) = series.withLock { series -> (Kind?, Bool) in
            if let known = series[name] { return (known as? Kind, false) }
            guard series.count < Self.seriesMaximum || dimensions.isEmpty else {
                return (nil, true)
            }
            let made = make()
            series[name] = made
            return (made, false)
        }
        if isLost { Gauge(label: "plimsoll.metrics.full", factory: self).record(1) }
        return found
    }
}

/// The compiler's, as far as a program can ask for it.
private let swiftVersion: String = {
    #if compiler(>=6.4)
        "6.4 or later"
    #else
        "6.3"
    #endif
}()

/// What every series says, for whoever meets it in a dashboard; the names are the labels in the code.
enum SeriesHelp {
    /// By the family's name as Prometheus writes it, without the suffix of its kind.
    static let byFamily = Dictionary(
        uniqueKeysWithValues: byLabel.map { (SeriesName($0.key, []).family, $0.value) }
    )

    static let byLabel = [
        "plimsoll.audit.reads": "Reads of the event log, by format.",
        "plimsoll.build.info": "Always 1; the labels say which program runs.",
        "plimsoll.certificate.remaining.seconds":
            "Seconds until the certificate that phones are served with ends.",
        "plimsoll.clock.trusted": "1 while something may be done because of the time alone.",
        "plimsoll.connections.open": "Connections that phones have open now.",
        "plimsoll.courier.active": "1 in the process that sends events to webhooks.",
        "plimsoll.devices.answered":
            "Apps that devices of a marketplace asked for, by what was answered and why.",
        "plimsoll.devices.downloads.unknown":
            "Answers that could not tell whether an account had an app before.",
        "plimsoll.devices.introspections":
            "Tokens of devices that an authorization server was asked about, by outcome.",
        "plimsoll.devices.keysets.failures": "Key sets for tokens of devices that were not had.",
        "plimsoll.devices.licenses":
            "Requests for licences that were handed on, by kind and outcome.",
        "plimsoll.devices.refused":
            "Requests of devices of a marketplace that were answered nothing, by why.",
        "plimsoll.exporter.active": "1 in the process that publishes.",
        "plimsoll.exporter.age.seconds":
            "Seconds for which the instance that publishes has done so; 0 where none is known to.",
        "plimsoll.exporter.epoch":
            "Which leader publishes, counted from the first; 0 where none is known to.",
        "plimsoll.exporter.fenced":
            "Steps that were refused because another instance publishes by now.",
        "plimsoll.http.request.duration":
            "Time to answer a request of the administration, by method, route and status.",
        "plimsoll.http.requests":
            "Requests that the administration answered, by method, route and status.",
        "plimsoll.log.check.age.seconds":
            "Seconds since a look at the log agreed with what this instance knows of it.",
        "plimsoll.log.checkpoint.failing":
            "1 while the transparency log cannot be published.",
        "plimsoll.log.checkpoint.size": "Events that the newest published checkpoint covers.",
        "plimsoll.log.clock.stepped_back": "Times the clock was found behind the last event.",
        "plimsoll.log.commands": "Commands that the writer handed to the log, each time anew.",
        "plimsoll.log.conflicts":
            "Appends that another process overtook and that were decided again.",
        "plimsoll.log.files.mended":
            "Files of the published log that were damaged or gone, and that were written again.",
        "plimsoll.log.head.position": "The last event of the log that this instance knows.",
        "plimsoll.log.kept.position": "The event that a start would go on from without folding.",
        "plimsoll.log.read_only":
            "1 while the service only reads, because the database is not what was published.",
        "plimsoll.log.start.position": "The event behind which this start folded the log.",
        "plimsoll.log.start.seconds": "Seconds that this start took until the service was ready.",
        "plimsoll.marketplace.notifications":
            "Notifications of Apple's that came, by what became of them.",
        "plimsoll.metrics.full": "1 where there is no room for more series than are shown.",
        "plimsoll.origin.connected":
            "1 while an origin tells this edge of new snapshots, by its address; 0 while the edge looks.",
        "plimsoll.packages.failed": "Packages of marketplaces that could not be fetched.",
        "plimsoll.packages.ingested": "Packages of marketplaces that were fetched.",
        "plimsoll.pool.sessions.closed": "Database sessions that were closed, by reason.",
        "plimsoll.pool.sessions.connect_failed": "Attempts to connect to the database that failed.",
        "plimsoll.pool.sessions.connected": "Database sessions that were opened.",
        "plimsoll.pool.sessions.idle": "Database sessions that nobody uses now.",
        "plimsoll.pool.sessions.in_use": "Database sessions that are used now.",
        "plimsoll.pool.sessions.waited": "Time that tasks waited for a database session.",
        "plimsoll.pool.tasks.waiting": "Tasks that wait for a database session now.",
        "plimsoll.publication.lag.seconds":
            "Seconds for which something has been ordered and published by no instance.",
        "plimsoll.read_models.mended":
            "Rows of the read models that somebody had altered, and that were written again.",
        "plimsoll.ready": "1 while the service is ready, as it tells whoever asks for that.",
        "plimsoll.renewal.withheld":
            "1 while an app's documents are not renewed because the clock is not to be trusted.",
        "plimsoll.requests.answered": "Requests of phones that were answered, by status.",
        "plimsoll.reviews.open": "Reviews of emergencies that are still to be closed.",
        "plimsoll.reviews.overdue": "Reviews of emergencies that should have been closed by now.",
        "plimsoll.schedule.delay": "Time between a schedule's moment and its act.",
        "plimsoll.schedules.failed": "Scheduled acts that failed; they are tried again.",
        "plimsoll.schedules.kept": "Scheduled changes that were applied, ended or suspended.",
        "plimsoll.schedules.overdue.seconds":
            "Seconds for which something on a schedule has been due and is not done.",
        "plimsoll.signer.duration": "Time to sign, by key.",
        "plimsoll.signer.failures": "Signatures that could not be made, by key.",
        "plimsoll.sink.duration": "Time to publish to a store or cache, by its name.",
        "plimsoll.sink.failed": "Publications that a store or cache did not take, by its name.",
        "plimsoll.sink.failing":
            "1 while a store or cache does not have an app's newest documents.",
        "plimsoll.sink.taken": "Publications that a store or cache took, by its name.",
        "plimsoll.snapshot.age.seconds":
            "Seconds since the change or renewal that made an app's oldest document.",
        "plimsoll.snapshot.failing": "1 while an app's newest documents cannot be published.",
        "plimsoll.snapshot.proof.failing":
            "1 while the proofs of what is published cannot be written; documents go on.",
        "plimsoll.snapshot.proofs.refused":
            "Proofs beside a manifest that are not of it; they are not served.",
        "plimsoll.snapshot.publication.duration": "Time of the attempt that published a snapshot.",
        "plimsoll.snapshot.sequence": "Sequence of the snapshot that an app's phones get.",
        "plimsoll.snapshot.waiting":
            "1 while an app's newest snapshot waits for the quorum of witnesses.",
        "plimsoll.snapshots.failed": "Publications that failed; they are tried again.",
        "plimsoll.snapshots.loaded": "Snapshots that the edge verified and serves.",
        "plimsoll.snapshots.mended":
            "Snapshots that were damaged on the disk and written anew, byte for byte.",
        "plimsoll.snapshots.proven": "Proofs that were written beside what is published.",
        "plimsoll.snapshots.published": "Snapshots that were published.",
        "plimsoll.snapshots.refused":
            "Snapshots that the edge found and does not serve, because a check failed.",
        "plimsoll.snapshots.removed": "Snapshots that were kept long enough and removed.",
        "plimsoll.verifier.failing":
            "1 while the log and the read models cannot be looked at.",
        "plimsoll.verifier.foreign":
            "1 while the read models are those of a newer program, and so not looked at.",
        "plimsoll.verifier.names.altered":
            "People whose names are not those that the log says, and so not shown.",
        "plimsoll.verifier.names.missing": "People whose names are gone, and were not erased.",
        "plimsoll.verifier.names.uncommitted":
            "Names of people of whom the log does not say what they are called.",
        "plimsoll.verifier.position": "The event that the look at the whole log has come to.",
        "plimsoll.verifier.round.age.seconds":
            "Seconds since the whole log and the read models were looked at last.",
        "plimsoll.verifier.round.seconds": "Seconds that the last such look took.",
        "plimsoll.webhook.attempt.duration": "Time of an attempt to deliver to a webhook.",
        "plimsoll.webhook.attempts": "Attempts to deliver to webhooks, by kind and outcome.",
        "plimsoll.webhook.failing": "1 while nothing can be delivered to a webhook.",
        "plimsoll.webhooks.given_up": "Webhooks that were disabled after failing for too long.",
    ]
}

/// What tells one series from another, as Prometheus writes it.
struct SeriesName: Hashable, Comparable {
    /// Letters, digits and underscores.
    let family: String
    /// Written out and joined: `method="GET",status="200"`.
    let labels: String

    init(_ label: String, _ dimensions: [(String, String)]) {
        family = Self.name(label)
        labels = dimensions.sorted { $0.0 < $1.0 }
            .map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    }

    static func < (left: SeriesName, right: SeriesName) -> Bool {
        (left.family, left.labels) < (right.family, right.labels)
    }

    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
