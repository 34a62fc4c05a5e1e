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
    ]
}
