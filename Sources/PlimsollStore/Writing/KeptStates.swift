import PlimsollDomain

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
    private static let slack = 8

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
