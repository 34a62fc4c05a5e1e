package import PlimsollDomain

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
