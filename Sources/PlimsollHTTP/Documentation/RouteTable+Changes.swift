import HTTPTypes
import PlimsollDomain
import PlimsollStore

extension RouteTable {
    static let changes = [
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/changes",
            name: "proposeChange",
            summary: "Propose operations for approval.",
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
                Parameter(name: "state", schema: .names(ChangeState.self), isRepeatable: true),
                Parameter(name: "needsMe", schema: .boolean),
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
            "Approve what was seen; with the last approval it applies, or waits for its time."
        ),
        decision("reject", "Rejection", "Reject a change, for good."),
        decision("withdraw", "Nothing", "Withdraw a change of yours."),
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
            summary: "Comment on a change, for all who decide on it.",
            body: "Comment",
            answer: .init(schema: "Change")
        ),
        decision("revise", "Revision", "Put other operations in the place of a change's."),
        decision(
            "apply",
            "Nothing",
            "Apply a change that has its approvals and was kept waiting."
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
}
