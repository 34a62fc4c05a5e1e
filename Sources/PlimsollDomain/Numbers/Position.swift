/// The place of an event in the one log: 1, 2, 3 … without gaps.
///
/// ``start`` is the place before the first event; nothing stands there.
package struct Position: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard rawValue >= 0 else { return nil }
        self.rawValue = rawValue
    }

    package init(_ count: Int) {
        precondition(count >= 0, "a position counts events, so it is never negative")
        rawValue = Int64(count)
    }

    package static let start = Position(0)

    package func advanced(by count: Int) -> Position {
        Position(Int(rawValue) + count)
    }

    /// The place just before this one; the start has none before it and is answered itself.
    package var before: Position {
        Position(max(Int(rawValue) - 1, 0))
    }

    package static func < (left: Position, right: Position) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Position: CustomStringConvertible {
    package var description: String { String(rawValue) }
}
