/// What grows with the log and what does not: a log of many events against one of a tenth of them.
struct ScaleBenchmark {
    let options: Options

    private static let factor = 10
    /// What is wanted of that which does not grow, and of that which grows as the log does.
    private static let (flat, linear) = (1.5, 1.2)

    func run() async throws {
        let short = try await figures(events: options.events / Self.factor)
        let long = try await figures(events: options.events)
        print(
            "  \(long.events) events against \(short.events), \(options.rounds) rounds; per million"
        )
        let growing: [(String, KeyPath<ScaleFigures, [Double]>)] = [
            ("verify log", \.verify), ("all read models", \.rebuild),
            ("start from scratch", \.startFromScratch),
        ]
        Table(unit: "s", scores: growing.map { Self.score($0, long, short, perMillion: true) })
            .show()
        print("  as it is")
        Table(unit: "s", scores: [Self.score(("start", \.start), long, short)]).show()
        let memory: [(String, KeyPath<ScaleFigures, [Double]>)] = [
            ("service, ready", \.memory), ("verify log", \.verifyMemory),
            ("all read models", \.rebuildMemory),
        ]
        Table(unit: "MB", scores: memory.map { Self.score($0, long, short) }).show()
        let questions = zip(long.questions, short.questions).map { long, short in
            var score = Score(long.subject, against: "a tenth", target: .atMost(Self.flat))
            score.note(long.subjectMedian, against: short.subjectMedian)
            return score
        }
        let rollback = Self.score(("rollback", \.rollback), long, short)
        Table(unit: "ms", scores: [rollback] + questions).show()
    }

    private func figures(events: Int) async throws -> ScaleFigures {
        let program = try known(options.plimsoll, "the program plimsoll")
        let rounds = options.rounds
        return try await FilledLog.with(in: options.folder, events: events) { log in
            try await ScaleFigures(of: log, program, rounds: rounds)
        }
    }

    private static func score(
        _ figure: (name: String, of: KeyPath<ScaleFigures, [Double]>),
        _ long: ScaleFigures,
        _ short: ScaleFigures,
        perMillion: Bool = false
    ) -> Score {
        var score = Score(
            figure.name,
            against: "a tenth",
            target: .atMost(perMillion ? linear : flat)
        )
        func value(_ figure: Double, _ events: Int) -> Double {
            perMillion ? figure * 1_000_000 / Double(events) : figure
        }
        for (one, other) in zip(long[keyPath: figure.of], short[keyPath: figure.of]) {
            score.note(value(one, long.events), against: value(other, short.events))
        }
        return score
    }
}
