import CoreMetrics
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
