import Hummingbird

/// Every route there is; the router is held against it, and the documentation is made from it.
struct RouteTable {
    let routes: [RouteDescription]

    static let service = RouteTable(
        routes: RouteTag.allCases.flatMap { tag in
            tag.routes.map { route in
                var route = route
                route.tag = tag
                return route
            }
        }
    )

    /// What is answered at an address of its own as well.
    static let health = RouteTable(
        routes: service.routes.filter { ["/healthz", "/readyz"].contains($0.path) }
    )

    /// The methods that lead somewhere at the path, or `nil` where nothing is.
    func methods(at path: String) -> [String]? {
        let found = routes.filter { $0.leads(from: path) }.map(\.method)
        guard !found.isEmpty else { return nil }
        let heads: [HTTPRequest.Method] = found.contains(.get) ? [.head] : []
        return Set(found + heads + [.options]).map(\.rawValue).sorted()
    }
}

extension RouteTable {
    typealias Parameter = RouteDescription.Parameter

    /// The point in the life of the service that an answer is of.
    static let moment = [
        Parameter(name: "at", schema: .instant),
        Parameter(name: "event", schema: .position),
    ]

    /// Which part of a list.
    static func paging(most maximum: Int) -> [Parameter] {
        [
            Parameter(name: "limit", schema: .integer(from: 1, to: Int64(maximum))),
            Parameter(name: "cursor", schema: .cursor),
        ]
    }
}

/// What routes are about, by which documentation and generated clients sort them.
enum RouteTag: String, CaseIterable {
    case apps = "Apps"
    case documents = "Documents"
    case changes = "Changes"
    case policies = "Policies"
    case incidents = "Incidents"
    case releases = "Releases"
    case log = "Event log"
    case keys = "Signing keys"
    case access = "Access"
    case webhooks = "Webhooks"
    case operations = "Operations"

    var routes: [RouteDescription] {
        switch self {
        case .apps: RouteTable.apps
        case .documents: RouteTable.documents
        case .changes: RouteTable.changes + RouteTable.schedules + RouteTable.checks
        case .policies: RouteTable.policies
        case .incidents: RouteTable.freezes + RouteTable.emergencies + RouteTable.reviews
        case .releases: RouteTable.releases
        case .log: RouteTable.records + RouteTable.log
        case .keys: RouteTable.keys
        case .access: RouteTable.access
        case .webhooks: RouteTable.webhooks + RouteTable.webhookMessages
        case .operations: RouteTable.operations
        }
    }

    var description: String {
        switch self {
        case .apps: "Apps, their settings, and rolling them back."
        case .documents:
            "The documents that phones read, now or earlier; differences, simulations, dry runs."
        case .changes: "Proposals, approvals, schedules and checks."
        case .policies: "Who has to approve what."
        case .incidents: "Blocking a version, emergencies, freezes, and their reviews."
        case .releases: "Which versions exist, and how many devices run each."
        case .log: "The event log, its exports, and the transparency log that proves it."
        case .keys: "The keys that sign what phones read."
        case .access: "Principals, their roles and their tokens."
        case .webhooks: "Who is sent events, and what came of it."
        case .operations: "Health, metrics, and this description."
        }
    }
}
