import PlimsollDomain
import PlimsollSystem
import PlimsollStore

/// Durable appends through the service's writer, against single-row `INSERT`s by pgbench.
///
/// Both write to one server, in turn. The writer's entries are authenticated, as a service's are. Each
/// writer waits for the answer to its command before it sends the next, as each connection of pgbench
/// does.
struct AppendBenchmark {
    let options: Options

    private static let connections = 8
    private static let waiting = 64

    func run() async throws {
        let options = options
        let folder = options.folder / "append"
        let scores = try await ScratchServer.with(in: folder) { server in
            let authentication = EntryAuthentication(
                keysIn: EntryKeyFolder(folder / EntryKeyFolder.name)
            )
            try authentication.prepare()
            return try await WorkingWriter.with(
                on: server,
                authentication: authentication
            ) { working in
                let writer = working.writer
                if let key = writer.firstEntryKey {
                    let command = AddEntryKey(key, reason: nil, by: .system)
                    _ = try await writer.perform(CommandRequest(command))
                }
                let crew = try await Crew.admitted(by: writer, apps: 1, keys: folder / "keys")
                let load = AppendLoad(writer: writer, crew: crew, seconds: options.seconds)
                _ = try await load.run(writers: Self.waiting)
                let pgbench = try await Pgbench(
                    server: server,
                    folder: folder,
                    entry: try await load.entry(in: working.log),
                    seconds: options.seconds
                )
                return try await Self.play(load, pgbench, rounds: options.rounds)
            }
        }
        print("  \(options.rounds) rounds of \(options.seconds) s for each figure")
        Table(unit: "rows/s", scores: scores).show()
    }

    private static func play(
        _ load: AppendLoad,
        _ pgbench: Pgbench,
        rounds: Int
    ) async throws -> [Score] {
        let one = "pgbench, 1 connection"
        let many = "pgbench, \(connections) connections"
        var alone = Score("1 writer", against: one, target: .atLeast(0.45))
        var several = Score("\(connections) writers", against: many, target: .none)
        var crowded = Score("\(waiting) commands waiting", against: many, target: .atLeast(1.5))
        for round in 1...rounds {
            alone.note(
                try await load.run(writers: 1),
                against: try await pgbench.run(connections: 1, round: round)
            )
            let yardstick = try await pgbench.run(connections: connections, round: round)
            several.note(try await load.run(writers: connections), against: yardstick)
            crowded.note(try await load.run(writers: waiting), against: yardstick)
        }
        return [alone, several, crowded]
    }
}
