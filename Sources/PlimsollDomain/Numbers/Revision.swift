/// How many events a stream has.
package struct Revision: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard rawValue >= 0 else { return nil }
        self.rawValue = rawValue
    }

    package init(_ count: Int) {
        precondition(count >= 0, "a revision counts events, so it is never negative")
        rawValue = Int64(count)
    }

    /// The revision of a stream that has no events.
    package static let none = Revision(0)

    package var next: Revision { Revision(Int(rawValue) + 1) }

    package static func < (left: Revision, right: Revision) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Revision: CustomStringConvertible {
    package var description: String { String(rawValue) }
}
