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
    ]

    private static let label = Schema.text(most: Label.scalarsMaximum, without: "\\n")

    private static let facts: [Schema.Member] = [
        .optional("build", label), .optional("os", .anyVersion), .optional("store", label),
        .optional("liveSince", .instant),
    ]

    private static let release: [Schema.Member] = [
        .required("platform", .platform), .required("version", .anyVersion),
        .required("build", .nullable(label)), .required("os", .nullable(.anyVersion)),
        .required("store", .nullable(label)), .required("liveSince", .nullable(.instant)),
    ]

    private static let releaseList = Schema.object([
        .required("app", .slug), .required("position", .position),
        .required("releases", .array(of: .reference("Release"))),
    ])
}
