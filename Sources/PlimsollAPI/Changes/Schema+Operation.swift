import PlimsollDomain
import PlimsollJSON

/// Operations: what a member has to be depends on the platform, and the members on the name.
extension Schema {
    /// The member `op` says which of them it is.
    static let operation = discriminated(
        by: "op",
        edits.map { ($0.name, named(operationName($0.name), $0.schema)) }
    )

    /// Such as `SetValueOperation`.
    private static func operationName(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst() + "Operation"
    }

    private static let text: [Member] = [
        .required("part", .part), .required("language", .language),
    ]
    private static let anOffer = Member.required("offer", offer)

    private static let edits: [(name: String, schema: Schema)] = [
        (EditName.setValue.rawValue, .oneOf([setValue(.dotted), setValue(.integer)])),
        edit(EditName.clearValue), edit(EditName.clearThreshold),
        edit(EditName.setText, text + [.required("text", .words)]),
        edit(EditName.removeText, text),
        edit(OfferEditName.setOffers, [.required("offers", .array(of: offer))]),
        edit(OfferEditName.insertOffer, [.required("at", .offerPlace), anOffer]),
        edit(
            OfferEditName.moveOffer,
            [.required("from", .offerPlace), .required("to", .offerPlace)]
        ),
        edit(OfferEditName.replaceOffer, [.required("at", .offerPlace), anOffer]),
        edit(OfferEditName.removeOffer, [.required("at", .offerPlace)]),
        edit(LegacyEditName.setLegacyOffer, [.required("legacy", legacyOffer)]),
        edit(LegacyEditName.removeLegacyOffer),
    ]

    private static func edit(
        _ name: some RawRepresentable<String>,
        _ members: [Member] = []
    ) -> (name: String, schema: Schema) {
        let threshold = name is EditName ? [Member.required("threshold", .threshold)] : []
        return (name.rawValue, edit(name.rawValue, on: .platform, threshold + members))
    }

    private static func setValue(_ kind: VersionKind) -> Schema {
        edit(
            EditName.setValue.rawValue,
            on: platforms(kind),
            [.required("threshold", .threshold), .required("value", .version(kind))]
        )
    }

    private static func edit(
        _ name: String,
        on platform: Schema,
        _ members: [Member]
    ) -> Schema {
        .object(
            [.required("op", .constant(.string(name))), .required("platform", platform)] + members
        )
    }
}

/// Offers as people write them, and as clients before 4.0 read them.
extension Schema {
    static let offer = named("Offer", object(ofOffer))

    private static let ofOffer: [Member] = [
        .optional("requiredVersion", .offerVersion), .optional("lastVersion", .offerVersion),
        .optional("notification", .names(OfferNotification.self)),
        .optional(
            "requirements",
            .object([
                .optional("os", offerSystem),
                .optional("custom", values(named: "^[A-Za-z][A-Za-z0-9_]{0,63}$")),
            ])
        ),
        .optional("metadata", values(named: "^[A-Za-z0-9._-]{1,100}$")),
    ]

    static let legacyOffer = named("LegacyOffer", object(ofLegacyOffer))

    private static let ofLegacyOffer: [Member] = [
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
    ]

    private static let legacyVersion = string(
        matching: "^[0-9]{1,9}(\\.[0-9]{1,9}){0,2}(-[0-9]{1,9})?$"
    )
    private static let legacySystem = oneOf([dottedVersion, integerVersion])
    private static let offerSystem = oneOf([versionName, integerVersion])

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
