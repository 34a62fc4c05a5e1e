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

/// Devices, and what they show.
extension Components {
    static let device = Schema.oneOf([
        device([.ios, .macos], .dotted, on: .dotted), device([.android], .integer, on: .integer),
        device([.jvm], .dotted, on: .integer),
    ])

    private static func device(
        _ platforms: [Platform],
        _ kind: VersionKind,
        on system: VersionKind
    ) -> Schema {
        .object([
            .required("platform", .names(platforms.map(\.rawValue))),
            .required("os", .version(system)),
            .required("app", .version(kind)), .optional("store", .version(kind)),
            .required("language", .language),
            .optional("otherLanguages", .array(of: .language)),
        ])
    }

    static let simulationOrder = Schema.object([
        .required("device", .reference("Device")),
        .optional("client", .simulatedClient),
        .optional("operations", .array(of: .reference("Operation"))),
    ])

    static let simulation = Schema.object(
        [
            .required("app", .slug), .required("platform", .platform),
            .required("position", .position), .required("from", side),
            .required("to", .nullable(side)), .required("before", .reference("DeviceOutcome")),
            .required("moved", .boolean), .required("store", .nullable(.anyVersion)),
            .required("client", .nullable(.simulatedClient)),
            refusedBy,
        ] + told
    )

    /// The apps in people's hands that refuse a document, and why.
    static let refusedBy = Schema.Member.required(
        "refusedBy",
        .array(
            of: .object([
                .required("client", .clientGeneration), .required("versions", .string),
                .required("because", .string),
            ])
        )
    )

    /// What the shipped apps show, and what clients of Prince of Versions tell their app.
    static let told =
        shown + [
            .required(
                "offers",
                .object([
                    .required("status", .names(OfferVerdict.self)),
                    .required("place", offerPlace),
                    .required("version", .nullable(offerVersion)), .required("because", .string),
                ])
            )
        ]

    private static let shown: [Schema.Member] = [
        .required("verdict", .names(DeviceVerdict.self)), .required("runs", .boolean),
        .required("title", .nullable(.string)), .required("description", .nullable(.string)),
        .required("titleOneOf", .nullable(.anyObject)),
        .required("descriptionOneOf", .nullable(.anyObject)),
        .required("because", .string), .required("keepsLastDocument", .boolean),
    ]

    static let matrix = Schema.object([
        .required("app", .slug), .required("platform", .platform), .required("from", side),
        .required("to", .nullable(side)), .required("systems", .array(of: .anyVersion)),
        .required(
            "rows",
            .array(
                of: .object([
                    .required("version", .anyVersion),
                    .required("cells", .array(of: .nullable(cell))),
                ])
            )
        ),
        .required("moved", .integer(from: 0)),
        .required("releasesLeftOut", .integer(from: 0)),
        .required("systemsLeftOut", .integer(from: 0)),
    ])

    private static let cell = Schema.object([
        .required("before", .names(DeviceVerdict.self)),
        .required("after", .names(DeviceVerdict.self)),
        .required(
            "offers",
            .object([
                .required("before", .names(OfferVerdict.self)),
                .required("after", .names(OfferVerdict.self)),
            ])
        ), .required("moved", .boolean),
    ])
}
