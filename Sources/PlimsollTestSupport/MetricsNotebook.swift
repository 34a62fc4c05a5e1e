package import CoreMetrics
import Synchronization

/// Writes down what is reported: counters add up, gauges show the last value.
package final class MetricsNotebook: MetricsFactory {
    private struct Notes {
        var values: [String: [Double]] = [:]
        var waiting: [String: [CheckedContinuation<Double, Never>]] = [:]
    }

    private let notes = Mutex(Notes())

    package init() {}

    /// Labels are followed by their dimensions: `plimsoll.requests.answered status=200`.
    package subscript(_ name: String) -> Double? { history(name).last }

    /// All that it came to, the oldest first.
    package func history(_ name: String) -> [Double] { notes.withLock { $0.values[name] ?? [] } }

    /// Waits for the first report.
    package func first(_ name: String) async -> Double {
        await withCheckedContinuation { continuation in
            let value = notes.withLock { notes in
                let value = notes.values[name]?.last
                if value == nil { notes.waiting[name, default: []].append(continuation) }
                return value
            }
            if let value { continuation.resume(returning: value) }
        }
    }

    private func name(_ label: String, _ dimensions: [(String, String)]) -> String {
        ([label] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
    }

    fileprivate func change(_ name: String, _ change: (Double?) -> Double) {
        let (value, waiting) = notes.withLock { notes in
            let value = change(notes.values[name]?.last)
            notes.values[name, default: []].append(value)
            return (value, notes.waiting.removeValue(forKey: name) ?? [])
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Entry(self, name(label, dimensions))
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        Entry(self, name(label, dimensions))
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Entry(self, name(label, dimensions))
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}

private final class Entry: CounterHandler, RecorderHandler, TimerHandler {
    private let notebook: MetricsNotebook
    private let name: String

    init(_ notebook: MetricsNotebook, _ name: String) {
        self.notebook = notebook
        self.name = name
    }

    func increment(by amount: Int64) { notebook.change(name) { ($0 ?? 0) + Double(amount) } }
    func reset() { notebook.change(name) { _ in 0 } }
    func record(_ value: Int64) { notebook.change(name) { _ in Double(value) } }
    func record(_ value: Double) { notebook.change(name) { _ in value } }
    func recordNanoseconds(_ duration: Int64) { notebook.change(name) { _ in Double(duration) } }
}
