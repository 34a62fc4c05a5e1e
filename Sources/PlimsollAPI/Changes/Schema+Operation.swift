import PlimsollDomain
import PlimsollJSON

/// Operations: what a member has to be depends on the platform, and the members on the name.
extension Schema {
    /// The member `op` says which of them it is.
    static let operation = discriminated(
        by: "op",
        OperationName.allCases.map {
            ($0.rawValue, named(operationName($0.rawValue), schema(of: $0)))
        }
    )

    /// Such as `SetValueOperation`.
    private static func operationName(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst() + "Operation"
    }

    private static let aThreshold = Member.required("threshold", .threshold)
    private static let text: [Member] = [
        .required("part", .part), .required("language", .language),
    ]
    private static let anOffer = Member.required("offer", offer)

    /// The members of each, beside its name and the platform; what a value is depends on that.
    private static func schema(of name: OperationName) -> Schema {
        switch name {
        case .setValue: .oneOf([setValue(.dotted), setValue(.integer)])
        case .clearValue, .clearThreshold: edit(name, [aThreshold])
        case .setText: edit(name, [aThreshold] + text + [.required("text", .words)])
        case .removeText: edit(name, [aThreshold] + text)
        case .setOffers: edit(name, [.required("offers", .array(of: offer))])
        case .insertOffer, .replaceOffer: edit(name, [.required("at", .offerPlace), anOffer])
        case .moveOffer:
            edit(name, [.required("from", .offerPlace), .required("to", .offerPlace)])
        case .removeOffer: edit(name, [.required("at", .offerPlace)])
        case .setLegacyOffer: edit(name, [.required("legacy", legacyOffer)])
        case .removeLegacyOffer: edit(name, [])
        }
    }

    private static func setValue(_ kind: VersionKind) -> Schema {
        edit(.setValue, [aThreshold, .required("value", .version(kind))], on: platforms(kind))
    }

    private static func edit(
        _ name: OperationName,
        _ members: [Member],
        on platform: Schema = .platform
    ) -> Schema {
        .object(
            [
                .required("op", .constant(.string(name.rawValue))),
                .required("platform", platform),
            ] + members
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
