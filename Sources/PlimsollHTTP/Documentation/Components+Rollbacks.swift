import PlimsollAPI
import PlimsollDomain

/// What else a rollback does, and who gets to see it when.
extension Components {
    static let rollbacks: [(name: String, schema: Schema)] = [
        ("DeviceOutcome", outcome), ("DeviceOutlook", outlook),
        ("RollbackSideEffects", sideEffects),
    ]

    static let rollbackOutlook: [Schema.Member] = [
        .required("sideEffects", .nullable(.reference("RollbackSideEffects"))),
        .required("textsMissing", .array(of: .field)),
        .required("devices", .array(of: .reference("DeviceOutlook"))),
        .required("blocked", .array(of: .reference("BlockedShare"))),
        .required("checks", .array(of: .reference("CheckFinding"))),
        .required(
            "origin",
            .nullable(
                .object([
                    .required("at", .instant),
                    .required(
                        "write",
                        .nullable(.object([.required("event", .position)] + fieldOrigin))
                    ),
                ])
            )
        ),
        .required(
            "reach",
            .object([
                .required("cacheSeconds", .integer(from: 0)),
                .required("pollSeconds", .integer(from: 0)),
            ])
        ),
        .required(
            "policy",
            .object([
                .required("role", .role),
                .required("review", .nullable(.object(reviewOrder))),
            ])
        ),
    ]

    private static let sideEffects = Schema.object(
        [
            "suspended", "undone", "undoneOfOthers", "endsCalledOff", "endsResumed", "stale",
            "overtaken",
        ].map { .required($0, .array(of: .change)) }
    )

    private static let outlook = Schema.object([
        .required("kind", .names(TypicalDevice.Kind.self)),
        .required("device", .reference("Device")),
        .required("before", .reference("DeviceOutcome")),
        .required("after", .reference("DeviceOutcome")),
    ])

    private static let outcome = Schema.object(told)
}
