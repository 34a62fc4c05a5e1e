import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollProjection
import PlimsollUseCases

/// Every route there is; the router is held against it, and the documentation is made from it.
struct RouteTable {
    let routes: [RouteDescription]

    static let service = RouteTable(
        routes: apps + documents + changes + freezes + records + log + access + operations
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
    private typealias Parameter = RouteDescription.Parameter

    private static let moment = [
        Parameter(name: "at", schema: .instant),
        Parameter(name: "event", schema: .position),
    ]

    private static func paging(most maximum: Int) -> [Parameter] {
        [
            Parameter(name: "limit", schema: .integer(from: 1, to: Int64(maximum))),
            Parameter(name: "cursor", schema: .cursor),
        ]
    }

    private static let device = [
        Parameter(name: "platform", schema: .platform, isRequired: true),
        Parameter(name: "os", schema: .dottedVersion, isRequired: true),
        Parameter(name: "app", schema: .dottedVersion, isRequired: true),
        Parameter(name: "store", schema: .dottedVersion),
        Parameter(name: "language", schema: .language, isRequired: true),
    ]

    private static let apps = [
        RouteDescription(
            method: .post,
            path: "/v1/apps",
            name: "registerApp",
            summary: "Put an app above the line.",
            body: "Registration",
            answer: .init(schema: "App"),
            status: 201
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps",
            name: "listApps",
            summary: "Every app that the caller may see, as it is or was.",
            query: moment,
            answer: .init(schema: "AppList")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}",
            name: "getApp",
            summary: "An app as it is or was, and the position that a proposal is based on.",
            query: moment,
            answer: .init(schema: "App")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/rollback",
            name: "rollBack",
            summary: "Bring documents back to an earlier state, at once and by one person.",
            body: "Rollback",
            answer: .init(schema: "RollbackReceipt")
        ),
    ]

    private static let documents = [
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/documents/{platform}",
            name: "getDocument",
            summary: "A document, as it is or as it was.",
            query: moment,
            answer: .init(schema: "Document")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/documents/{platform}/blame",
            name: "blameDocument",
            summary: "Who put there what each field of a document holds, who approved it and why.",
            query: moment,
            answer: .init(schema: "Blame")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/documents/{platform}/history",
            name: "getFieldHistory",
            summary: "Every event that wrote a field, newest first, and the people behind it.",
            query: [Parameter(name: "field", schema: .field, isRequired: true)] + moment
                + paging(most: FieldHistoryQuery.limitMaximum),
            answer: .init(schema: "FieldHistory")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/diff",
            name: "diffStates",
            summary: "What is different between two states, field by field.",
            query: [
                Parameter(name: "from", schema: .state, isRequired: true),
                Parameter(name: "to", schema: .state, isRequired: true),
                Parameter(name: "platform", schema: .platform, isRepeatable: true),
            ],
            answer: .init(schema: "Diff")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/simulate",
            name: "simulate",
            summary: "What a device shows, now or then.",
            query: device + moment,
            answer: .init(schema: "Simulation")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/simulate",
            name: "simulateEdits",
            summary: "What a device would show after edits; nothing is written.",
            body: "SimulationOrder",
            answer: .init(schema: "Simulation"),
            isQuestion: true
        ),
    ]

    private static let changes = [
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/changes",
            name: "proposeChange",
            summary: "Put operations up for approval.",
            body: "Proposal",
            answer: .init(schema: "Change"),
            status: 201
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/changes",
            name: "listChanges",
            summary: "The changes of an app as they stand or stood, newest first.",
            query: [
                Parameter(name: "state", schema: .names(ChangeState.self), isRepeatable: true)
            ] + moment + paging(most: ChangeQuery.limitMaximum),
            answer: .init(schema: "ChangeList")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/changes/{change}",
            name: "getChange",
            summary: "A change, its effect on what is live, and where it stands.",
            answer: .init(schema: "Change")
        ),
        decision(
            "approve",
            "Approval",
            "Approve what was seen; with the last approval it applies."
        ),
        decision("reject", "Rejection", "Turn a change down for good."),
        decision("withdraw", "Nothing", "Take an own change back."),
        decision(
            "request-changes",
            named: "requestChanges",
            "Rejection",
            "Ask the author of a change for something else."
        ),
        RouteDescription(
            method: .post,
            path: "/v1/changes/{change}/comment",
            name: "commentOnChange",
            summary: "Say something about a change, for all who decide on it.",
            body: "Comment",
            answer: .init(schema: "Change")
        ),
        decision("revise", "Revision", "Put other operations in the place of a change's."),
        decision(
            "apply",
            "Nothing",
            "Bring a change into force that has its approvals and was kept waiting."
        ),
    ]

    private static func decision(
        _ verb: String,
        named name: String? = nil,
        _ body: String,
        _ summary: String
    ) -> RouteDescription {
        RouteDescription(
            method: .post,
            path: "/v1/changes/{change}/\(verb)",
            name: name ?? "\(verb)Change",
            summary: summary,
            body: body,
            answer: .init(schema: "Change"),
            bindsToDigest: true
        )
    }

    private static let records = [
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
            summary: "What was published of an app, newest first.",
            query: [Parameter(name: "app", schema: .slug, isRequired: true)]
                + paging(most: PublicationController.limitMaximum),
            answer: .init(schema: "SnapshotList")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/keys",
            name: "listKeys",
            summary: "The public halves of the signing keys.",
            answer: .init(schema: "KeyList")
        ),
    ]

    private static let access = [
        RouteDescription(
            method: .post,
            path: "/v1/tokens",
            name: "issueToken",
            summary: "Let somebody in; the secret is shown this once.",
            body: "TokenOrder",
            answer: .init(schema: "IssuedToken"),
            status: 201,
            answersWhole: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/tokens",
            name: "listTokens",
            summary: "The tokens that the caller may administer, and own ones.",
            answer: .init(schema: "TokenList")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/tokens/{token}",
            name: "revokeToken",
            summary: "Put an end to a token, at once; only tried, it says so.",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/principals",
            name: "listPrincipals",
            summary: "Everybody whom the caller may know by name.",
            answer: .init(schema: "PrincipalList")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/principals/{principal}/name",
            name: "eraseName",
            summary: "Erase what somebody is called, for good; only tried, it says so.",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/me",
            name: "getIdentity",
            summary: "Who the caller is, and what they may do.",
            answer: .init(schema: "Identity")
        ),
    ]

    private static let operations = [
        RouteDescription(
            method: .get,
            path: "/healthz",
            name: "getHealth",
            summary: "Whether the process lives.",
            answer: .init(schema: "Health")
        ),
        RouteDescription(
            method: .get,
            path: "/readyz",
            name: "getReadiness",
            summary: "Whether the service does its work.",
            answer: .init(schema: "Health")
        ),
        RouteDescription(
            method: .get,
            path: "/metrics",
            name: "getMetrics",
            summary: "What was counted and measured, for Prometheus.",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/problems/{problem}",
            name: "getProblem",
            summary: "What a kind of problem means and how to clear it, for people.",
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
