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
