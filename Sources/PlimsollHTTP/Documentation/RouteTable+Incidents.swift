import HTTPTypes
import PlimsollService

extension RouteTable {
    static let emergencies = [
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/emergency",
            name: "declareEmergency",
            summary: "Apply operations at once, by one person, and open a review.",
            body: "Emergency",
            answer: .init(schema: "EmergencyReceipt")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/block",
            name: "blockVersion",
            summary: "Block all versions of an app below one (kill switch), as an emergency.",
            body: "Block",
            answer: .init(schema: "EmergencyReceipt")
        ),
    ]

    static let checks = [
        RouteDescription(
            method: .post,
            path: "/v1/changes/{change}/override",
            name: "overrideCheck",
            summary: "Override a check, with a reason, where the policy lets the caller.",
            body: "Override",
            answer: .init(schema: "Change"),
            bindsToDigest: true
        )
    ]

    static let reviews = [
        RouteDescription(
            method: .get,
            path: "/v1/reviews",
            name: "listReviews",
            summary: "The reviews of emergency actions, oldest first.",
            query: [
                .init(name: "app", schema: .slug, isRepeatable: true),
                .init(name: "owner", schema: .principal, isRepeatable: true),
                .init(name: "overdue", schema: .boolean),
                .init(
                    name: "limit",
                    schema: .integer(from: 1, to: Int64(ReviewQuery.limitMaximum))
                ),
                .init(name: "cursor", schema: .cursor),
            ],
            answer: .init(schema: "ReviewList")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/reviews/{position}",
            name: "getReview",
            summary: "A review, open or closed, by the position of the event that ordered it.",
            answer: .init(schema: "Review")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/reviews/{position}/close",
            name: "closeReview",
            summary: "Close a review; never by whoever acted, nor by somebody they let in.",
            body: "ReviewFinding",
            answer: .init(schema: "Review")
        ),
    ]
}

extension RouteTable {
    static let freezes = [
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/freeze",
            name: "freezeApp",
            summary: "Freeze an app: nothing is applied but rollbacks and emergencies.",
            body: "FreezeOrder",
            answer: .init(schema: "Freeze")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/freeze",
            name: "thawApp",
            summary: "Allow changes of an app to be applied again.",
            body: "Thaw",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/freeze",
            name: "freezeAll",
            summary: "Freeze all apps: nothing is applied but rollbacks and emergencies.",
            body: "FreezeOrder",
            answer: .init(schema: "Freeze")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/freeze",
            name: "thawAll",
            summary: "End the freeze of all apps.",
            body: "Thaw",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/freeze",
            name: "getFreeze",
            summary: "What freezes an app now, and what is planned to.",
            answer: .init(schema: "Freezes")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/freeze",
            name: "getFreezeOfAll",
            summary: "What freezes all apps now, and what is planned to.",
            answer: .init(schema: "Freezes")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/freeze/plans",
            name: "planFreeze",
            summary: "Plan a freeze of an app ahead.",
            body: "FreezePlanOrder",
            answer: .init(schema: "FreezePlan")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/freeze/plans",
            name: "planFreezeOfAll",
            summary: "Plan a freeze of all apps ahead.",
            body: "FreezePlanOrder",
            answer: .init(schema: "FreezePlan")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/freeze/plans/{position}",
            name: "cancelFreezePlan",
            summary: "Take back a freeze of an app that is planned; only tried, it says so.",
            body: "Thaw",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/freeze/plans/{position}",
            name: "cancelFreezePlanOfAll",
            summary: "Take back a freeze of all apps that is planned; only tried, it says so.",
            body: "Thaw",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
    ]
}
