import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollStore

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

extension RouteTable {
    static let operations = [
        RouteDescription(
            method: .get,
            path: "/healthz",
            name: "getHealth",
            summary: "Liveness: 200 while the process runs.",
            answer: .init(schema: "Health")
        ),
        RouteDescription(
            method: .get,
            path: "/readyz",
            name: "getReadiness",
            summary: "Readiness: 200 while the service does its work.",
            answer: .init(schema: "Health")
        ),
        RouteDescription(
            method: .get,
            path: "/metrics",
            name: "getMetrics",
            summary: "Metrics in the form that Prometheus reads.",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/problems/{problem}",
            name: "getProblem",
            summary: "Explains a kind of problem and how to clear it, for people.",
            answer: .init(schema: nil, mediaTypes: [.html])
        ),
        RouteDescription(
            method: .get,
            path: "/openapi.json",
            name: "getDescription",
            summary: "This description."
        ),
    ]
}

extension RouteTable {
    static let log = [
        RouteDescription(
            method: .get,
            path: "/v1/log/checkpoint",
            name: "getLogCheckpoint",
            summary: "The newest signed checkpoint over the record.",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/v1/log/key",
            name: "getLogKey",
            summary: "The verifier key of the transparency log.",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/v1/log/tile/{level}/{index}",
            name: "getLogTile",
            summary: "A tile: its level, or entries, and its index in parts such as x001/234.p/5.",
            answer: .init(schema: nil, mediaTypes: [.octets]),
            isDeep: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/log/cosignatures",
            name: "addCosignatures",
            summary: "Adds the lines of witnesses to a checkpoint, which is sent with them.",
            bytes: .plainText,
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/v1/events/{position}/proof",
            name: "getEventProof",
            summary: "The proof that an event is in the newest checkpoint (C2SP tlog-proof).",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
    ]
}

extension RouteTable {
    static let records = [
        RouteDescription(
            method: .get,
            path: "/v1/events",
            name: "listEvents",
            summary: "The record, newest first; a filter that is repeated means either.",
            query: [
                Parameter(name: "app", schema: .slug, isRepeatable: true),
                Parameter(name: "type", schema: .names(EventBody.types), isRepeatable: true),
                Parameter(name: "actor", schema: .principal, isRepeatable: true),
                Parameter(name: "platform", schema: .platform, isRepeatable: true),
                Parameter(name: "field", schema: .field, isRepeatable: true),
                Parameter(name: "change", schema: .change, isRepeatable: true),
                Parameter(name: "correlation", schema: .uuid, isRepeatable: true),
                Parameter(name: "reason", schema: .string, isRepeatable: true),
                Parameter(name: "since", schema: .oneOf([.instant, .position])),
                Parameter(name: "until", schema: .oneOf([.instant, .position])),
                Parameter(name: "order", schema: .names(EventQuery.Order.self)),
            ] + paging(most: EventQuery.limitMaximum),
            answer: .init(schema: "EventList", mediaTypes: EventController.listForms)
        ),
        RouteDescription(
            method: .get,
            path: "/v1/events/{position}",
            name: "getEvent",
            summary: "One event.",
            answer: .init(schema: "Event", mediaTypes: EventController.eventForms)
        ),
        RouteDescription(
            method: .get,
            path: "/v1/snapshots",
            name: "listSnapshots",
            summary: "The published snapshots of an app, newest first.",
            query: [Parameter(name: "app", schema: .slug, isRequired: true)]
                + paging(most: PublicationController.limitMaximum),
            answer: .init(schema: "SnapshotList")
        ),
    ]
}
