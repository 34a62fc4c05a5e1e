import ServiceLifecycle

/// What all threads of a listener share.
struct EdgeParts: Sendable {
    let source: TableSource
    let limits: EdgeLimits
    let admission: Admission
    let metrics = EdgeMetrics()
    let tiles = TileDesk()

    /// So many clients may wait to be let in.
    static let backlog = 1024
    /// Requests are small; how many bytes a client may have sent ahead is bounded by this.
    static let receiveBufferSize = 65_536

    /// Waits for the end; says how long connections have to come to theirs, which is no time
    /// where it was not announced, but the task cancelled.
    func patienceAtEnd() async -> Duration {
        do {
            try await gracefulShutdown()
            return limits.drainTimeout
        } catch {
            return .zero
        }
    }
}
