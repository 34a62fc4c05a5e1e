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
            summary: "Make known that a version exists; to say the same again changes nothing.",
            body: "ReleaseOrder",
            answer: .init(schema: "Release")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/releases/{platform}/{version}/amend",
            name: "amendRelease",
            summary: "Mend some of what is known of a release.",
            body: "ReleaseAmendment",
            answer: .init(schema: "Release")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/releases/{platform}/{version}",
            name: "withdrawRelease",
            summary: "Take back a release that does not exist; only tried, it says so.",
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
            summary: "Put a count of devices in the place of the last one.",
            body: "VersionSharesOrder",
            answer: .init(schema: "VersionShares")
        ),
        RouteDescription(
            method: .delete,
            path: "/v1/apps/{app}/shares/{platform}",
            name: "removeVersionShares",
            summary: "Take a count of devices away; only tried, it says so.",
            body: "VersionSharesRemoval",
            answer: .init(schema: "Rehearsal"),
            status: 204,
            answersWhole: true
        ),
    ]
}
