import HTTPTypes

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
