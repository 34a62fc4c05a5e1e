import Foundation
import PlimsollAPI
import PlimsollDomain

/// Which acts were emergencies or rollbacks, whichever of their events a list has.
struct ImmediateActs {
    private let emergencies: Set<UUID>
    private let rollbacks: Set<UUID>

    init(_ events: [EventAnswer]) {
        let all = { (type: String) in
            Set(events.filter { $0.body.type == type }.map(\.origin.correlation))
        }
        (emergencies, rollbacks) = (all("EmergencyApplied"), all("RolledBack"))
    }

    func marks(of event: EventAnswer) -> Fields {
        let act = event.origin.correlation
        return ["isEmergency": emergencies.contains(act), "isRollback": rollbacks.contains(act)]
    }
}

extension Visit {
    /// Those of some events, of which a filter may have left out the one that says so.
    ///
    /// What one act records stands together, so it is looked for among those and a little before.
    func immediateActs(around events: [EventAnswer]) async throws -> ImmediateActs {
        let positions = events.map(\.position)
        guard let first = positions.min(), let last = positions.max() else {
            return ImmediateActs([])
        }
        var filter = EventFilter()
        filter.apps = Array(Set(events.compactMap(\.app))).sorted()
        filter.types = ["EmergencyApplied", "RolledBack"]
        let start = Position(rawValue: max(1, first.rawValue - Self.actEventsMaximum)) ?? first
        let end = Position(rawValue: last.rawValue + Self.actEventsMaximum) ?? last
        (filter.since, filter.until) = (.position(start), .position(end))
        guard !filter.apps.isEmpty else { return ImmediateActs(events) }
        let found = try await readableEvents(filter, PageOptions(limit: 500))
        return ImmediateActs(events + found)
    }

    /// More than one act records: an event for each field that it writes, and some beside.
    private static let actEventsMaximum = Int64(2 * ProposeChange.operationsMaximum)
}
