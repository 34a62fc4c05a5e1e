import PlimsollDomain
import Synchronization

/// What the log came to at some of its events, so that what it came to between them need not be folded
/// from its beginning.
final class PastStates: Sendable {
    private struct State {
        var kept = KeptStates()
        var isFolding = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Beyond so many events one fold waits for the other: each takes a processor and a session.
    private static let shortMaximum: Int64 = 10_000

    func keep(_ logState: LogState) {
        state.withLock { $0.kept.keep(logState) }
    }

    /// The state at an event, folded from the last one before it that is kept.
    func state(at position: Position, of log: EventLog) async throws(LogError) -> LogState {
        if position.rawValue - base(of: position).position.rawValue <= Self.shortMaximum {
            return try await fold(upTo: position, of: log)
        }
        await begin()
        defer { end() }
        // Whoever was before may have left a nearer one.
        return try await fold(upTo: position, of: log)
    }

    private func base(of position: Position) -> LogState {
        state.withLock { $0.kept.last(upTo: position) } ?? LogState()
    }

    private func fold(upTo position: Position, of log: EventLog) async throws(LogError) -> LogState
    {
        let base = base(of: position)
        guard base.position < position else { return base }
        let folded = try await log.replay(after: base.position, upTo: position, into: base) {
            $0.evolve($1)
        }
        keep(folded)
        return folded
    }

    private func begin() async {
        await withCheckedContinuation { continuation in
            let isNext = state.withLock { state in
                guard state.isFolding else {
                    state.isFolding = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isNext { continuation.resume() }
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isFolding = false
            return nil
        }
        next?.resume()
    }
}

/// States in the order of the log: the longer ago, the further apart.
///
/// Of a million events some hundred are kept, each for what the next one has otherwise.
struct KeptStates: Sendable {
    private final class Kept: Sendable {
        let logState: LogState

        init(_ logState: LogState) { self.logState = logState }

        var position: Int64 { logState.position.rawValue }
    }

    private var kept: [Kept] = []
    /// How many were left when they were thinned last.
    private var countThinned = 0

    /// A gap is at most this part of how long ago it ends.
    private static let gapsOfAge: Int64 = 8
    /// So many come before they are thinned again.
    private static let slack = 64

    var count: Int { kept.count }

    /// The last one that is not behind a position.
    func last(upTo position: Position) -> LogState? {
        kept.last { $0.position <= position.rawValue }?.logState
    }

    mutating func keep(_ logState: LogState) {
        let next = Kept(logState)
        let place = kept.lastIndex { $0.position <= next.position }.map { $0 + 1 } ?? 0
        guard place == 0 || kept[place - 1].position < next.position else { return }
        kept.insert(next, at: place)
        if kept.count >= countThinned + Self.slack { thin() }
    }

    private mutating func thin() {
        guard let newest = kept.last?.position else { return }
        var left: [Kept] = []
        for (index, state) in kept.enumerated() {
            if let before = left.last, index + 1 < kept.count {
                let after = kept[index + 1].position
                let gap = (newest - after) / Self.gapsOfAge
                if after - before.position <= gap { continue }
            }
            left.append(state)
        }
        (kept, countThinned) = (left, left.count)
    }
}
