import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Proposals, decisions on them, freezes and rollbacks.
extension Components {
    static let changes: [(String, Schema)] =
        [
            ("Operation", operation), ("Offer", offer), ("LegacyOffer", legacyOffer),
        ] + operations + [
            ("FieldChange", fieldChange),
            ("Proposal", proposal),
            (
                "Approval",
                .object([.optional("comment", .reason), .optional("counted", counts)])
            ),
            ("Rejection", .object([.required("reason", .reason)])),
            ("Comment", .object([.required("comment", .reason)])),
            ("Revision", revision), ("FieldConflict", fieldConflict),
            ("FreezeOrder", .object([.required("reason", .reason)])),
            ("Thaw", .object([.optional("reason", .reason)])),
            ("Freeze", .object(freeze + tried)),
            ("FreezePlanOrder", freezePlanOrder), ("FreezePlan", .object(freezePlan + tried)),
            (
                "Freezes",
                .object([
                    .required("freeze", .nullable(.reference("Freeze"))),
                    .required("plans", .array(of: .reference("FreezePlan"))),
                ])
            ),
            ("Nothing", .object([])),
            ("ChangeSummary", .object(summary)),
            ("Verdict", .object(verdict)),
            ("Remark", .object(remark)),
            ("GivenApproval", .object(verdict + givenApproval)),
            ("MissingApproval", .object(missing)),
            (
                "MissingNow",
                .object(missing + [.required("couldGive", .array(of: .reference("Person")))])
            ),
            (
                "Person",
                .object([.required("id", .principal), .required("name", .nullable(.string))])
            ),
            ("Change", .object(summary + details + tried)),
            ("ChangeList", .list("changes", "ChangeSummary", .paged)),
            ("Rollback", rollback),
            ("RollbackReceipt", .object(receipt + tried)),
        ]

    /// The member `op` says which of them it is.
    private static let operation = Schema.discriminated(
        by: "op",
        edits.map { ($0.name, operationName($0.name)) }
    )

    private static let operations = edits.map { (operationName($0.name), $0.schema) }

    /// `SetValueOperation` of `setValue`.
    private static func operationName(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst() + "Operation"
    }

    private static let edits: [(name: String, schema: Schema)] =
        [
            (
                EditName.setValue.rawValue,
                .oneOf([
                    edit(
                        .setValue,
                        [.required("value", .version(.dotted))],
                        on: .platforms(.dotted)
                    ),
                    edit(
                        .setValue,
                        [.required("value", .version(.integer))],
                        on: .platforms(.integer)
                    ),
                ])
            ),
            (EditName.clearValue.rawValue, edit(.clearValue, [])),
            (EditName.clearThreshold.rawValue, edit(.clearThreshold, [])),
            (
                EditName.setText.rawValue,
                edit(
                    .setText,
                    [
                        .required("part", .part), .required("language", .language),
                        .required("text", .words),
                    ]
                )
            ),
            (
                EditName.removeText.rawValue,
                edit(.removeText, [.required("part", .part), .required("language", .language)])
            ),
        ] + offerEdits

    private static func edit(
        _ name: EditName,
        _ members: [Schema.Member],
        on platform: Schema = .platform
    ) -> Schema {
        .object(
            [
                .required("op", .constant(.string(name.rawValue))), .required("platform", platform),
                .required("threshold", .threshold),
            ] + members
        )
    }

    private static let fieldChange = Schema.object([
        .required("field", .field),
        .required("before", fieldValue), .required("after", fieldValue),
    ])

    private static let fieldConflict = Schema.object([
        .required("field", .field), .required("base", fieldValue), .required("live", fieldValue),
        .required("by", .principal), .required("at", .instant),
        .required("reason", .nullable(.reason)), .required("position", .position),
        .required("change", .nullable(.change)),
    ])

    /// A version, a text, a platform's offers, an object for clients before 4.0, or nothing.
    static let fieldValue = Schema(json: [
        "anyOf": [
            ["type": ["string", "integer", "null"]],
            .object(Schema.array(of: .reference("Offer"), atLeast: 1).json),
            .object(Schema.reference("LegacyOffer").json),
        ]
    ])

    private static let proposal = Schema.object([
        .required("title", .title), .optional("reason", .reason), .required("base", .position),
        .required("operations", .array(of: .reference("Operation"), atLeast: 1)),
        .optional("schedule", .reference("ScheduleOrder")), .optional("source", .title),
    ])

    private static let revision = Schema.object([
        .optional("title", .title), .optional("reason", .reason), .required("base", .position),
        .required("operations", .array(of: .reference("Operation"), atLeast: 1)),
        .optional("schedule", .reference("ScheduleOrder")),
        .optional("resolve", resolution),
    ])

