package import Foundation
package import PlimsollDomain

/// Which events of the record are asked for; several values of one kind mean either.
package struct EventFilter: Equatable, Sendable {
    package var apps: [AppSlug] = []
    package var types: [String] = []
    package var actors: [PrincipalID] = []
    package var platforms: [Platform] = []
    package var fields: [Field] = []
    package var changes: [ChangeID] = []
    package var correlations: [UUID] = []
    /// Words that stand in a reason.
    package var reasons: [String] = []
    package var since: Bound?
    package var until: Bound?
    /// `nil` for the newest first.
    package var order: Order?

    /// Which end of the record comes first.
    package enum Order: String, CaseIterable, Sendable {
        case newest
        case oldest
    }

    /// An end of a span of the record.
    package enum Bound: Equatable, Sendable {
        case time(Instant)
        case position(Position)

        var text: String {
            switch self {
            case .time(let instant): instant.rfc3339
            case .position(let position): position.description
            }
        }
    }

    package init() {}

    var query: [(name: String, value: String)] {
        apps.map { ("app", $0.text) } + types.map { ("type", $0) }
            + actors.map { ("actor", $0.text) } + platforms.map { ("platform", $0.rawValue) }
            + fields.map { ("field", $0.path) } + changes.map { ("change", $0.description) }
            + correlations.map { ("correlation", $0.uuidString.lowercased()) }
            + reasons.map { ("reason", $0) }
            + (since.map { [("since", $0.text)] } ?? [])
            + (until.map { [("until", $0.text)] } ?? [])
            + (order.map { [("order", $0.rawValue)] } ?? [])
    }
}
