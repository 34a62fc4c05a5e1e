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

extension Endpoints {
    static let documents: [any EndpointDeclaration] = [
        getDocument, blameDocument, getFieldHistory, diffStates, getPrinceOfVersions, simulate,
        simulateEdits, simulateReleases,
    ]

    package static let getDocument = Read<AppPlatform, DocumentAnswer>(
        .get("getDocument", "/v1/apps/{app}/documents/{platform}"),
        "A document, as it is or as it was.",
        query: .moment
    )

    package static let blameDocument = Read<AppPlatform, BlameAnswer>(
        .get("blameDocument", "/v1/apps/{app}/documents/{platform}/blame"),
        "Blame: who last changed each field of a document, who approved it and why.",
        query: .moment
    )

    package static let getFieldHistory = Read<AppPlatform, FieldHistoryAnswer>(
        .get("getFieldHistory", "/v1/apps/{app}/documents/{platform}/history"),
        "Every event that wrote a field, newest first, and the people behind it.",
        query: [.required("field", .field)] + .moment + .paging(most: 500)
    )

    package static let diffStates = Read<AppSlug, DiffAnswer>(
        .get("diffStates", "/v1/apps/{app}/diff"),
        "The differences between two states, field by field.",
        query: [
            .required("from", .state), .required("to", .state),
            .repeatable("platform", .platform),
        ]
    )

    package static let getPrinceOfVersions = Read<AppSlug, PrinceOfVersionsAnswer>(
        .get("getPrinceOfVersions", "/v1/apps/{app}/prince-of-versions"),
        "The document for clients of Prince of Versions, and what it cannot say.",
        query: .moment + [.optional("in", .state)]
    )

    package static let simulate = Read<AppSlug, SimulationAnswer>(
        .get("simulate", "/v1/apps/{app}/simulate"),
        "Simulates a device now, at a time, under a change or after a rollback.",
        query: [
            .required("platform", .platform), .required("os", .dottedVersion),
            .required(
                "app",
                .dottedVersion,
                "The version of the app that runs on the device."
            ),
            .optional("store", .dottedVersion), .required("language", .languages),
            .optional("client", .simulatedClient),
        ] + .moment + [.optional("from", .state), .optional("to", .state)]
    )

    package static let simulateEdits = Write<AppSlug, SimulationForm, SimulationAnswer>(
        .post("simulateEdits", "/v1/apps/{app}/simulate"),
        "Simulates a device after edits; nothing is written.",
        isQuestion: true
    )

    package static let simulateReleases = Read<AppSlug, MatrixAnswer>(
        .get("simulateReleases", "/v1/apps/{app}/matrix"),
        "Simulates every known release on every system that counts, in two states.",
        query: [
            .required("platform", .platform), .optional("from", .state), .optional("to", .state),
        ]
    )
}

extension Endpoints {
    static let releases: [any EndpointDeclaration] = [
        listReleases, registerRelease, amendRelease, withdrawRelease, getVersionShares,
        replaceVersionShares, removeVersionShares,
    ]

    package static let listReleases = Read<AppSlug, ReleaseList>(
        .get("listReleases", "/v1/apps/{app}/releases"),
        "The versions of an app that are known to exist, now or then.",
        query: [.repeatable("platform", .platform)] + .moment
    )

    package static let registerRelease = Write<AppRelease, ReleaseForm, ReleaseAnswer>(
        .put("registerRelease", "/v1/apps/{app}/releases/{platform}/{version}"),
        "Register a version; registering it again changes nothing."
    )

    package static let amendRelease = Write<AppRelease, ReleaseAmendmentForm, ReleaseAnswer>(
        .post("amendRelease", "/v1/apps/{app}/releases/{platform}/{version}/amend"),
        "Correct facts of a release."
    )

    package static let withdrawRelease = Write<AppRelease, ReasonForm, DryRunAnswer>(
        .delete("withdrawRelease", "/v1/apps/{app}/releases/{platform}/{version}"),
        "Remove a release that does not exist.",
        takes: "ReleaseWithdrawal"
    )

    package static let getVersionShares = Read<AppPlatform, VersionSharesAnswer>(
        .get("getVersionShares", "/v1/apps/{app}/shares/{platform}"),
        "The last count of an app's devices on a platform."
    )

    package static let replaceVersionShares = Write<
        AppPlatform, VersionSharesForm, VersionSharesAnswer
    >(
        .put("replaceVersionShares", "/v1/apps/{app}/shares/{platform}"),
        "Replace the count of devices of a platform."
    )

    package static let removeVersionShares = Write<AppPlatform, ReasonForm, DryRunAnswer>(
        .delete("removeVersionShares", "/v1/apps/{app}/shares/{platform}"),
        "Remove the count of devices of a platform.",
        takes: "VersionSharesRemoval"
    )
}

extension Endpoints {
    static let policies: [any EndpointDeclaration] = [
        getDefaultPolicy, changeDefaultPolicy, getPolicy, changePolicy, resetPolicy,
    ]

    package static let getDefaultPolicy = Read<NoNames, PolicyAnswer>(
        .get("getDefaultPolicy", "/v1/policy"),
        "The default policy: who has to approve what in apps without their own.",
        query: .moment
    )

    package static let changeDefaultPolicy = Endpoint<
        NoNames, SeenPolicy, PolicyForm, PolicyAnswer
    >(
        .put("changeDefaultPolicy", "/v1/policy"),
        "Replace the default policy."
    )

    package static let getPolicy = Read<AppSlug, PolicyAnswer>(
        .get("getPolicy", "/v1/apps/{app}/policy"),
        "The policy of an app: its own, or the default one.",
        query: .moment
    )

    package static let changePolicy = Endpoint<AppSlug, SeenPolicy, PolicyForm, PolicyAnswer>(
        .put("changePolicy", "/v1/apps/{app}/policy"),
        "Replace the policy of an app."
    )

    package static let resetPolicy = Endpoint<AppSlug, SeenPolicy, ReasonForm, DryRunAnswer>(
        .delete("resetPolicy", "/v1/apps/{app}/policy"),
        "Have an app follow the default policy again.",
        takes: "PolicyReset"
    )
}
