import PlimsollDomain
import PlimsollPostgres
import Synchronization

/// What the log came to at some of its events, so that what it came to between them need not be folded
/// from its beginning.
///
/// One asks the log at a time, for so many events; then whoever waits has its turn. Those who ask for
/// what lies far back get there together, since each goes on from what the others left.
final class PastStates: Sendable {
    private let kept = Mutex(KeptStates())
    private let turns = Turns()
    private let stride: Int64
    private let patience: Duration

    init(stride: Int64 = 10_000, patience: Duration = .seconds(10)) {
        (self.stride, self.patience) = (stride, patience)
    }

    func keep(_ logState: LogState) {
        kept.withLock { $0.keep(logState) }
    }

    /// The same while a log is folded: of a stretch of events the last.
    func keep(passing logState: LogState) {
        if logState.position.rawValue.isMultiple(of: stride) { keep(logState) }
    }

    /// The state at an event, folded from the last one before it that is kept.
    ///
    /// Where it takes too long it is given up; whoever asks again goes on from there.
    func state(at position: Position, of log: EventLog) async throws(LogError) -> LogState {
        let deadline = ContinuousClock.now + patience
        var nearest = base(of: position)
        while nearest.position < position {
            await turns.begin()
            defer { turns.end() }
            guard ContinuousClock.now < deadline, !Task.isCancelled else {
                throw .database(
                    PostgresError(
                        .timedOut(.statement),
                        "events \(nearest.position) to \(position)"
                    )
                )
            }
            let known = base(of: position)
            if known.position > nearest.position { nearest = known }
            nearest = try await fold(nearest, towards: position, of: log)
        }
        return nearest
    }

    private func base(of position: Position) -> LogState {
        kept.withLock { $0.last(upTo: position) } ?? LogState()
    }

    private func fold(
        _ base: LogState,
        towards position: Position,
        of log: EventLog
    ) async throws(LogError) -> LogState {
        let end = min(position, base.position.advanced(by: Int(stride)))
        guard base.position < end else { return base }
        let folded = try await log.replay(after: base.position, upTo: end, into: base) {
            $0.evolve($1)
        }
        guard folded.position == end else {
            throw .shortened(expected: end, found: folded.position)
        }
        keep(folded)
        return folded
    }
}
