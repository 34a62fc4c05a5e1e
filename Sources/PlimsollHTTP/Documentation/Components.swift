import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// The schemas that requests and answers are described with, by name.
enum Components {
    static let schemas: [(name: String, schema: Schema)] =
        [
            ("Problem", problem), ("Health", .object([.required("status", .string)])),
            ("Rehearsal", .object([.required("dryRun", .constant(true))])),
            ("Registration", registration), ("App", .object(app + tried)),
            ("AppList", .list("apps", "App")),
            ("Device", device), ("SimulationOrder", simulationOrder),
            ("Simulation", simulation),
        ] + documents + changes + records + access

    /// Marks the answer to a write that was only tried.
    private static let tried: [Schema.Member] = [.optional("dryRun", .constant(true))]

    private static let problem = Schema.object([
        .required("type", .names(ProblemCode.allCases.map(\.type))),
        .required("title", .string),
        .required("status", .integer(from: 400, to: 599)),
        .required("detail", .string),
        .optional("instance", .string),
        .optional("requestId", .string),
        .optional(
            "errors",
            .array(
                of: .object([
                    .required("code", .string), .required("detail", .string),
                    .optional("pointer", .string), .optional("parameter", .string),
                    .optional("header", .string), .optional("remedy", .string),
                ])
            )
        ),
    ])

    private static let settings: [Schema.Member] = [
        .required("slug", .slug), .required("name", .title),
        .required("platforms", .array(of: .platform, atLeast: 1)),
        .required("languages", .array(of: .language, atLeast: 1)),
        .required("fallbackLanguage", .language),
    ]

    private static let registration = Schema.object(
        settings + [.optional("profile", .profile), .optional("default", .boolean)]
    )

    private static let app: [Schema.Member] =
        settings + [
            .required("profile", .profile), .required("default", .boolean),
            .required("position", .position), .required("sequence", .nullable(.sequence)),
        ]
}

// MARK: - Simulation

extension Components {
    private static let device = Schema.oneOf([device(.dotted), device(.integer)])

    private static func device(_ kind: VersionKind) -> Schema {
        .object([
            .required("platform", .platforms(kind)), .required("os", .version(kind)),
            .required("app", .version(kind)), .optional("store", .version(kind)),
            .required("language", .language),
        ])
    }

    private static let simulationOrder = Schema.object([
        .required("device", .reference("Device")),
        .optional("operations", .array(of: .reference("Operation"))),
    ])

    private static let simulation = Schema.object([
        .required("app", .slug), .required("platform", .platform),
        .required("position", .position), .required("verdict", .names(DeviceVerdict.self)),
        .required("runs", .boolean), .required("title", .nullable(.string)),
        .required("description", .nullable(.string)), .required("because", .string),
    ])
}

// MARK: - Changes and rollbacks

extension Components {
    private static let changes: [(String, Schema)] = [
        ("Operation", operation),
        ("FieldChange", fieldChange),
        ("Proposal", proposal),
        ("Approval", .object([.optional("comment", .reason)])),
        ("Rejection", .object([.required("reason", .reason)])),
        ("Comment", .object([.required("comment", .reason)])),
        ("Revision", revision),
        ("FreezeOrder", .object([.required("reason", .reason)])),
        ("Thaw", .object([.optional("reason", .reason)])),
        ("Freeze", .object(freeze + tried)),
        ("Nothing", .object([])),
        ("ChangeSummary", .object(summary)),
        ("Verdict", .object(verdict)),
        ("GivenApproval", .object(verdict + [.required("counts", .boolean)])),
        ("Schedule", schedule),
        (
            "MissingApproval",
            .object(
                requirement + [
                    .required("rule", .names(ChangeKind.self)),
                    .required("have", .integer(from: 0)),
                ]
            )
        ),
        ("Change", .object(summary + details + tried)),
        ("ChangeList", .list("changes", "ChangeSummary", .paged)),
        ("Rollback", rollback),
        ("RollbackReceipt", .object(receipt + tried)),
    ]

    private static let operation = Schema.oneOf([
        edit(.setValue, [.required("value", .version(.dotted))], on: .platforms(.dotted)),
        edit(.setValue, [.required("value", .version(.integer))], on: .platforms(.integer)),
        edit(.clearThreshold, []),
        edit(
            .setText,
            [
                .required("part", .part), .required("language", .language),
                .required("text", .words),
            ]
        ),
        edit(.removeText, [.required("part", .part), .required("language", .language)]),
    ])

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

    static let fieldValue = Schema(json: ["type": ["string", "integer", "null"]])

    private static let proposal = Schema.object([
        .required("title", .title), .optional("reason", .reason), .required("base", .position),
        .required("operations", .array(of: .reference("Operation"), atLeast: 1)),
    ])

    private static let revision = Schema.object([
        .optional("title", .title), .optional("reason", .reason), .required("base", .position),
        .required("operations", .array(of: .reference("Operation"), atLeast: 1)),
    ])

    private static let freeze: [Schema.Member] = [
        .required("app", .nullable(.slug)), .required("by", .principal),
        .required("since", .instant), .required("reason", .nullable(.reason)),
    ]

    private static let summary: [Schema.Member] = [
        .required("id", .change), .required("app", .slug), .required("title", .title),
        .required("author", .principal), .required("state", .names(ChangeState.self)),
        .required("base", .position), .required("proposedAt", .instant),
        .required("position", .position),
    ]

