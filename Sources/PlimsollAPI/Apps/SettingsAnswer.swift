package import PlimsollDomain
package import PlimsollJSON

/// The settings of an app, and the event that brought them.
package struct SettingsAnswer: Answer, Shaped {
    package let app: AppSlug
    package let settings: AppSettings
    /// What whoever changes them has to name; `nil` in a dry run.
    package let position: Position?
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?
    /// The apps in people's hands that refuse what is live under these settings.
    package let refusedBy: [SimulationAnswer.Refuser]

    package init(
        app: AppSlug,
        settings: AppSettings,
        position: Position?,
        by: PrincipalID,
        since: Instant,
        reason: Reason?,
        refusedBy: [SimulationAnswer.Refuser] = []
    ) {
        (self.app, self.settings) = (app, settings)
        (self.position, self.by) = (position, by)
        (self.since, self.reason, self.refusedBy) = (since, reason, refusedBy)
    }

    package static let shape = Shape<Self>(
        "SettingsInForce",
        Self.init(app:settings:position:by:since:reason:refusedBy:),
        .required("app", \.app, .slug),
        .required("settings", \.settings, .object(AppSettings.shape)),
        .nullable("position", \.position, .position),
        .required("by", \.by, .principal),
        .required("since", \.since, .instant),
        .nullable("reason", \.reason, .reason),
        .required(
            "refusedBy",
            \.refusedBy,
            .objects(SimulationAnswer.Refuser.shape),
            before: []
        )
    ).withDryRun
}

/// The body of `PUT /v1/apps/{app}/settings`: all settings from then on, and why.
package struct SettingsForm: Form, Shaped {
    package let settings: AppSettings
    package let reason: Reason?

    package init(settings: AppSettings, reason: Reason? = nil) {
        self.settings = settings
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "SettingsOrder",
        Self.init(settings:reason:),
        .part(\.settings, AppSettings.shape),
        .optional("reason", \.reason, .reason)
    )
}

extension AppSettings {
    /// What others say otherwise, in the order in which settings are told.
    package func differences(to other: AppSettings) -> [Difference] {
        [Difference](from: told, to: other.told)
    }

    /// Every setting in words.
    package var told: [ToldPart] {
        [
            ("name", "name", name.text),
            ("platforms", "platforms", platforms.map(\.rawValue).joined(separator: ", ")),
            ("languages", "languages", words(languages)),
            ("fallbackLanguage", "fallback language", fallbackLanguage.text),
            ("profile", "profile", profile.rawValue),
            ("princeOfVersions", "clients of Prince of Versions", princeClients.rawValue),
            ("shippedLanguages", "languages the app ships with", shippedLanguages.map(words)),
            ("clients", "clients in use", clients.map { $0.map(\.name).joined(separator: ", ") }),
        ]
    }

    private func words(_ languages: [LanguageTag]) -> String {
        languages.map(\.text).joined(separator: ", ")
    }
}

extension AppSettings {
    /// All of them: where they take the place of others, what is left out would be undone in silence.
    package static let shape = shape(
        .required("profile", \.profile, .names, before: .complete),
        .required("princeOfVersions", \.princeClients, .names, before: .modern)
    )

    /// Those of a new app: what is left out is as usual.
    static let shapeOfNew = shape(
        .usual("profile", \.profile, .names, .complete),
        .usual("princeOfVersions", \.princeClients, .names, .modern)
    )

    private static func shape(
        _ profile: ShapeMember<Self, DocumentProfile>,
        _ princeClients: ShapeMember<Self, PrinceOfVersionsClients>
    ) -> Shape<Self> {
        Shape(
            "Settings",
            Self.init(
                name:
                platforms:
                languages:
                fallbackLanguage:
                profile:
                princeClients:
                shippedLanguages:
                clients:
            ),
            .required("name", \.name, .title),
            .required("platforms", \.platforms, .array(of: .names, atLeast: 1)),
            .required("languages", \.languages, .array(of: .language, atLeast: 1)),
            .required("fallbackLanguage", \.fallbackLanguage, .language),
            profile,
            princeClients,
            .optional(
                "shippedLanguages",
                \.shippedLanguages,
                .array(of: .language).described(
                    as: .nullable(.array(of: .language, atLeast: 1))
                ),
                none: .leftOut
            ),
            .optional(
                "clients",
                \.clients,
                .array(of: .client).described(as: .nullable(.array(of: .clientGeneration))),
                none: .leftOut
            )
        )
    }

    package var json: JSONObject { Self.shape.json(self) }
}
