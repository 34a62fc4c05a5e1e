import PlimsollAPI
import PlimsollDomain

/// Releases, and what makes them known.
extension Components {
    static let releases: [(String, Schema)] = [
        ("Release", .object(release + tried)),
        ("ReleaseList", releaseList),
        ("ReleaseOrder", .object(facts + [.optional("reason", .reason)])),
        (
            "ReleaseAmendment",
            .object(
                facts + [
                    .optional("unset", .array(of: .names(ReleaseFactName.self))),
                    .optional("reason", .reason),
                ]
            )
        ),
        ("ReleaseWithdrawal", .object([.optional("reason", .reason)])),
        ("VersionShare", share), ("VersionShares", .object(shares + tried)),
        (
            "VersionSharesOrder",
            .object([
                .required("rows", .array(of: .reference("VersionShare"), atLeast: 1)),
                .optional("reason", .reason),
            ])
        ),
        ("VersionSharesRemoval", .object([.optional("reason", .reason)])),
        ("BlockedShare", blockedShare),
    ]

    private static let share = Schema.object([
        .required("app", .anyVersion), .optional("os", .anyVersion),
        .required("devices", .integer(from: 1, to: VersionShares.Row.devicesMaximum)),
    ])

    private static let shares: [Schema.Member] = [
        .required("app", .slug), .required("platform", .platform),
        .required("devices", .integer(from: 0)),
        .required("rows", .array(of: .reference("VersionShare"))),
    ]

    private static let blockedShare = Schema.object([
        .required("platform", .platform), .required("sentence", .string),
        .required("devices", .integer(from: 0)), .required("before", .integer(from: 0)),
        .required("after", .integer(from: 0)), .required("added", .integer(from: 0)),
    ])

    private static let label = Schema.text(most: Label.scalarsMaximum, without: "\\n")

    /// Three numbers of at most nine digits, as clients before 4.0 compare them.
    private static let versionName = Schema.string(
        matching: #"^(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}$"#
    )

    private static let facts: [Schema.Member] = [
        .optional("name", versionName), .optional("build", label),
        .optional("os", .anyVersion), .optional("store", label), .optional("liveSince", .instant),
    ]

    private static let release: [Schema.Member] = [
        .required("platform", .platform), .required("version", .anyVersion),
        .required("name", .nullable(versionName)), .required("build", .nullable(label)),
        .required("os", .nullable(.anyVersion)), .required("store", .nullable(label)),
        .required("liveSince", .nullable(.instant)),
    ]

    private static let releaseList = Schema.object([
        .required("app", .slug), .required("position", .position),
        .required("releases", .array(of: .reference("Release"))),
    ])
}
