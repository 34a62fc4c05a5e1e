import PlimsollDomain
import PlimsollSystem

/// What a log of some length asks for: in seconds and milliseconds, in millions of bytes, round by
/// round.
struct ScaleFigures: Sendable {
    var events = 0
    var rebuild: [Double] = []
    var rebuildMemory: [Double] = []
    var verify: [Double] = []
    var verifyMemory: [Double] = []
    var questions: [Score] = []
    var startFromScratch: [Double] = []
    var start: [Double] = []
    var memory: [Double] = []
    var rollback: [Double] = []

    /// So many nights a round, each on an app of its own; a round counts as their median.
    private static let nights = 5

    init(of log: FilledLog, _ program: String, rounds: Int) async throws {
        let database = ["--database-url", log.server.connection, "--data", log.data.string]
        // They bring the read models up to the log first.
        (events, questions) = try await AuditQuestions.scores(log.server, by: log.admin, rounds)
        for _ in 1...rounds {
            let run = try ToolRun(program, ["rebuild"] + database)
            rebuild.append(run.duration)
            rebuildMemory.append(run.memoryMaximum)
        }
        startFromScratch.append(
            try await Self.start(log, program, ["--from-scratch"]) { _, duration in duration }
        )
        for _ in 1...rounds {
            let (duration, most) = try await Self.start(log, program) { service, duration in
                (duration, try service.memoryMaximum())
            }
            start.append(duration)
            memory.append(most)
        }
        rollback = try await Self.start(log, program) { service, _ in
            try Self.rollbacks(service, log, rounds)
        }
        for _ in 1...rounds {
            let run = try ToolRun(program, ["verify", "log"] + database)
            verify.append(run.duration)
            verifyMemory.append(run.memoryMaximum)
        }
    }

    /// Calls the body with how long the service took until it did all of its work.
    private static func start<Answer>(
        _ log: FilledLog,
        _ program: String,
        _ options: [String] = [],
        _ body: (RunningService, Double) async throws -> Answer
    ) async throws -> Answer {
        let begin = ContinuousClock.now
        return try await RunningService.with(
            program,
            data: log.data,
            options: ["--database-url", log.server.connection] + options
        ) { service in
            try await service.whenReady()
            return try await body(service, begin.duration(to: .now) / .seconds(1))
        }
    }

    private static func rollbacks(
        _ service: RunningService,
        _ log: FilledLog,
        _ rounds: Int
    ) throws -> [Double] {
        let team = try Team(of: service, adminToken: log.token)
        // The first round finds nothing warm.
        let times = try (0...rounds).map { round in
            median(
                try (1...nights).map { night in
                    let number = (round * nights + night) % Filling.apps + 1
                    let app = try known(AppSlug("harbour-\(number)"), "a slug")
                    return try Night(service, team, app: app).rollBack() / .milliseconds(1)
                }
            )
        }
        return Array(times.dropFirst())
    }
}
