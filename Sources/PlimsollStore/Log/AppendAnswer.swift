package import PlimsollDomain

/// What became of one command of a group.
package enum AppendAnswer: Equatable, Sendable {
    /// It stands in the log, durably.
    case appended(LogSpan)
    /// It had been appended before; nothing was written.
    case duplicate(KnownCommand)
    /// Its id is known with another request digest.
    case mismatch
    /// The stream has another revision than the command expected; nothing was written.
    case conflict(StreamName, Revision)
    /// Its time lies before the last recorded one, which is given; nothing was written.
    case clockBehind(Instant)
    /// A command before it was not appended, so what it was decided on did not come true.
    case undecided
}

/// The positions of one append.
package struct LogSpan: Equatable, Sendable {
    /// `nil` for a command without events.
    package let first: Position?
    /// For a command without events, where the log stood.
    package let last: Position

    package init(first: Position?, last: Position) {
        self.first = first
        self.last = last
    }

    package var count: Int {
        first.map { Int(last.rawValue - $0.rawValue) + 1 } ?? 0
    }
}

/// A command as the log remembers it.
package struct KnownCommand: Equatable, Sendable {
    package let span: LogSpan
    package let outcome: [UInt8]
    package let recordedAt: Instant

    package init(span: LogSpan, outcome: [UInt8], recordedAt: Instant) {
        self.span = span
        self.outcome = outcome
        self.recordedAt = recordedAt
    }
}
