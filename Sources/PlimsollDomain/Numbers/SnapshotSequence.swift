/// The number of a snapshot: the position of the event that ordered it, so it only ever rises.
package struct SnapshotSequence: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }

    package init(orderedBy position: Position) {
        precondition(position > .start, "a snapshot is ordered by an event, and the first is 1")
        rawValue = position.rawValue
    }

    package static func < (left: SnapshotSequence, right: SnapshotSequence) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension SnapshotSequence: CustomStringConvertible {
    package var description: String { String(rawValue) }
}
