import PlimsollDomain
import PlimsollSystem
import PlimsollPostgres
import PlimsollService
import PlimsollStore

/// What auditors ask, on a short log and on a long one: each answer against its own SQL, the whole
/// record as a stream against `COPY`, and the read models made anew.
struct AuditBenchmark {
    let options: Options

    private static let short = 10_000

    func run() async throws {
        let short = try await Self.figures(options, events: Self.short)
        let long = try await Self.figures(options, events: options.events)
        for (name, figures) in [("a short log", short), ("a long log", long)] {
            print("  \(name): \(figures.events) events, \(options.rounds) rounds")
            Table(unit: "ms", scores: figures.answers).show()
            Table(unit: "s", scores: [figures.rebuild]).show()
            if let export = figures.export {
                Table(unit: "events/s", scores: [export.speed]).show()
                Table(unit: "MB of memory", scores: [export.memory]).show()
            }
        }
        print("  the long log against the short one, medians")
        Table(unit: "ms", scores: zip(long.answers, short.answers).map(Self.flatness)).show()
    }

    private static func flatness(_ long: Score, _ short: Score) -> Score {
        var score = Score(long.subject, against: "on a short log", target: .atMost(1.5))
        score.note(long.subjectMedian, against: short.subjectMedian)
        return score
    }

    private static func figures(_ options: Options, events: Int) async throws -> AuditFigures {
        try await FilledLog.with(in: options.folder, events: events) { log in
            let rebuild = try await rebuild(log.server, options.rounds)
            let (count, answers) = try await AuditQuestions.scores(
                log.server,
                by: log.admin,
                options.rounds
            )
            return AuditFigures(
                events: count,
                answers: answers,
                rebuild: rebuild,
                export: try await AuditExport(options: options, log: log, events: count).scores()
            )
        }
    }

    /// The first round fills read models that were empty, the others make them anew.
    private static func rebuild(_ server: ScratchServer, _ rounds: Int) async throws -> Score {
        var score = Score("all read models", against: "allowed", target: .atMost(1))
        for _ in 1...max(rounds / 2, 2) {
            let lap = try await Lap.measure {
                try await server.withPool { pool in
                    _ = try await Rebuild(log: EventLog(pool), pool: pool).run()
                }
            }
            score.note(lap.duration, against: 12)
        }
        return score
    }
}

struct AuditFigures: Sendable {
    let events: Int
    let answers: [Score]
    let rebuild: Score
    let export: (speed: Score, memory: Score)?
}

extension ScratchServer {
    /// Lends sessions with the service's own role.
    func withPool<Answer>(_ body: (SessionPool) async throws -> Answer) async throws -> Answer {
        let pool = SessionPool(ConnectionString(connection), settings: .service)
        do {
            let answer = try await body(pool)
            await pool.close()
            return answer
        } catch {
            await pool.close()
            throw error
        }
    }
}