    private static let details: [Schema.Member] = [
        .required("reason", .nullable(.reason)), .required("digest", .nullable(.digest)),
        .required("operations", .array(of: .reference("Operation"))),
        .required("effect", .array(of: .reference("FieldChange"))),
        .required("approvals", .array(of: .reference("GivenApproval"))),
        .required("rejection", .nullable(.reference("Verdict"))),
        .required("decidedAt", .nullable(.instant)),
        .required("schedule", .nullable(.reference("Schedule"))),
        .required("suspension", .nullable(.names(SuspensionCause.self))),
        .required("missing", .array(of: .reference("MissingApproval"))),
    ]

    private static let verdict: [Schema.Member] = [
        .required("by", .principal), .required("at", .instant),
        .required("comment", .nullable(.reason)),
    ]

    private static let requirement: [Schema.Member] = [
        .required("count", .integer(from: 1)), .required("role", .role),
        .optional("people", .array(of: .principal)),
    ]

    private static let schedule = Schema.object([
        .optional("at", .nullable(.instant)), .optional("until", .nullable(.instant)),
        .optional("timeZone", .string),
    ])

    private static let rollback = Schema.object([
        .required(
            "to",
            .oneOf([
                .object([.required("event", .position)]),
                .object([.required("time", .instant)]),
                .object([.required("beforeChange", .change)]),
                .object([.required("lastGood", .integer(from: 1))]),
            ])
        ),
        .optional("platforms", .array(of: .platform, atLeast: 1)),
        .optional("fields", .array(of: .field, atLeast: 1)), .required("reason", .reason),
    ])

    private static let receipt: [Schema.Member] = [
        .required("app", .slug), .required("position", .nullable(.position)),
        .required("sequence", .nullable(.sequence)), .required("target", .position),
        .required("platforms", .array(of: .platform)),
        .required("changes", .array(of: .reference("FieldChange"))),
    ]
}

// MARK: - Records and access

extension Components {
    private static let records: [(String, Schema)] = [
        (
            "Event",
            .object([
                .required("position", .position), .required("id", .uuid),
                .required("type", .names(EventBody.types)), .required("stream", .string),
                .required("revision", .integer(from: 1)), .required("recordedAt", .instant),
                .required("command", .uuid), .required("data", .anyObject),
                .required("actor", .principal), .required("token", .nullable(.uuid)),
                .required("request", .nullable(.string)), .required("correlation", .uuid),
                .required("causation", .nullable(.uuid)),
                .required("reason", .nullable(.reason)), .required("app", .nullable(.slug)),
                .required("change", .nullable(.change)),
                .required("fields", .array(of: .reference("FieldChange"))),
                .required("sentence", .string),
            ])
        ),
        ("EventList", .list("events", "Event", .paged)),
        (
            "Snapshot",
            .object([
                .required("app", .slug), .required("sequence", .sequence),
                .required("position", .position), .required("manifestDigest", .digest),
                .required("keys", .array(of: .uuid)), .required("publishedAt", .instant),
            ])
        ),
        ("SnapshotList", .list("snapshots", "Snapshot", .paged)),
        (
            "Key",
            .object([
                .required("id", .uuid), .required("app", .slug),
                .required("state", .names(KeyState.self)),
                .required("algorithm", .constant(.string(KeyAnswer.algorithm))),
                .required("publicKey", .string.described("SubjectPublicKeyInfo, PEM.")),
            ])
        ),
        ("KeyList", .list("keys", "Key")),
    ]

    private static let access: [(String, Schema)] = [
        ("Role", .object([.required("role", .role), .optional("app", .slug)])),
        (
            "TokenOrder",
            .object([
                .optional("name", .title), .optional("principal", .principal),
                .required("roles", .array(of: .reference("Role"))),
                .optional("expiresAt", .instant),
            ])
        ),
        ("Token", .object(token)),
        (
            "IssuedToken",
            .object(token + [.required("token", .nullable(.string))] + tried)
        ),
        ("TokenList", .list("tokens", "Token")),
        (
            "Principal",
            .object([
                .required("id", .principal), .required("name", .nullable(.string)),
                .required("roles", .array(of: .reference("Role"))),
            ])
        ),
        ("PrincipalList", .list("principals", "Principal")),
        (
            "Identity",
            .object([
                .required("principal", .principal), .required("name", .nullable(.string)),
                .required("roles", .array(of: .reference("Role"))),
                .required("token", .nullable(.uuid)),
                .required("expiresAt", .nullable(.instant)),
            ])
        ),
    ]

    private static let token: [Schema.Member] = [
        .required("id", .uuid), .required("principal", .principal),
        .required("name", .nullable(.string)),
        .required("roles", .array(of: .reference("Role"))),
        .required("expiresAt", .nullable(.instant)),
    ]
}

extension Schema {
    fileprivate enum Extent { case whole, paged }

    fileprivate static func list(
        _ name: String,
        _ element: String,
        _ extent: Extent = .whole
    ) -> Schema {
        let elements = Member.required(name, .array(of: .reference(element)))
        return .object(
            extent == .whole ? [elements] : [elements, .required("next", .nullable(.cursor))]
        )
    }
}
