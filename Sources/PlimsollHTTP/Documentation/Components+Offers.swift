import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Offers, and the operations that edit them.
extension Components {
    static let offer = Schema.object([
        .optional("requiredVersion", offerVersion), .optional("lastVersion", offerVersion),
        .optional("notification", .names(OfferNotification.self)),
        .optional(
            "requirements",
            .object([.optional("os", offerSystem), .optional("custom", requirements)])
        ),
        .optional("metadata", metadata),
    ])

    static let offerEdits: [(name: String, schema: Schema)] = [
        offerEdit(.setOffers, [.required("offers", .array(of: .reference("Offer")))]),
        offerEdit(
            .insertOffer,
            [.required("at", offerPlace), .required("offer", .reference("Offer"))]
        ),
        offerEdit(.moveOffer, [.required("from", offerPlace), .required("to", offerPlace)]),
        offerEdit(
            .replaceOffer,
            [.required("at", offerPlace), .required("offer", .reference("Offer"))]
        ),
        offerEdit(.removeOffer, [.required("at", offerPlace)]),
        legacyEdit(.setLegacyOffer, [.required("legacy", .reference("LegacyOffer"))]),
        legacyEdit(.removeLegacyOffer, []),
    ]

    /// As clients before 4.0 read it.
    static let legacyOffer = Schema.object([
        .optional("minimum_version", legacyVersion),
        .optional("minimum_version_min_sdk", legacySystem),
        .optional(
            "latest_version",
            .object([
                .required("version", legacyVersion),
                .optional("notification_type", .names(OfferNotification.self)),
                .optional("min_sdk", legacySystem),
            ])
        ),
    ])

    private static let legacyVersion = Schema.string(
        matching: "^[0-9]{1,9}(\\.[0-9]{1,9}){0,2}(-[0-9]{1,9})?$"
    )

    private static let legacySystem = Schema.oneOf([
        .dottedVersion, .integer(from: 1, to: Int64(Int32.max)),
    ])

    private static func legacyEdit(
        _ name: LegacyEditName,
        _ members: [Schema.Member]
    ) -> (name: String, schema: Schema) {
        edit(name.rawValue, members)
    }

    private static func offerEdit(
        _ name: OfferEditName,
        _ members: [Schema.Member]
    ) -> (name: String, schema: Schema) {
        edit(name.rawValue, members)
    }

    private static func edit(
        _ name: String,
        _ members: [Schema.Member]
    ) -> (name: String, schema: Schema) {
        (
            name,
            .object(
                [
                    .required("op", .constant(.string(name))),
                    .required("platform", .platform),
                ] + members
            )
        )
    }

    static let offerPlace = Schema.integer(from: 0)
        .described("A place in the list of offers, counted from 0.")

    static let offerVersion = Schema.oneOf([
        .string(matching: "^(0|[1-9][0-9]{0,8})(\\.(0|[1-9][0-9]{0,8})){2}(-[1-9][0-9]{0,8})?$"),
        .integer(from: 0, to: Int64(Int32.max)),
    ])

    private static let offerSystem = Schema.oneOf([
        .string(matching: "^(0|[1-9][0-9]{0,8})(\\.(0|[1-9][0-9]{0,8})){2}$"),
        .integer(from: 1, to: Int64(Int32.max)),
    ])

    private static let requirements = values(named: "^[A-Za-z][A-Za-z0-9_]{0,63}$")

    private static let metadata = values(named: "^[A-Za-z0-9._-]{1,100}$")

    /// An object whose members are values of any type but null, with names of a kind.
    private static func values(named pattern: String) -> Schema {
        Schema(json: [
            "type": "object",
            "additionalProperties": [
                "type": ["string", "integer", "boolean", "array", "object"]
            ],
            "propertyNames": ["pattern": .string(pattern)],
        ])
    }
}
