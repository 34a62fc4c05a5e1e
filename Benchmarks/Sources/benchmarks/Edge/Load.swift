/// One run of wrk, which asks for the document as phones do.
struct Load {
    /// How connections are used.
    enum Manner {
        /// One request after the other goes over each.
        case kept
        /// Each request has a connection of its own.
        case new
        /// The same, with a handshake of TLS.
        case encrypted

        var name: String {
            switch self {
            case .kept: ""
            case .new: ", a connection each"
            case .encrypted: ", a handshake each"
            }
        }
    }

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
        condition: String?,
        _ manner: Manner = .kept
    ) async throws {
        let fields =
            Self.fields + (condition.map { ["If-None-Match: \($0)"] } ?? [])
            + (manner == .kept ? [] : ["Connection: close"])
        let scheme = manner == .encrypted ? "https" : "http"
        let report = try await WrkReport.of(
            "\(scheme)://127.0.0.1:\(contender.port)\(RunningService.documentPath)",
            connections: connections,
            seconds: seconds,
            fields.flatMap { ["-H", $0] }
        )
        requestsPerSecond = report.requestsPerSecond
        requests = report.requests
        p99 = report.p99
    }
}
