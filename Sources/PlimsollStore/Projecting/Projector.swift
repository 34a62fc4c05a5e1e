package import Logging
package import PlimsollDomain
package import PlimsollPostgres
import ServiceLifecycle

/// Folds the log into the read models as it grows, each event exactly once.
///
/// Any number of instances may run one: effects move with a checkpoint that is locked while they
/// do, so one of them does the work and the others only follow. What was folded is told to
/// whoever listens, whole appends at a time and never less than the read models hold.
package struct Projector: Service {
    /// Takes what was folded, and the state after it.
    package typealias Listener = @Sendable ([RecordedEvent], LogState) -> Void

    private let log: EventLog
    private let database: SessionPool
    private let progress: Progress
    private let known: @Sendable () -> LogState
    private let growth: @Sendable () -> AsyncStream<Position>
    private let listener: Listener
    private let logger: Logger
    private let loadMinimum: Int

    private static let retryDelay = Duration.seconds(1)

    /// So many events as `loadMinimum` are rather loaded into a new generation than folded into an
    /// empty one.
    ///
    /// What is known already, and so told to nobody, is not read either, unless the read models lack
    /// it.
    package init(
        log: EventLog,
        database: SessionPool,
        progress: Progress,
        logger: Logger,
        loadMinimum: Int = 20_000,
        known: @escaping @Sendable () -> LogState = { LogState() },
        growth: @escaping @Sendable () -> AsyncStream<Position>,
        listener: @escaping Listener
    ) {
        self.log = log
        self.database = database
        self.progress = progress
        self.logger = logger
        self.loadMinimum = loadMinimum
        self.known = known
        self.growth = growth
        self.listener = listener
    }

    /// Runs until shut down; a database that is away is waited for.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await follow()
                } catch is CancellationError {
                    return
                } catch {
                    // A statement that is broken off has an error of its own.
                    if Task.isCancelled { return }
                    logger.error("the projector is held up", metadata: ["error": "\(error)"])
                }
                // A cancelled sleep ends the loop, which is all there is to do about it.
                try? await Task.sleep(for: Self.retryDelay)
            }
        }
    }

    private func follow() async throws {
        var fold = try await resume()
        // Not before the log has been folded for the whole process: who is told relies on that.
        for await head in growth() {
            progress.expect(head)
            if fold.logState.position == .start {
                fold.skip(to: known())
                progress.reach(fold.logState.position)
            }
            try await fold.follow(log) { tell($0, $1) }
            let before = fold.logState.position
            while true {
                // No further than the writer has read, which alone sees that streams continue.
                let events = try await fold.advance(log: log, database: database, upTo: head)
                if events.isEmpty { break }
                tell(events, fold.logState)
            }
            if fold.logState.position == before { try await fold.confirm(in: database) }
        }
    }

    /// Takes up the live generation where it stands; an empty one of a long log is made anew.
    private func resume() async throws -> Fold {
        let fold = try await live()
        guard fold.standsAt == .start, try await log.head().position.rawValue >= loadMinimum
        else { return fold }
        logger.info("the read models are made from the log")
        try await Rebuild(log: log, pool: database).runIfNothingIsFolded()
        return try await live()
    }

    private func live() async throws -> Fold {
        let live = try await LiveGeneration.required(database)
        try await live.adoptIfEmpty(in: database)
        progress.fallBack(to: live.position)
        return Fold(generation: live.generation, standsAt: live.position)
    }

    private func tell(_ events: [AuditedEvent], _ logState: LogState) {
        progress.recent.append(events)
        listener(events.map(\.recorded), logState)
        progress.reach(logState.position)
    }
}
