package import PlimsollDomain

/// A point in the life of the service, as a person names it.
package enum Moment: Equatable, Sendable {
    case live
    /// After the append that the event belongs to.
    case event(Position)
    case time(Instant)
}
