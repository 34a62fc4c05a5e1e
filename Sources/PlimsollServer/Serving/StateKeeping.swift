import Logging
import PlimsollDomain
import PlimsollEdge
import PlimsollLog
import PlimsollPublishing
import PlimsollStore
import ServiceLifecycle
import Synchronization

/// What a start found kept, until it was taken over.
final class KeptBeginning: Sendable {
    private struct State {
        var start: KeptStart?
        var isFound = false
    }

    private let state = Mutex(State())
    private let keeper: StateKeeper
    private let settings: KeepingSettings

    init(_ keeper: StateKeeper, _ settings: KeepingSettings) {
        (self.keeper, self.settings) = (keeper, settings)
    }

    /// Looks for it, unless the log is to be folded from its start; answers the tree that it knows.
    func find() async throws -> MerkleFrontier? {
        guard !settings.startsFromScratch else { return nil }
        let found = try await keeper.find()
        state.withLock { $0 = State(start: found, isFound: found != nil) }
        return found?.frontier
    }

    /// Whether a part of the log need not be folded.
    var isFound: Bool { state.withLock(\.isFound) }

    /// For whoever writes.
    var known: KnownLog { state.withLock { $0.start?.known ?? .nothing } }

    /// For whoever publishes, who comes last: once.
    func take() -> PublicationQueue.Page? { state.withLock { $0.start.take()?.page } }
}

/// Keeps what the log comes to, and looks at leisure whether what the start did not read is what was
/// signed.
struct StateKeeping: Service {
    let keeper: StateKeeper
    let settings: KeepingSettings
    let memory: LogMemory
    let book: PublicationQueue
    /// Returns once the service is ready.
    let whenReady: @Sendable () async throws -> Void
    /// Whether the start went on from what was kept, once that is known.
    let skipped: @Sendable () -> Bool
    /// Compares the database with what was signed over it, event by event.
    let checkConsistency: @Sendable () async throws -> Void
    let logger: Logger

    private static let pause = Duration.seconds(5)
    /// At a stop it is kept for fewer events too.
    private static let stopMinimum = 1000

    func run() async throws {
        try await watchUntilShutdown {
            try await whenReady()
            if skipped() { try await checkConsistencyWhenPossible() }
            while true {
                try await Task.sleep(for: Self.pause)
                await keep(ifGrownBy: settings.interval)
            }
        }
        await keep(ifGrownBy: min(settings.interval, Self.stopMinimum))
    }

    private func keep(ifGrownBy count: Int) async {
        await keeper.keep(book.latest, ifGrownBy: count, knowing: memory)
    }

    private func checkConsistencyWhenPossible() async throws {
        while true {
            do {
                return try await checkConsistency()
            } catch {
                try Task.checkCancellation()
                logger.warning(
                    "the log is not compared with what was signed",
                    metadata: ["error": "\(error)"]
                )
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}
