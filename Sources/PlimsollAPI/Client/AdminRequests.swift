package import Foundation
package import PlimsollDomain

/// A point in the life of the service, as a person names it.
package enum DocumentMoment: Equatable, Sendable {
    case live
    /// After the append that the event belongs to.
    case event(Position)
    case time(Instant)

    package var query: [(name: String, value: String)] {
        switch self {
        case .live: []
        case .event(let position): [("event", position.description)]
        case .time(let instant): [("at", instant.rfc3339)]
        }
    }

    /// As a comparison names it.
    package var state: StateName {
        switch self {
        case .live: .live
        case .event(let position): .event(position)
        case .time(let instant): .time(instant)
        }
    }
}

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

    /// `nil` for what an event says and no more.
    package var addition: Addition?

    /// What each event of a stream of lines has besides.
    package enum Addition: String, CaseIterable, Sendable {
        /// Its entry, which is hashed; for auditors of all apps.
        case entries
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

    package var query: [(name: String, value: String)] {
        apps.map { ("app", $0.text) } + types.map { ("type", $0) }
            + actors.map { ("actor", $0.text) } + platforms.map { ("platform", $0.rawValue) }
            + fields.map { ("field", $0.path) } + changes.map { ("change", $0.description) }
            + correlations.map { ("correlation", $0.uuidString.lowercased()) }
            + reasons.map { ("reason", $0) }
            + (since.map { [("since", $0.text)] } ?? [])
            + (until.map { [("until", $0.text)] } ?? [])
            + (order.map { [("order", $0.rawValue)] } ?? [])
            + (addition.map { [("with", $0.rawValue)] } ?? [])
    }
}

/// Which part of a list is asked for.
package struct PageOptions: Equatable, Sendable {
    /// `nil` for as many as the service usually gives.
    package let limit: Int?
    /// What an earlier part gave as the beginning of this one.
    package let cursor: String?

    package init(limit: Int? = nil, after cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    package var query: [(name: String, value: String)] {
        (limit.map { [("limit", String($0))] } ?? []) + (cursor.map { [("cursor", $0)] } ?? [])
    }
}

/// How a write is to be taken: under which name, and whether for real.
package struct WriteOptions: Equatable, Sendable {
    /// Whether a write is carried out, or only decided as a dry run.
    package enum Mode: Sendable {
        case commit
        /// All checks are made, and nothing is written.
        case dryRun
    }

    package let mode: Mode
    /// The same key sent twice does it once.
    package let idempotencyKey: String
    /// What was asked under the key, where the body says more than that; `nil` is the body.
    package let input: String?

    package init(
        _ mode: Mode = .commit,
        idempotencyKey: String? = nil,
        input: String? = nil
    ) {
        self.mode = mode
        self.idempotencyKey = idempotencyKey ?? UUID().uuidString.lowercased()
        self.input = input
    }

    /// A key names one write, and a dry run is another one than the act.
    package func dryRun() -> WriteOptions { WriteOptions(.dryRun) }

    var query: [(name: String, value: String)] {
        mode == .dryRun ? [("dryRun", "true")] : []
    }
}
