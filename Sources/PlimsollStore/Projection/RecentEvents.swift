package import PlimsollDomain
import Synchronization

/// The newest events of the log, for those who follow it: however many they are, each event is
/// read once.
package final class RecentEvents: Sendable {
    private let events = Mutex<[AuditedEvent]>([])

    /// How many are kept; an event is at most as large as an entry of the log.
    package static let countMaximum = 1000

    package init() {}

    /// Takes in what follows; what does not follow begins anew.
    package func append(_ new: [AuditedEvent]) {
        guard let first = new.first else { return }
        events.withLock { events in
            if events.last.map({ $0.position.advanced(by: 1) != first.position }) ?? false {
                events = []
            }
            events += new.suffix(Self.countMaximum)
            // In bulk, so that it does not move all of them for each new one.
            if events.count >= 2 * Self.countMaximum {
                events.removeFirst(events.count - Self.countMaximum)
            }
        }
    }

    /// What follows a position; `nil` where the first of it is not kept any more, or not yet.
    package func events(after position: Position) -> [AuditedEvent]? {
        events.withLock { events in
            guard let first = events.first, let last = events.last,
                first.position <= position.advanced(by: 1), position < last.position
            else { return nil }
            let offset = Int(position.rawValue - first.position.rawValue) + 1
            return Array(events[offset...])
        }
    }

    /// They may be others than those of the database.
    package func forget() {
        events.withLock { $0 = [] }
    }
}
