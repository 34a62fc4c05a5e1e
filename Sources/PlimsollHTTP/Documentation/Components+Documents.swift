import PlimsollAPI
import PlimsollDomain

/// Documents, where they come from, and what is different between two of them.
extension Components {
    static let documents: [(name: String, schema: Schema)] = [
        ("Document", document), ("Blame", blame), ("FieldHistory", fieldHistory), ("Diff", diff),
        ("PrinceOfVersions", prince),
    ]

    private static let blame = Schema.object([
        .required("app", .slug), .required("platform", .platform),
        .required("position", .position),
        .required(
            "fields",
            .array(
                of: .object(
                    [
                        .required("field", .field), .required("value", fieldValue),
                        .required("event", .position), .required("since", .instant),
                    ] + fieldOrigin
                )
            )
        ),
    ])

    /// Who wrote what stands in a field.
    static let fieldOrigin: [Schema.Member] = [
        .required("author", .principal), .required("approvers", .array(of: .principal)),
        .required("change", .nullable(.change)), .required("reason", .nullable(.reason)),
        .required("kind", .names(FieldOrigin.Kind.self)), .required("incident", .nullable(.title)),
    ]

    private static let fieldHistory = Schema.object([
        .required("app", .slug), .required("field", .field),
        .required(
            "history",
            .array(
                of: .object(
                    [
                        .required("event", .position), .required("recordedAt", .instant),
                        .required("before", fieldValue), .required("after", fieldValue),
                        .required("sentence", .string),
                    ] + fieldOrigin
                )
            )
        ),
        .required("next", .nullable(.cursor)),
    ])

    static let side = Schema.object([
        .required("state", .state), .required("position", .position),
    ])

    private static let diff = Schema.object([
        .required("app", .slug), .required("from", side), .required("to", side),
        .required("same", .boolean),
        .required(
            "changes",
            .array(
                of: .object([
                    .required("field", .field), .required("before", fieldValue),
                    .required("after", fieldValue), .required("sentence", .string),
                ])
            )
        ),
        .required("blocked", .array(of: .reference("BlockedShare"))),
    ])

    private static let document = Schema.object([
        .required("app", .slug), .required("platform", .platform),
        .required("position", .position), .required("document", .anyObject),
        .required("offerCount", .integer(from: 0)),
    ])

    private static let ownOffers = Schema.object(
        Platform.allCases.map {
            .optional($0.rawValue, .array(of: .reference("Offer"), atLeast: 1))
        }
    )

    private static let keptLegacy = Schema.object(
        Platform.allCases.filter(\.hasLegacyClients).map {
            .optional($0.rawValue, .reference("LegacyOffer"))
        }
    )

    private static let prince = Schema.object([
        .required("app", .slug), .required("position", .position),
        .required("document", .anyObject), .required("offers", ownOffers),
        .required("legacy", keptLegacy),
        .required("notes", princeNotes),
    ])

    static let princeNotes = Schema.array(
        of: .object([
            .required("platform", .platform), .required("code", .string),
            .required("detail", .string),
        ])
    )
}
