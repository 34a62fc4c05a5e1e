/// One run of wrk, alone on the second processor.
struct Load {
    let requestsPerSecond: Double
    let requests: Double
    /// Of the times that answers took, in milliseconds.
    let p99: Double

    /// What phones send, as far as it concerns a server.
    private static let fields = [
        "User-Agent: Harbour/312 CFNetwork/1399 Darwin/22.1.0",
        "Accept: */*",
        "Accept-Language: en-GB,en;q=0.9",
        "Accept-Encoding: identity",
    ]

    init(
        _ contender: Contender,
        connections: Int,
        seconds: Int,
        condition: String?
    ) async throws {
        let fields = Self.fields + (condition.map { ["If-None-Match: \($0)"] } ?? [])
        let url = "http://127.0.0.1:\(contender.port)\(RunningService.documentPath)"
        let output = try await Tool.output(
            "taskset",
            ["-c", "1", "wrk", "-t1", "-c\(connections)", "-d\(seconds)s", "--latency"]
                + fields.flatMap { ["-H", $0] } + [url]
        )
        guard !output.contains("Non-2xx"), !output.contains("Socket errors") else {
            throw Failure(
                sentence: "\(contender.server.name) did not answer every request:\n\(output)"
            )
        }
        let words = output.split(whereSeparator: \.isWhitespace)
        guard
            let rate = words.firstIndex(of: "Requests/sec:"),
            let perSecond = Double(words[words.index(after: rate)]),
            let index = words.firstIndex(of: "requests"), index > 0,
            let count = Double(words[index - 1]),
            let line = words.firstIndex(of: "99%"),
            let milliseconds = Self.milliseconds(words[words.index(after: line)])
        else { throw Failure(sentence: "wrk was not understood:\n\(output)") }
        requestsPerSecond = perSecond
        requests = count
        p99 = milliseconds
    }

    /// `812.00us`, `4.12ms`, `1.20s`.
    private static func milliseconds(_ text: Substring) -> Double? {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let units = ["us": 0.001, "ms": 1, "s": 1000]
        guard let unit = units[String(text.dropFirst(number.count))] else { return nil }
        return Double(number).map { $0 * unit }
    }
}
