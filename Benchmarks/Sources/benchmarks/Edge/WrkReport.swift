/// What wrk says of a run, alone on the second processor.
struct WrkReport {
    let requestsPerSecond: Double
    let requests: Double
    /// Of the times that answers took, in milliseconds.
    let median: Double
    let p99: Double
    let megabytesPerSecond: Double

    static func of(
        _ url: String,
        connections: Int,
        seconds: Int,
        _ arguments: [String] = []
    ) async throws -> WrkReport {
        let output = try await Tool.output(
            "taskset",
            ["-c", "1", "wrk", "-t1", "-c\(connections)", "-d\(seconds)s", "--latency"]
                + arguments + [url]
        )
        guard !output.contains("Non-2xx"), !output.contains("Socket errors") else {
            throw Failure(sentence: "\(url) did not answer every request:\n\(output)")
        }
        guard let report = WrkReport(output) else {
            throw Failure(sentence: "wrk was not understood:\n\(output)")
        }
        return report
    }

    private init?(_ output: String) {
        let words = output.split(whereSeparator: \.isWhitespace)
        func word(after name: String) -> Substring? {
            words.firstIndex(of: name[...]).flatMap { words.dropFirst($0 + 1).first }
        }
        guard
            let rate = word(after: "Requests/sec:").flatMap({ Double($0) }),
            let index = words.firstIndex(of: "requests"), index > 0,
            let count = Double(words[index - 1]),
            let median = word(after: "50%").flatMap({ Self.number($0, Self.times) }),
            let p99 = word(after: "99%").flatMap({ Self.number($0, Self.times) }),
            let bytes = word(after: "Transfer/sec:").flatMap({ Self.number($0, Self.sizes) })
        else { return nil }
        (requestsPerSecond, requests) = (rate, count)
        (self.median, self.p99, megabytesPerSecond) = (median, p99, bytes)
    }

    private static let times = ["us": 0.001, "ms": 1, "s": 1000]
    private static let sizes = ["B": 1e-6, "KB": 1.024e-3, "MB": 1.048576, "GB": 1073.741824]

    /// `812.00us`, `4.12ms`, `1.20GB`.
    private static func number(_ text: Substring, _ units: [String: Double]) -> Double? {
        let number = text.prefix { $0.isNumber || $0 == "." }
        guard let unit = units[String(text.dropFirst(number.count))] else { return nil }
        return Double(number).map { $0 * unit }
    }
}
