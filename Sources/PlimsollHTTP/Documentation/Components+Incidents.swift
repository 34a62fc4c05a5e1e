import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Emergencies, and what is looked at again after them.
extension Components {
    static let emergencies: [(name: String, schema: Schema)] = [
        ("Emergency", emergency),
        ("Block", .oneOf([block(.dotted), block(.integer)])),
        ("EmergencyReceipt", emergencyReceipt),
        ("ReviewOrder", .object(reviewOrder + [.required("position", .nullable(.position))])),
        ("ReviewFinding", .oneOf([finding(.confirmed), finding(.objected)])),
        ("ReviewVerdict", verdict),
        ("Review", review),
        (
            "ReviewList",
            .object([
                .required("reviews", .array(of: .reference("Review"))),
                .required("next", .nullable(.cursor)),
            ])
        ),
    ]

    private static let rehearsed = Schema.Member.optional("dryRun", .constant(true))

    private static let emergency = Schema.object([
        .required("title", .title), .required("reason", .reason), .required("incident", .title),
        .optional("owner", .principal), .optional("base", .position),
        .required("operations", .array(of: .reference("Operation"), atLeast: 1)),
    ])

    private static func block(_ kind: VersionKind) -> Schema {
        .object([
            .required("platform", .platforms(kind)), .required("below", .version(kind)),
            .optional("texts", texts), .required("reason", .reason),
            .optional("incident", .title), .optional("owner", .principal),
        ])
    }

    /// Of each language by its tag.
    private static let texts = Schema.object(
        TextPart.allCases.map { part in
            .optional(
                part.rawValue,
                Schema(json: [
                    "type": "object", "additionalProperties": .object(Schema.words.json),
                ])
            )
        }
    )

    private static let emergencyReceipt = Schema.object([
        .required("app", .slug), .required("change", .nullable(.change)),
        .required("position", .nullable(.position)), .required("sequence", .nullable(.sequence)),
        .required("incident", .title), .required("review", .reference("ReviewOrder")),
        .required("changes", .array(of: .reference("FieldChange"))),
        .required("overtaken", .array(of: .change)),
        .required("textsMissing", .array(of: .field)),
        .required("checks", .array(of: .reference("CheckFinding"))),
        .required("blocked", .array(of: .reference("BlockedShare"))),
        .required("notes", princeNotes), rehearsed,
    ])

    static let reviewOrder: [Schema.Member] = [
        .required("owner", .principal), .required("role", .role), .required("due", .instant),
    ]

    private static func finding(_ outcome: ReviewVerdict.Outcome) -> Schema {
        let name = Schema.Member.required("outcome", .constant(.string(outcome.rawValue)))
        return .object([
            name,
            outcome == .objected ? .required("comment", .reason) : .optional("comment", .reason),
        ])
    }

    private static let verdict = Schema.object([
        .required("outcome", .names(ReviewVerdict.Outcome.self)),
        .required("comment", .nullable(.reason)), .required("by", .principal),
        .required("at", .instant),
    ])

    private static let review = Schema.object(
        reviewOrder + [
            .required("position", .position), .required("app", .slug),
            .required("kind", .names(ReviewAnswer.Kind.self)),
            .required("change", .nullable(.change)),
            .required("state", .names(ReviewAnswer.State.self)), .required("actor", .principal),
            .required("since", .instant), .required("reason", .nullable(.reason)),
            .required("incident", .nullable(.title)),
            .required("reviewers", .array(of: .principal)),
            .required("verdict", .nullable(.reference("ReviewVerdict"))), rehearsed,
        ]
    )
}

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
        .required("notes", princeNotes),
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
