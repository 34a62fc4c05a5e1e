/// A server in a match, and where it listens.
struct Contender {
    let server: Server
    let port: UInt16
}

/// Edge against nginx in one discipline: a status, and how many connections.
struct Match {
    let status: Int
    let connections: Int
    let seconds: Int

    /// Plays all rounds, first one server and then the other in each.
    func play(
        rounds: Int,
        _ edge: Contender,
        _ nginx: Contender
    ) async throws -> (rate: Score, time: Score) {
        var rate = Score("\(status)", against: "nginx", target: .atLeast(0.9))
        var time = Score("\(status)", against: "nginx", target: .none)
        for _ in 1...rounds {
            let own = try await round(edge)
            let other = try await round(nginx)
            rate.note(own.rate, against: other.rate)
            time.note(own.time, against: other.time)
        }
        return (rate, time)
    }

    /// Requests a second, and microseconds of the server's processor time a request.
    private func round(_ contender: Contender) async throws -> (rate: Double, time: Double) {
        let condition = status == 304 ? try Document.tag(on: contender.port) : nil
        let before = try contender.server.processorTime()
        let load = try await Load(
            contender,
            connections: connections,
            seconds: seconds,
            condition: condition
        )
        let spent = try contender.server.processorTime() - before
        return (load.requestsPerSecond, spent / load.requests * 1_000_000)
    }
}
