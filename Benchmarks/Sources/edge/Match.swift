/// Edge against nginx in one discipline: a status, and how many connections.
struct Match {
    let status: Int
    let connections: Int
    let options: Options

    private struct Round {
        let load: Load
        /// Microseconds.
        let processorTime: Double
    }

    /// Plays all rounds, first one server and then the other in each, and says how it went.
    func play(_ edge: Server, _ nginx: Server) throws -> String {
        var rounds: [(edge: Round, nginx: Round)] = []
        for _ in 0..<options.rounds {
            rounds.append((try round(edge), try round(nginx)))
        }
        let rates = (
            edge: median(rounds.map(\.edge.load.requestsPerSecond)),
            nginx: median(rounds.map(\.nginx.load.requestsPerSecond)),
            ratio: median(
                rounds.map { $0.edge.load.requestsPerSecond / $0.nginx.load.requestsPerSecond }
            )
        )
        let times = (
            edge: median(rounds.map(\.edge.processorTime)),
            nginx: median(rounds.map(\.nginx.processorTime)),
            ratio: median(rounds.map { $0.nginx.processorTime / $0.edge.processorTime })
        )
        let last = rounds[rounds.count / 2].edge.load
        return Table.row([
            "\(status)", "\(connections)", Table.number(rates.edge, 0),
            Table.number(rates.nginx, 0),
            Table.number(rates.ratio, 2), Table.number(times.edge, 1), Table.number(times.nginx, 1),
            Table.number(times.ratio, 2), last.median, last.p99,
        ])
    }

    private func round(_ server: Server) throws -> Round {
        let condition = status == 304 ? try Document.tag(from: server) : nil
        let before = try server.processorTime()
        let load = try Load(
            server,
            connections: connections,
            seconds: options.seconds,
            condition: condition
        )
        let spent = try server.processorTime() - before
        return Round(load: load, processorTime: spent / load.requests * 1_000_000)
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
