import HTTPTypes

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
