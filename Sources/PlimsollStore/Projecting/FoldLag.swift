package import PlimsollDomain

/// For how long the read models lack what is in the log: what decides whether they are asked.
///
/// While anything is written they are always behind by some events, which says nothing. So a place in
/// the log is remembered with the time, and it counts how long they take to come there.
package struct FoldLag: Equatable, Sendable {
    package typealias Moment = ContinuousClock.Instant

    /// How the read models do.
    package enum State: Equatable, Sendable {
        /// They have not come to any end of the log yet; to be left by coming to one.
        case starting
        /// They follow; ``FoldLag/limit`` ends it.
        case current
        /// They took too long; ``FoldLag/recovery`` ends it, or the end of the log.
        case behind
    }

    /// Who takes longer is behind.
    package static let limit: Duration = .seconds(5)
    /// Who is behind has to be so fast again.
    package static let recovery: Duration = .seconds(1)

    package private(set) var state = State.starting
    private var awaited: Place?

    private struct Place: Equatable {
        let position: Position
        let since: Moment
    }

    package init() {}

    /// The log was seen to end somewhere.
    package mutating func expect(_ head: Position, from reached: Position, at now: Moment) {
        reach(reached, at: now)
        if reached >= head {
            (state, awaited) = (.current, nil)
            return
        }
        let place = awaited ?? Place(position: head, since: now)
        awaited = place
        if state == .current, now - place.since > Self.limit { state = .behind }
    }

    /// The read models have come to a position.
    package mutating func reach(_ position: Position, at now: Moment) {
        guard let place = awaited, position >= place.position else { return }
        awaited = nil
        if state == .starting || now - place.since <= Self.recovery { state = .current }
    }
}
