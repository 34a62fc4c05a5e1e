import CoreMetrics
import Foundation
import Metrics
import Testing

@testable import PlimsollHTTP

@Suite struct MetricsRegistryTests {
    private let registry = MetricsRegistry()

    @Test func `what has one name is counted together`() {
        for _ in 1...3 {
            Counter(label: "plimsoll.a", dimensions: [("x", "1")], factory: registry).increment()
        }
        Counter(label: "plimsoll.a", dimensions: [("x", "2")], factory: registry).increment(by: 5)
        #expect(
            registry.exposition == """
                # TYPE plimsoll_a_total counter
                plimsoll_a_total{x="1"} 3
                plimsoll_a_total{x="2"} 5

                """
        )
    }

    @Test func `a time falls into every bucket that holds it`() {
        let timer = Metrics.Timer(label: "t", factory: registry)
        for nanoseconds in [Int64(400_000), 20_000_000, 60_000_000_000] {
            timer.recordNanoseconds(nanoseconds)
        }
        let lines = registry.exposition.split(separator: "\n")
        #expect(lines.contains("t_seconds_bucket{le=\"0.001\"} 1"))
        #expect(lines.contains("t_seconds_bucket{le=\"0.025\"} 2"))
        #expect(lines.contains("t_seconds_bucket{le=\"15.0\"} 2"))
        #expect(lines.contains("t_seconds_bucket{le=\"+Inf\"} 3"))
        #expect(lines.contains("t_seconds_count 3"))
    }

    @Test func `a gauge says what is now, a recorder what was`() {
        let gauge = Gauge(label: "g", factory: registry)
        gauge.record(7)
        gauge.record(2.5)
        let recorder = Recorder(label: "r", factory: registry)
        recorder.record(7)
        recorder.record(3)
        let lines = registry.exposition.split(separator: "\n")
        #expect(lines.contains("g 2.5"))
        #expect(lines.contains("r_sum 10"))
        #expect(lines.contains("r_count 2"))
    }

    @Test func `nothing in a name breaks the line`() {
        Counter(
            label: "a b-ü",
            dimensions: [("d\n", "quote \" slash \\ line\nend")],
            factory: registry
        ).increment()
        #expect(
            registry.exposition == """
                # TYPE a_b___total counter
                a_b___total{d_="quote \\" slash \\\\ line\\nend"} 1

                """
        )
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    private func texts(in place: String, _ suffix: String) throws -> [String] {
        let files = FileManager.default.enumerator(
            at: Self.root.appending(path: place),
            includingPropertiesForKeys: nil
        )
        var texts: [String] = []
        for case let file as URL in try #require(files) where file.pathExtension == suffix {
            texts.append(try String(contentsOf: file, encoding: .utf8))
        }
        return texts
    }

    /// The labels in the sources, each with what it is made as.
    private func labels() throws -> [(kind: Substring, label: String)] {
        try texts(in: "Sources", "swift").flatMap { text in
            let made = /(Counter|Gauge|Timer|Recorder|Meter)\(\s*label: "([a-z._]+)"/
            let listed = /\("(plimsoll\.[a-z._]+)", count\./
            return text.matches(of: made).map { (kind: $0.1, label: String($0.2)) }
                + text.matches(of: listed).map { (kind: "Gauge", label: String($0.1)) }
        }
    }

    // Goal: whoever meets a series in a dashboard learns what it counts. Method: every label in the
    // sources is looked for among the explanations, and the other way round.
    @Test func `every series that is counted anywhere is explained, and none besides`() throws {
        let labels = Set(try labels().map(\.label))
        #expect(labels.count > 40)
        #expect(labels == Set(SeriesHelp.byLabel.keys))
        for help in SeriesHelp.byLabel.values {
            #expect(help.hasSuffix(".") && !help.contains("\n") && !help.contains("\\"))
        }
    }

    // Goal: an alarm that was made of the pages fires. Method: every label is counted once, and the
    // pages may name what is shown of that.
    @Test func `every series that the pages name is shown under that name`() throws {
        for (kind, label) in try labels() {
            switch kind {
            case "Counter": Counter(label: label, factory: registry).increment()
            case "Gauge": Gauge(label: label, factory: registry).record(1)
            case "Timer": Metrics.Timer(label: label, factory: registry).recordNanoseconds(1)
            default: Issue.record("nothing is known of the kind \(kind)")
            }
        }
        let shown = Set(registry.exposition.matches(of: /plimsoll_\w+/).map(\.output))
        let roles: Set<Substring> = [
            "plimsoll_login", "plimsoll_migration", "plimsoll_owner", "plimsoll_service",
        ]
        let readMe = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let named = Set(
            (try texts(in: "docs", "md") + [readMe]).flatMap { page in
                page.matches(of: /plimsoll_[a-z_]+/).map(\.output)
            }
        )
        #expect(named.count > 40)
        #expect(named.subtracting(roles).subtracting(shown) == [])
    }

    @Test func `a series is explained before its numbers, and the program says which it is`() {
        Counter(label: "plimsoll.webhook.attempts", factory: registry).increment()
        registry.tellBuild()
        let lines = registry.exposition.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines[0].hasPrefix("# HELP plimsoll_build_info "))
        #expect(lines[1] == "# TYPE plimsoll_build_info gauge")
        #expect(
            lines[2].wholeMatch(of: /plimsoll_build_info\{swift="[^"]+",version="[^"]+"\} 1/) != nil
        )
        #expect(lines[3].hasPrefix("# HELP plimsoll_webhook_attempts_total Attempts"))
        #expect(lines[4] == "# TYPE plimsoll_webhook_attempts_total counter")
    }

    @Test func `there is an end to the room, which is told, and what is one of a kind has some`() {
        for number in 0..<MetricsRegistry.seriesMaximum + 10 {
            Counter(label: "c", dimensions: [("n", "\(number)")], factory: registry).increment()
        }
        Gauge(label: "g", factory: registry).record(7)
        let lines = registry.exposition.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("c_total{") } == MetricsRegistry.seriesMaximum)
        #expect(lines.contains("plimsoll_metrics_full 1"))
        #expect(lines.contains("g 7"))
    }

    @Test func `a full counter stays full`() {
        let counter = Counter(label: "f", factory: registry)
        counter.increment(by: Int64.max)
        let full = registry.exposition
        counter.increment()
        #expect(registry.exposition == full)
    }
}
