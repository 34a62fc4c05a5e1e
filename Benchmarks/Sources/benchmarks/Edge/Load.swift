/// One run of wrk, alone on the second processor.
struct Load {
    let requestsPerSecond: Double
    let requests: Double

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
            ["-c", "1", "wrk", "-t1", "-c\(connections)", "-d\(seconds)s"]
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
            let count = Double(words[index - 1])
        else { throw Failure(sentence: "wrk was not understood:\n\(output)") }
        requestsPerSecond = perSecond
        requests = count
    }
}