    /// Of each field by its path.
    private static let resolution = Schema(json: [
        "type": "object",
        "additionalProperties": .object(Schema.names(ConflictChoice.self).json),
    ])

    private static let freeze: [Schema.Member] = [
        .required("app", .nullable(.slug)), .required("by", .principal),
        .required("since", .instant), .required("until", .nullable(.instant)),
        .required("reason", .nullable(.reason)),
    ]

    private static let summary: [Schema.Member] = [
        .required("id", .change), .required("app", .slug), .required("title", .title),
        .required("author", .principal), .required("state", .names(ChangeState.self)),
        .required("base", .position), .required("proposedAt", .instant),
        .required("position", .position), .required("inConflict", .boolean),
        .required("undoneBy", .nullable(.object(undoing))),
        .required("schedule", .nullable(.reference("Schedule"))),
    ]

    private static let undoing: [Schema.Member] = [
        .required("position", .position), .required("actor", .principal),
        .required("at", .instant), .required("reason", .nullable(.reason)),
    ]

    private static let details: [Schema.Member] = [
        .required("reason", .nullable(.reason)), .required("digest", .nullable(.digest)),
        .required("operations", .array(of: .reference("Operation"))),
        .required("effect", .array(of: .reference("FieldChange"))),
        .required("approvals", .array(of: .reference("GivenApproval"))),
        .required("rejection", .nullable(.reference("Verdict"))),
        .required("decidedAt", .nullable(.instant)),
        .required("remarks", .array(of: .reference("Remark"))),
        .required("suspension", .nullable(.reference("Suspension"))),
        .required("term", .nullable(.reference("Term"))),
        .required("missing", .array(of: .reference("MissingNow"))),
        .required("missingAtTime", .array(of: .reference("MissingApproval"))),
        .required("freezeAtTime", .nullable(.reference("FreezePlan"))),
        .required("checks", .array(of: .reference("Check"))),
        .required("blocked", .array(of: .reference("BlockedShare"))),
        .required(
            "counted",
            .array(
                of: .object([
                    .required("platform", .platform), .required("position", .position),
                    .required("by", .principal), .required("at", .instant),
                ])
            )
        ),
        .required("conflicts", .array(of: .reference("FieldConflict"))),
        .required("overtaken", .array(of: .change)), .required("source", .nullable(.title)),
        .required("supersededBy", .nullable(.change)),
        .required("supersedes", .array(of: .change)),
        .required("notes", princeNotes),
    ]

    private static let verdict: [Schema.Member] = [
        .required("by", .principal), .required("at", .instant),
        .required("comment", .nullable(.reason)),
    ]

    private static let missing: [Schema.Member] =
        requirement + [
            .required("rule", .names(ChangeKind.self)), .required("have", .integer(from: 0)),
        ]

    /// The events that counted devices, by platforms.
    private static let counts = Schema.object(
        Platform.allCases.map { .optional($0.rawValue, .position) }
    )

    private static let givenApproval: [Schema.Member] = [
        .required("counts", .boolean), .required("counted", counts),
        .required(
            "void",
            .nullable(
                .object([
                    .required("cause", .names(ApprovalVoid.Cause.self)),
                    .required("by", .nullable(.principal)), .required("at", .nullable(.instant)),
                    .required("reason", .nullable(.reason)), .required("sentence", .string),
                ])
            )
        ),
    ]

    private static let remark: [Schema.Member] = [
        .required("kind", .names(RemarkKind.self)), .required("by", .principal),
        .required("at", .instant), .required("text", .nullable(.reason)),
        .required("check", .nullable(.names(CheckName.self))),
    ]

    private static let rollback = Schema.object([
        .required(
            "to",
            .oneOf([
                .object([.required("event", .position)]),
                .object([.required("time", .instant)]),
                .object([.required("beforeChange", .change)]),
                .object([.required("revert", .change)]),
                .object([
                    .required("lastGood", .integer(from: 1, to: ChangePolicy.secondsMaximum))
                ]),
            ])
        ),
        .optional("platforms", .array(of: .platform, atLeast: 1)),
        .optional("fields", .array(of: .field, atLeast: 1)),
        .optional("thresholds", .array(of: .thresholdPlace, atLeast: 1)),
        .optional("keep", .array(of: .field)),
        .optional("target", .position), .optional("undoing", .integer(from: 0, to: 1_000_000)),
        .required("reason", .reason),
    ])

    private static let receipt: [Schema.Member] =
        [
            .required("app", .slug), .required("position", .nullable(.position)),
            .required("sequence", .nullable(.sequence)), .required("target", .position),
            .required("platforms", .array(of: .platform)),
            .required("platformsKept", .array(of: .platform)),
            .required("changes", .array(of: .reference("FieldChange"))),
        ] + rollbackOutlook
}

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
