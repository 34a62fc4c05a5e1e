package import PlimsollDomain

/// A point in the life of the service, as a person names it.
package enum Moment: Equatable, Sendable {
    case live
    /// After the last whole append that ends at or before the event.
    case event(Position)
    case time(Instant)
}
