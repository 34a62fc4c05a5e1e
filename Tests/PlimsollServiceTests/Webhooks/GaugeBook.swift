import Metrics
import Synchronization

/// Keeps what gauges showed, and nothing else that is measured.
final class GaugeBook: MetricsFactory {
    private let shown = Mutex<[String: [Int64]]>([:])

    /// What a gauge showed, the oldest first; the dimension's value follows the label.
    func history(_ label: String, _ dimension: String = "") -> [Int64] {
        shown.withLock { $0[label + dimension] ?? [] }
    }

    func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        let name = label + dimensions.map(\.1).joined()
        return Keeper { [self] value in
            shown.withLock { $0[name, default: []].append(value) }
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

private final class Keeper: RecorderHandler {
    private let keep: @Sendable (Int64) -> Void

    init(_ keep: @escaping @Sendable (Int64) -> Void) { self.keep = keep }

    func record(_ value: Int64) { keep(value) }
    func record(_ value: Double) { keep(Int64(value)) }
}
