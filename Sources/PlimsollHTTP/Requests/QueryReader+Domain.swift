import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollService

/// Parameters that several resources have.
extension QueryReader {
    /// `limit`: how many members of a list at a time.
    mutating func limit(_ usual: Int, most maximum: Int) -> Int {
        one("limit", "a whole number from 1 to \(maximum)") { text in
            Int(text).flatMap { (1...maximum).contains($0) ? $0 : nil }
        } ?? usual
    }

    /// `cursor`: where to go on in the list that answers the question.
    mutating func cursor(of question: [String]) -> Int64? {
        one("cursor", Cursor.grammar) { Cursor($0, of: question) }?.place
    }

    /// `at` and `event`: a point in the life of the service, or now.
    mutating func moment() -> Moment {
        let time = one("at", Instant.grammar, Instant.init(rfc3339:))
        let event = one("event", Position.grammar) {
            Int64($0).flatMap(Position.init(rawValue:))
        }
        if time != nil, event != nil {
            object(to: "at", code: "twoMoments", "Give a time or an event, but not both.")
        }
        return event.map(Moment.event) ?? time.map(Moment.time) ?? .live
    }

    /// An instant or a position.
    mutating func bound(_ name: String) -> EventQuery.Bound? {
        one(name, "\(Instant.grammar), or \(Position.grammar)") { text in
            if let position = Int64(text).flatMap(Position.init(rawValue:)) {
                return .position(position)
            }
            return Instant(rfc3339: text).map { .time($0) }
        }
    }
}
