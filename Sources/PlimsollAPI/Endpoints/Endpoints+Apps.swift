package import PlimsollDomain

extension Endpoints {
    static let apps: [any EndpointDeclaration] = [
        registerApp, listApps, getApp, chooseDefaultApp, getSettings, changeSettings, rollBack,
    ]

    package static let registerApp = Write<NoNames, RegistrationForm, AppAnswer>(
        .post("registerApp", "/v1/apps"),
        "Register an app.",
        status: 201
    )

    package static let listApps = Read<NoNames, AppList>(
        .get("listApps", "/v1/apps"),
        "Every app that the caller may see, as it is or was.",
        query: .moment
    )

    package static let getApp = Read<AppSlug, AppAnswer>(
        .get("getApp", "/v1/apps/{app}"),
        "An app as it is or was, and the position that a proposal is based on.",
        query: .moment
    )

    package static let chooseDefaultApp = Write<AppSlug, DefaultAppForm, DefaultAppAnswer>(
        .post("chooseDefaultApp", "/v1/apps/{app}/default"),
        "Have the app's documents stand at the addresses without an app's name.",
        mayMeet: [.stale]
    )

    package static let getSettings = Read<AppSlug, SettingsAnswer>(
        .get("getSettings", "/v1/apps/{app}/settings"),
        "The settings of an app: name, platforms, languages and profile.",
        query: .moment
    )

    package static let changeSettings = Endpoint<
        AppSlug, SeenSettings, SettingsForm, SettingsAnswer
    >(
        .put("changeSettings", "/v1/apps/{app}/settings"),
        "Give an app other settings, all of them at once."
    )

    package static let rollBack = Write<AppSlug, RollbackForm, RollbackAnswer>(
        .post("rollBack", "/v1/apps/{app}/rollback"),
        "Roll back: restore documents to an earlier state, at once, by one person.",
        mayMeet: [.stale]
    )
}
