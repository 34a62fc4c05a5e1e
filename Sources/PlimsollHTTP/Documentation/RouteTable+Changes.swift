import HTTPTypes
import PlimsollDomain
import PlimsollService
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

extension RouteTable {
    static let schedules = [
        RouteDescription(
            method: .post,
            path: "/v1/changes/{change}/schedule",
            name: "scheduleChange",
            summary: "Give a change a time of its own, another one, or none; approvals of what it"
                + " was count no more.",
            body: "Scheduling",
            answer: .init(schema: "Change"),
            bindsToDigest: true
        )
    ]
}

extension RouteTable {
    static let documents = [
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
            summary: "Blame: who last changed each field of a document, who approved it and why.",
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
            summary: "The differences between two states, field by field.",
            query: [
                Parameter(name: "from", schema: .state, isRequired: true),
                Parameter(name: "to", schema: .state, isRequired: true),
                Parameter(name: "platform", schema: .platform, isRepeatable: true),
            ],
            answer: .init(schema: "Diff")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/prince-of-versions",
            name: "getPrinceOfVersions",
            summary: "The document for clients of Prince of Versions, and what it cannot say.",
            query: moment + [Parameter(name: "in", schema: .state)],
            answer: .init(schema: "PrinceOfVersions")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/simulate",
            name: "simulate",
            summary: "Simulates a device now, at a time, under a change or after a rollback.",
            query: device + moment + [
                Parameter(name: "from", schema: .state), Parameter(name: "to", schema: .state),
            ],
            answer: .init(schema: "Simulation")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/simulate",
            name: "simulateEdits",
            summary: "Simulates a device after edits; nothing is written.",
            body: "SimulationOrder",
            answer: .init(schema: "Simulation"),
            isQuestion: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/matrix",
            name: "simulateReleases",
            summary: "Simulates every known release on every system that counts, in two states.",
            query: [
                Parameter(name: "platform", schema: .platform, isRequired: true),
                Parameter(name: "from", schema: .state), Parameter(name: "to", schema: .state),
            ],
            answer: .init(schema: "Matrix")
        ),
    ]

    private static let device = [
        Parameter(name: "platform", schema: .platform, isRequired: true),
        Parameter(name: "os", schema: .dottedVersion, isRequired: true),
        Parameter(
            name: "app",
            schema: .dottedVersion,
            isRequired: true,
            description: "The version of the app that runs on the device."
        ),
        Parameter(name: "store", schema: .dottedVersion),
        Parameter(name: "language", schema: .languages, isRequired: true),
        Parameter(name: "client", schema: .simulatedClient),
    ]
}

extension RouteTable {
    static let releases = [
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/releases",
            name: "listReleases",
            summary: "The versions of an app that are known to exist, now or then.",
            query: [Parameter(name: "platform", schema: .platform, isRepeatable: true)] + moment,
            answer: .init(schema: "ReleaseList")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/apps/{app}/releases/{platform}/{version}",
            name: "registerRelease",
            summary: "Register a version; registering it again changes nothing.",
            body: "ReleaseOrder",
            answer: .init(schema: "Release")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/releases/{platform}/{version}/amend",
            name: "amendRelease",
            summary: "Correct facts of a release.",
            body: "ReleaseAmendment",
            answer: .init(schema: "Release")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/releases/{platform}/{version}",
            name: "withdrawRelease",
            summary: "Remove a release that does not exist.",
            body: "ReleaseWithdrawal",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/shares/{platform}",
            name: "getVersionShares",
            summary: "The last count of an app's devices on a platform.",
            answer: .init(schema: "VersionShares")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/apps/{app}/shares/{platform}",
            name: "replaceVersionShares",
            summary: "Replace the count of devices of a platform.",
            body: "VersionSharesOrder",
            answer: .init(schema: "VersionShares")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/shares/{platform}",
            name: "removeVersionShares",
            summary: "Remove the count of devices of a platform.",
            body: "VersionSharesRemoval",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
    ]
}
