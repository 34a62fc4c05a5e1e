import PlimsollDomain
import PlimsollFiles
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
        let (score, count) = try await ScratchServer.with(in: folder) { server in
            try await Filling(server: server, folder: folder, events: options.events).run()
            let log = EventLog(SessionPool(ConnectionString(server.connection)))
            var score = Score("replay", against: "psql \\copy", target: .atLeast(0.6))
            var count = try await Self.replay(log).count
            for _ in 1...options.rounds {
                let (events, duration) = try await Self.replay(log)
                let copying = try await Tool.duration(
                    "psql",
                    ["-X", "-q", "-d", server.connection, "-c", Self.copy]
                )
                count = events
                score.note(
                    Double(events) / (duration / .seconds(1)),
                    against: Double(events) / (copying / .seconds(1))
                )
            }
            return (score, count)
        }
        print("  \(count) events, \(options.rounds) rounds")
        Table(unit: "events/s", scores: [score]).show()
    }

    private static func replay(_ log: EventLog) async throws -> (count: Int, duration: Duration) {
        let start = ContinuousClock.now
        let count = try await log.replay(into: 0) { count, _ in count += 1 }
        return (count, start.duration(to: .now))
    }
}
