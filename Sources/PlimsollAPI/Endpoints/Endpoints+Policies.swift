package import PlimsollDomain

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
