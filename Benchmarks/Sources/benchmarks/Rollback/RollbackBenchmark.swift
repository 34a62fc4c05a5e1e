import PlimsollDomain
import PlimsollSystem
import PlimsollStore
import PlimsollService

/// From sending a rollback in the middle of a freeze until the edge answers with the former content
/// newly signed: on a log of years with many changes waiting for their time, against the same on a
/// log that has just begun.
struct RollbackBenchmark {
    let options: Options

    private static let short = 1000
    /// So many nights a round, each on an app of its own; a round counts as their median.
    private static let nights = 5

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        var score = Score(
            "rollback on a long log",
            against: "on a short one",
            target: .atMost(2)
        )
        let count = options.rounds
        let (shortEvents, short) = try await Self.times(options, program, Self.short, count)
        let (longEvents, long) = try await Self.times(options, program, options.events, count)
        for (long, short) in zip(long, short) { score.note(long, against: short) }
        print(
            "  \(longEvents) events against \(shortEvents), \(count) rounds of \(Self.nights) nights, "
                + "medians; \(Night.schedules) schedules each"
        )
        Table(unit: "ms", scores: [score]).show()
    }

    /// In milliseconds, one for each round, and how many events the log had.
    private static func times(
        _ options: Options,
        _ program: String,
        _ events: Int,
        _ count: Int
    ) async throws -> (events: Int, times: [Double]) {
        let folder = options.folder / "rollback-\(events)"
        let secret = TokenSecret.random()
        let filled = try await ScratchServer.with(in: folder) { server in
            try await Filling(server: server, folder: folder, events: events).run()
            return try await WorkingWriter.with(on: server) { working in
                _ = try await Crew.admit(.admin, by: working.writer, secret: secret.digest)
                return Int(working.writer.logState.position.rawValue)
            }
        }
        let times = try await RunningService.with(program, data: folder) { service in
            try await service.whenReady()
            let team = try Team(of: service, adminToken: secret.text)
            var apps = (1...).lazy.map { AppSlug("harbour-\($0 % Filling.apps + 1)") }
                .makeIterator()
            // The first round finds nothing warm.
            return try (0...count).map { _ in
                let times = try (1...nights).map { _ in
                    let app = try known(apps.next() ?? nil, "a slug")
                    return try Night(service, team, app: app).rollBack() / .milliseconds(1)
                }
                return median(times)
            }.dropFirst()
        }
        return (filled, Array(times))
    }
}
