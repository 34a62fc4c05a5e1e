import PlimsollDomain
import PlimsollSystem
import PlimsollStore

/// Durable appends through the service's writer, against single-row `INSERT`s by pgbench, and against
/// the same writer without what authenticates its entries.
///
/// All write to one disk, in turn. Each writer waits for the answer to its command before it sends the
/// next, as each connection of pgbench does.
struct AppendBenchmark {
    let options: Options

    private static let connections = 8
    static let waiting = 64

    func run() async throws {
        let options = options
        let scores = try await AppendLoad.with(options, "append", isAuthenticated: true) {
            load,
            server in
            try await AppendLoad.with(options, "append-bare", isAuthenticated: false) { bare, _ in
                let pgbench = try await Pgbench(
                    server: server,
                    folder: options.folder / "append",
                    entry: try await load.entry(),
                    seconds: options.seconds
                )
                return try await Self.play(load, bare, pgbench, rounds: options.rounds)
            }
        }
        print("  \(options.rounds) rounds of \(options.seconds) s for each figure")
        Table(unit: "rows/s", scores: scores).show()
    }

    private static func play(
        _ load: AppendLoad,
        _ bare: AppendLoad,
        _ pgbench: Pgbench,
        rounds: Int
    ) async throws -> [Score] {
        var scores: [Score] = []
        for (writers, wanted) in [(1, 0.45), (connections, nil), (waiting, 1.5)] {
            let name =
                switch writers {
                case 1: "1 writer"
                case waiting: "\(writers) commands waiting"
                default: "\(writers) writers"
                }
            let clients = min(writers, connections)
            var speed = Score(
                name,
                against: "pgbench, \(clients) connections",
                target: wanted.map { .atLeast($0) } ?? .none
            )
            var price = Score(name, against: "without authenticators", target: .atLeast(0.9))
            for _ in 1...rounds {
                let rows = try await load.run(writers: writers)
                speed.note(rows, against: try await pgbench.run(connections: clients))
                price.note(rows, against: try await bare.run(writers: writers))
            }
            scores += [speed, price]
        }
        return scores
    }
}
