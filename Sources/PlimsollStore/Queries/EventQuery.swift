package import Foundation
package import PlimsollDomain

/// Which events of the record are wanted; what is empty or `nil` does not narrow them.
package struct EventQuery: Equatable, Sendable {
    package var apps: [AppSlug] = []
    /// The platforms of which an event wrote a field.
    package var platforms: [Platform] = []
    package var fields: [Field] = []
    package var types: [EventType] = []
    package var actors: [PrincipalID] = []
    package var changes: [ChangeID] = []
    package var correlations: [UUID] = []
    /// Words that stand in a reason, in capitals or not.
    package var reasons: [String] = []
    package var since: Bound?
    package var until: Bound?
    package var order = Order.newestFirst
    /// The end of what is asked about, whatever has been recorded since.
    package var end: Position?
    /// The position behind which to go on.
    package var after: Position?
    package var limit = 100

    package static let limitMaximum = 1000

    package init() {}

    /// An instant or a position, both inclusive.
    package enum Bound: Equatable, Sendable {
        case time(Instant)
        case position(Position)
    }

    /// Which end of the log to begin at.
    package enum Order: String, CaseIterable, Sendable {
        case newestFirst = "newest"
        case oldestFirst = "oldest"
    }
}
