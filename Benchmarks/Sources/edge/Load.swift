/// One run of wrk, alone on the second processor.
struct Load {
    let requestsPerSecond: Double
    let requests: Double
    let median: String
    let p99: String

    /// What phones send, as far as it concerns a server.
    private static let fields = [
        "User-Agent: Harbour/312 CFNetwork/1399 Darwin/22.1.0",
        "Accept: */*",
        "Accept-Language: en-GB,en;q=0.9",
        "Accept-Encoding: identity",
    ]

    init(_ server: Server, connections: Int, seconds: Int, condition: String?) throws {
        let fields = Self.fields + (condition.map { ["If-None-Match: \($0)"] } ?? [])
        let output = try Program.output(
            ["taskset", "-c", "1", "wrk", "-t1", "-c\(connections)", "-d\(seconds)s", "--latency"]
                + fields.flatMap { ["-H", $0] } + [server.url(Document.path)]
        )
        guard !output.contains("Non-2xx"), !output.contains("Socket errors") else {
            throw Failure(sentence: "\(server.name) did not answer every request:\n\(output)")
        }
        let words = output.split(whereSeparator: \.isWhitespace).map(String.init)
        func word(after name: String) throws -> String {
            guard let index = words.firstIndex(of: name), index + 1 < words.count else {
                throw Failure(sentence: "wrk did not say \(name)")
            }
            return words[index + 1]
        }
        guard
            let rate = Double(try word(after: "Requests/sec:")),
            let index = words.firstIndex(of: "requests"), index > 0,
            let count = Double(words[index - 1])
        else { throw Failure(sentence: "wrk was not understood:\n\(output)") }
        requestsPerSecond = rate
        requests = count
        median = try word(after: "50%")
        p99 = try word(after: "99%")
    }
}
