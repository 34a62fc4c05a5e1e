/// One run of wrk beside everything else; what fails is counted, not fatal.
struct RotationLoad {
    let requestsPerSecond: Double
    /// Answers other than 200, and requests that had none.
    let failures: Int

    init(port: UInt16, connections: Int, seconds: Int) async throws {
        let url = "http://127.0.0.1:\(port)\(RunningService.documentPath)"
        let output = try await Tool.output(
            "wrk",
            ["-t1", "-c\(connections)", "-d\(seconds)s", url]
        )
        let lines = output.split(whereSeparator: \.isNewline)
        func words(behind text: String) -> [Substring]? {
            lines.compactMap { line in
                line.firstRange(of: text).map { line[$0.upperBound...] }
            }.first?.split(whereSeparator: { " ,".contains($0) })
        }
        guard let rate = words(behind: "Requests/sec:")?.first.flatMap({ Double($0) }) else {
            throw Failure(sentence: "wrk was not understood:\n\(output)")
        }
        requestsPerSecond = rate
        let counts = ["Non-2xx or 3xx responses:", "Socket errors:"]
            .flatMap { words(behind: $0) ?? [] }
        failures = counts.compactMap { Int($0) }.reduce(0, +)
    }
}
