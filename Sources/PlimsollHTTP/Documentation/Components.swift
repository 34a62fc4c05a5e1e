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
            ("AppList", .list("apps", "App")), ("Settings", .object(wholeSettings)),
            ("SettingsOrder", .object(wholeSettings + [.optional("reason", .reason)])),
            ("SettingsInForce", .object(settingsInForce + tried)),
            ("DefaultAppOrder", defaultAppOrder), ("DefaultApp", .object(defaultApp + tried)),
            ("Device", device), ("SimulationOrder", simulationOrder),
            ("Simulation", simulation), ("Matrix", matrix),
        ] + documents + changes + schedules + policies + rollbacks + emergencies + checks + releases
        + records + keys
        + access + webhooks

    /// Marks the answer to a write that was only tried.
    static let tried: [Schema.Member] = [.optional("dryRun", .constant(true))]

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
        .required("name", .title),
        .required("platforms", .array(of: .platform, atLeast: 1)),
        .required("languages", .array(of: .language, atLeast: 1)),
        .required("fallbackLanguage", .language),
    ]

    private static let wholeSettings: [Schema.Member] =
        settings + [
            .required("profile", .profile), .required("princeOfVersions", .princeClients),
        ] + readers

    private static let readers: [Schema.Member] = [
        .optional("shippedLanguages", .nullable(.array(of: .language, atLeast: 1))),
        .optional("clients", .nullable(.array(of: .clientGeneration))),
    ]

    private static let settingsInForce: [Schema.Member] = [
        .required("app", .slug), .required("position", .nullable(.position)),
        .required("by", .principal), .required("since", .instant),
        .required("reason", .nullable(.reason)),
        .required("settings", .reference("Settings")), refusedBy,
    ]

    private static let registration = Schema.object(
        settings + [
            .required("slug", .slug),
            .optional("profile", .profile), .optional("princeOfVersions", .princeClients),
            .optional("default", .boolean),
        ] + readers
    )

    private static let defaultAppOrder = Schema.object([
        .optional("from", .slug.described("The default app that was seen, if there was one.")),
        .optional("reason", .reason),
    ])

    private static let defaultApp: [Schema.Member] = [
        .required("app", .slug), .required("from", .nullable(.slug)),
        .required("position", .nullable(.position)),
        .required(
            "addresses",
            .array(
                of: .object([
                    .required("path", .string),
                    .required("before", .nullable(shared)), .required("after", .nullable(shared)),
                ])
            )
        ),
        .required("keysBefore", .array(of: .uuid)), .required("keysAfter", .array(of: .uuid)),
    ]

    private static let shared = Schema.object([
        .required("app", .slug), .required("sequence", .nullable(.sequence)),
    ])

    private static let app: [Schema.Member] =
        wholeSettings + [
            .required("slug", .slug), .required("default", .boolean),
            .required("position", .position), .required("sequence", .nullable(.sequence)),
            .required("freeze", .nullable(.reference("Freeze"))),
            .required("freezePlans", .array(of: .reference("FreezePlan"))),
        ]
}

extension Components {
    /// Whether a body of this schema may be left out, as an empty object is taken for none.
    static func allowNothing(_ name: String) -> Bool {
        let json = schemas.first { $0.name == name }?.schema.json
        return json?["required"]?.array?.isEmpty ?? false
    }
}

extension Schema {
    enum Extent { case whole, paged }

    static func list(
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

extension Components {
    static let schedules: [(String, Schema)] = [
        ("ScheduleOrder", order),
        ("Scheduling", .object([.required("schedule", .nullable(.reference("ScheduleOrder")))])),
        ("Schedule", schedule), ("Suspension", suspension), ("Term", term),
    ]

    private static let writtenTime = Schema.string(
        matching: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}"
            + "(:[0-9]{2}(\\.[0-9]{1,9})?)?([Zz]|[+-][0-9]{2}:[0-9]{2})?$"
    ).described("\(WrittenTime.grammar); one that clocks in the zone do not show once is refused.")

    private static let timeZone = Schema.string(matching: "^[A-Za-z0-9_+/-]{1,64}$")
        .described("\(TimeZoneName.grammar).")

    private static let order = Schema.object([
        .optional("at", writtenTime), .optional("until", writtenTime),
        .optional("timeZone", timeZone),
    ])

    static let freezePlanOrder = Schema.object([
        .required("from", writtenTime), .required("until", writtenTime),
        .optional("timeZone", timeZone), .required("reason", .reason),
    ])

    static let freezePlan: [Schema.Member] = [
        .required("plan", .nullable(.position)), .required("app", .nullable(.slug)),
        .required("from", .instant), .required("until", .instant),
        .required("timeZone", timeZone), .required("fromLocal", .nullable(.instant)),
        .required("untilLocal", .nullable(.instant)), .required("by", .principal),
        .required("reason", .nullable(.reason)),
    ]

    private static let schedule = Schema.object([
        .required("at", .nullable(.instant)), .required("until", .nullable(.instant)),
        .required("timeZone", timeZone), .required("atLocal", .nullable(.instant)),
        .required("untilLocal", .nullable(.instant)),
    ])

    private static let suspension = Schema.object([
        .required("cause", .names(SuspensionCause.self)), .required("detail", .string),
        .required("remedy", .string),
    ])

    private static let term = Schema.object([
        .required("state", .names(ChangeTerm.State.self)), .required("applied", .position),
        .required("ended", .nullable(.position)), .required("endedAt", .nullable(.instant)),
    ])
}

/// What looks like a mistake, and who may say that it is none.
extension Components {
    static let checks: [(name: String, schema: Schema)] = [
        ("CheckFinding", .object(finding)),
        (
            "Check",
            .object(
                finding + [
                    .required("severity", .names(CheckRule.Severity.self)),
                    .required("overridableBy", .nullable(.role)),
                    .required("overriddenBy", .nullable(.principal)),
                ]
            )
        ),
        (
            "Override",
            .object([
                .required("check", .names(CheckName.self)), .required("reason", .reason),
            ])
        ),
    ]

    private static let finding: [Schema.Member] = [
        .required("check", .names(CheckName.self)), .required("field", .field),
        .required("sentence", .string),
    ]
}

/// The keys that sign what is published, and what brings them on in their life.
extension Components {
    static let keys: [(String, Schema)] = [
        (
            "Key",
            .object(
                [
                    .required("id", .uuid), .required("app", .slug),
                    .required("state", .names(KeyState.self)),
                    .required("position", .nullable(.position)),
                    .required("algorithm", .constant(.string(KeyAnswer.algorithm))),
                    .required("publicKey", .string.described("SubjectPublicKeyInfo, PEM.")),
                ] + tried
            )
        ),
        ("KeyList", .list("keys", "Key")),
        (
            "KeyOrder",
            .object([
                .optional("id", .uuid),
                .optional("environment", .string.described("\(EnvironmentName.grammar).")),
                .optional("keyService", .string.described("\(KeyServiceName.grammar).")),
                .optional("reason", .reason),
            ])
        ),
        ("KeyTurn", .object([.optional("reason", .reason)])),
        ("Compromise", .object([.required("reason", .reason)])),
    ]
}

/// Events and what was published.
extension Components {
    static let records: [(String, Schema)] = [
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
                .required("differences", .array(of: .reference("Difference"))),
                .required("sentence", .string),
            ])
        ),
        (
            "Difference",
            .object([
                .required("member", .string), .required("subject", .string),
                .required("before", .nullable(.string)), .required("after", .nullable(.string)),
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
    ]
}
