/// One run of wrk, which asks for the document as phones do.
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
        let report = try await WrkReport.of(
            "http://127.0.0.1:\(contender.port)\(RunningService.documentPath)",
            connections: connections,
            seconds: seconds,
            fields.flatMap { ["-H", $0] }
        )
        requestsPerSecond = report.requestsPerSecond
        requests = report.requests
        p99 = report.p99
    }
}
