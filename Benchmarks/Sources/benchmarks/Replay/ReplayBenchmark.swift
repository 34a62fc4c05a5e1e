import PlimsollDomain
import PlimsollSystem
import PlimsollPostgres
import PlimsollStore

/// The whole log read into events by the service's replay, against psql that copies the same
/// rows to where nobody reads them.
struct ReplayBenchmark {
    let options: Options

    private static let copy = """
        \\copy (SELECT position, entry FROM log.event ORDER BY position) \
        TO '/dev/null' (FORMAT binary)
        """

    func run() async throws {
        let options = options
        let folder = options.folder / "replay"
        let (count, speed, effort) = try await ScratchServer.with(in: folder) { server in
            try await Filling(server: server, folder: folder, events: options.events).run()
            let log = EventLog(SessionPool(ConnectionString(server.connection)))
            var speed = Score("replay", against: "psql \\copy", target: .atLeast(0.6))
            var effort = Score("replay", against: "psql \\copy", target: .none)
            var count = try await Self.replay(log)
            for _ in 1...options.rounds {
                let replaying = try await Lap.measure { count = try await Self.replay(log) }
                let copying = try await Lap.measure {
                    let arguments = ["-X", "-q", "-d", server.connection, "-c", Self.copy]
                    _ = try await Tool.output("psql", arguments)
                }
                speed.note(
                    Double(count) / replaying.duration,
                    against: Double(count) / copying.duration
                )
                effort.note(
                    replaying.processorTime / Double(count) * 1_000_000,
                    against: copying.processorTime / Double(count) * 1_000_000
                )
            }
            return (count, speed, effort)
        }
        print("  \(count) events, \(options.rounds) rounds")
        Table(unit: "events/s", scores: [speed]).show()
        Table(unit: "µs of processor", scores: [effort]).show()
    }

    private static func replay(_ log: EventLog) async throws -> Int {
        try await log.replay(into: 0) { count, _ in count += 1 }
    }
}
