package import Logging
import Synchronization

/// Keeps what a logger was told.
package final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    package init() {}

    package var all: [String] { lines.withLock { $0 } }

    package var text: String { all.joined(separator: "\n") }

    package var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private func add(_ line: String) { lines.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            let facts = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.add("\(event.message) \(facts.joined(separator: " "))")
        }
    }
}
