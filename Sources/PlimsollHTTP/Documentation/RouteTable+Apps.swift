import HTTPTypes

extension RouteTable {
    static let apps = [
        RouteDescription(
            method: .post,
            path: "/v1/apps",
            name: "registerApp",
            summary: "Register an app.",
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
            path: "/v1/apps/{app}/default",
            name: "chooseDefaultApp",
            summary: "Have the app's documents stand at the addresses without an app's name.",
            body: "DefaultAppOrder",
            answer: .init(schema: "DefaultApp")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/apps/{app}/settings",
            name: "getSettings",
            summary: "The settings of an app: name, platforms, languages and profile.",
            query: moment,
            answer: .init(schema: "SettingsInForce")
        ),
        RouteDescription(
            method: .put,
            path: "/v1/apps/{app}/settings",
            name: "changeSettings",
            summary: "Give an app other settings, all of them at once.",
            body: "SettingsOrder",
            answer: .init(schema: "SettingsInForce"),
            bindsToSettings: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/rollback",
            name: "rollBack",
            summary: "Roll back: restore documents to an earlier state, at once, by one person.",
            body: "Rollback",
            answer: .init(schema: "RollbackReceipt")
        ),
    ]
}
