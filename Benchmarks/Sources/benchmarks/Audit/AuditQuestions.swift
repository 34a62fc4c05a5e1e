import PlimsollAPI
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollService

/// Questions through the use cases, against the statements that they send, sent by themselves.
struct AuditQuestions: Sendable {
    private let useCases: UseCases
    private let recorder: Recorder
    private let session: Session
    private let caller: Caller
    private let app: AppSlug
    private let old: Position
    private let head: Position

    /// A round counts as the median of so many answers.
    private static let answers = 50

    static func scores(
        _ server: ScratchServer,
        by admin: TokenRecord,
        _ rounds: Int
    ) async throws -> (events: Int, [Score]) {
        try await WorkingWriter.with(on: server) { working in
            let progress = Progress()
            try await working.project(progress)
            return try await server.withSession { session in
                let questions = try AuditQuestions(session, working.writer, admin, progress)
                var scores: [Score] = []
                for (name, question) in questions.all {
                    scores.append(try await questions.score(name, rounds, question))
                }
                return (Int(working.writer.logState.position.rawValue), scores)
            }
        }
    }

    /// The read models hold all that the writer has written.
    private init(
        _ session: Session,
        _ writer: Writer,
        _ admin: TokenRecord,
        _ progress: Progress
    ) throws {
        recorder = Recorder(session)
        self.session = session
        head = writer.logState.position
        let log = EventLog(recorder)
        useCases = UseCases(
            writer: writer,
            readModels: ReadModels(log: log, database: recorder, progress: progress),
            directory: Directory(recorder),
            keys: KeyMaker(
                make: { _ in throw CancellationError() },
                discard: { _ in },
                keep: { _, _, _ in throw CancellationError() },
                prove: { _ in }
            ),
            logFiles: LogFiles(log),
            clock: { .now }
        )
        caller = Caller(principal: admin.principal, authentication: .token(admin.id))
        app = try known(writer.logState.apps.map(\.slug).sorted().last, "an app")
        // In the middle of the log, where every app has been changed many times.
        old = Position(Int(head.rawValue) / 2)
    }

    private typealias Question = @Sendable () async throws -> Void

    private var all: [(String, Question)] {
        [
            ("audit page, three filters", page), ("blame", blame),
            ("document at an old event", document), ("diff of two events", diff),
        ]
    }

    private func page() async throws {
        var query = EventQuery()
        query.apps = [app]
        query.types = [.thresholdSet, .textSet]
        query.fields = try [known(Field(path: "ios.recommendedApp.value"), "a field")]
        // As many as a short log has of each app: a longer page takes longer everywhere.
        query.limit = 10
        let page = try await useCases.events(query, for: caller)
        guard !page.elements.isEmpty else { throw Failure(sentence: "the page is empty") }
    }

    private func blame() async throws {
        let view = try await useCases.blame(of: app, on: .ios, at: .live, for: caller)
        guard !view.lines.isEmpty else { throw Failure(sentence: "nobody is blamed") }
    }

    private func document() async throws {
        let view = try await useCases.document(
            of: app,
            on: .ios,
            at: .event(old),
            for: caller
        )
        guard !view.document.isEmpty else { throw Failure(sentence: "the document is empty") }
    }

    private func diff() async throws {
        let view = try await useCases.diff(
            of: app,
            from: .event(old),
            to: .event(head),
            for: caller
        )
        guard !view.changes.isEmpty else { throw Failure(sentence: "nothing is different") }
    }

    private func score(
        _ name: String,
        _ rounds: Int,
        _ question: Question
    ) async throws -> Score {
        let statements = try await recorder.statements(of: question)
        var score = Score(name, against: "its SQL alone", target: .atMost(3))
        for _ in 1...rounds {
            let asking = try await Self.median(question)
            let querying = try await Self.median {
                for statement in statements { try await session.query(statement) }
            }
            score.note(asking, against: querying)
        }
        return score
    }

    /// In milliseconds.
    private static func median(_ body: () async throws -> Void) async throws -> Double {
        var durations: [Double] = []
        for _ in 1...answers {
            let start = ContinuousClock.now
            try await body()
            durations.append(start.duration(to: .now) / .milliseconds(1))
        }
        return benchmarks.median(durations)
    }
}

extension WorkingWriter {
    private static let patience = Duration.seconds(600)

    /// Returns once the read models hold all that the log has.
    fileprivate func project(_ progress: Progress) async throws {
        let writer = writer
        let head = writer.logState.position
        let projector = Projector(
            log: log,
            database: pool,
            progress: progress,
            logger: .quiet("projector"),
            known: { writer.logState },
            growth: writer.growth,
            listener: { _, _ in }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(name: "projector") { try await projector.run() }
            guard await progress.wait(for: head, patience: Self.patience) else {
                throw Failure(sentence: "the read models are behind the log")
            }
            group.cancelAll()
        }
    }
}
