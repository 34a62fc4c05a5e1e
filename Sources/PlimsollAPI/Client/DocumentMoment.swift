package import PlimsollDomain

/// Which state of a document is asked for.
package enum DocumentMoment: Equatable, Sendable {
    case live
    /// After the append that the event belongs to.
    case event(Position)
    case time(Instant)

    var query: [(name: String, value: String)] {
        switch self {
        case .live: []
        case .event(let position): [("event", position.description)]
        case .time(let instant): [("at", instant.rfc3339)]
        }
    }
}
