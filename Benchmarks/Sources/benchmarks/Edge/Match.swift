/// A server in a match, and where it listens.
struct Contender {
    let server: Server
    let port: UInt16
}

/// Edge against nginx in one discipline.
struct Match {
    let status: Int
    let connections: Int
    /// So many more are open meanwhile, of phones that asked once and say nothing more.
    var idle = 0
    var manner = Load.Manner.kept
    let seconds: Int
    /// What of nginx's requests a second is wanted, and of its processor's time for one; of the other
    /// nothing is asked.
    var rateMinimum: Double?
    var timeMaximum: Double?

    /// What came out, round by round.
    struct Scores {
        /// Requests a second.
        var rate: Score
        /// What one answer in a hundred took longer than, in milliseconds.
        var p99: Score
        /// Microseconds of the server's processor time a request.
        var time: Score
    }

    /// Plays all rounds, first one server and then the other in each.
    func play(rounds: Int, _ edge: Contender, _ nginx: Contender) async throws -> Scores {
        var scores = Scores(
            rate: Score(name, against: "nginx", target: rateMinimum.map { .atLeast($0) } ?? .none),
            p99: Score(name, against: "nginx", target: .atMost(1)),
            time: Score(name, against: "nginx", target: timeMaximum.map { .atMost($0) } ?? .none)
        )
        for _ in 1...rounds {
            let own = try await round(edge)
            let other = try await round(nginx)
            scores.rate.note(own.load.requestsPerSecond, against: other.load.requestsPerSecond)
            scores.p99.note(own.load.p99, against: other.load.p99)
            scores.time.note(own.time, against: other.time)
        }
        return scores
    }

    private var name: String {
        "\(status), \(connections)\(manner.name)" + (idle > 0 ? " and \(idle) idle" : "")
    }

    private func round(_ contender: Contender) async throws -> (load: Load, time: Double) {
        let condition = status == 304 ? try Document.tag(on: contender.port) : nil
        let idle = try IdleConnections(idle, to: contender.port)
        let before = try contender.server.processorTime()
        let load = try await Load(
            contender,
            connections: connections,
            seconds: seconds,
            condition: condition,
            manner
        )
        let spent = try contender.server.processorTime() - before
        try idle.close()
        return (load, spent / load.requests * 1_000_000)
    }
}
