import HTTPTypes

extension RouteTable {
    static let freezes = [
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/freeze",
            name: "freezeApp",
            summary: "Keep all changes of an app from applying but rollbacks and emergencies.",
            body: "FreezeOrder",
            answer: .init(schema: "Freeze")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/freeze",
            name: "thawApp",
            summary: "Let changes of an app apply again; only tried, it says so.",
            body: "Thaw",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/freeze",
            name: "freezeAll",
            summary: "Keep all changes of all apps from applying but rollbacks and emergencies.",
            body: "FreezeOrder",
            answer: .init(schema: "Freeze")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/freeze",
            name: "thawAll",
            summary: "End the freeze of all apps; only tried, it says so.",
            body: "Thaw",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
    ]
}
