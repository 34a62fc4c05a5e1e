/// Every request that the service answers.
package enum Endpoints {
    package static let all = EndpointTag.allCases.flatMap { tag in
        tag.endpoints.map { endpoint in
            var facts = endpoint.facts
            facts.tag = tag
            return facts
        }
    }
}

/// What endpoints are about, by which documentation and generated clients sort them.
package enum EndpointTag: String, CaseIterable, Sendable {
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

    var endpoints: [any EndpointDeclaration] {
        switch self {
        case .apps: Endpoints.apps
        case .documents: Endpoints.documents
        case .changes: Endpoints.changes
        case .policies: Endpoints.policies
        case .incidents: Endpoints.incidents
        case .releases: Endpoints.releases
        case .log: Endpoints.log
        case .keys: Endpoints.keys
        case .access: Endpoints.access
        case .webhooks: Endpoints.webhooks
        case .operations: Endpoints.operations
        }
    }

    package var description: String {
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
