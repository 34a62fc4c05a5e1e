package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let apps: [any EndpointDeclaration] = [
        registerApp, listApps, getApp, chooseDefaultApp, getSettings, changeSettings, rollBack,
    ]

    package static let registerApp = Write<NoNames, RegistrationForm, AppAnswer>(
        .post("registerApp", "/v1/apps"),
        "Register an app.",
        status: 201
    )

    package static let listApps = Read<NoNames, AppList>(
        .get("listApps", "/v1/apps"),
        "Every app that the caller may see, as it is or was.",
        query: .moment
    )

    package static let getApp = Read<AppSlug, AppAnswer>(
        .get("getApp", "/v1/apps/{app}"),
        "An app as it is or was, and the position that a proposal is based on.",
        query: .moment
    )

    package static let chooseDefaultApp = Write<AppSlug, DefaultAppForm, DefaultAppAnswer>(
        .post("chooseDefaultApp", "/v1/apps/{app}/default"),
        "Have the app's documents stand at the addresses without an app's name.",
        mayMeet: [.stale]
    )

    package static let getSettings = Read<AppSlug, SettingsAnswer>(
        .get("getSettings", "/v1/apps/{app}/settings"),
        "The settings of an app: name, platforms, languages and profile.",
        query: .moment
    )

    package static let changeSettings = Endpoint<
        AppSlug, SeenSettings, SettingsForm, SettingsAnswer
    >(
        .put("changeSettings", "/v1/apps/{app}/settings"),
        "Give an app other settings, all of them at once."
    )

    package static let rollBack = Write<AppSlug, RollbackForm, RollbackAnswer>(
        .post("rollBack", "/v1/apps/{app}/rollback"),
        "Roll back: restore documents to an earlier state, at once, by one person.",
        mayMeet: [.stale]
    )
}

/// An app, as every resource of apps answers it.
package struct AppAnswer: Answer, Shaped {
    package let slug: AppSlug
    package let settings: AppSettings
    package let isDefault: Bool
    /// The last position of the log that the answer takes in: what a proposal is based on.
    package let position: Position
    /// What was last published of it, if anything was.
    package let sequence: SnapshotSequence?
    /// What keeps its changes from applying: its own freeze, or that of everything.
    package let freeze: FreezeAnswer?
    /// The freezes that are planned and not over, soonest first; only as it is now.
    package let freezePlans: [FreezePlanAnswer]

    package init(
        slug: AppSlug,
        settings: AppSettings,
        isDefault: Bool,
        position: Position,
        sequence: SnapshotSequence?,
        freeze: FreezeAnswer? = nil,
        freezePlans: [FreezePlanAnswer] = []
    ) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
        self.position = position
        self.sequence = sequence
        self.freeze = freeze
        self.freezePlans = freezePlans
    }

    package static let shape = Shape<Self>(
        "App",
        Self.init(slug:settings:isDefault:position:sequence:freeze:freezePlans:),
        .required("slug", \.slug, .slug),
        .part(\.settings, AppSettings.shape),
        .required("default", \.isDefault, .bool),
        .required("position", \.position, .position),
        .nullable("sequence", \.sequence, .sequence),
        .nullable("freeze", \.freeze, .object(FreezeAnswer.shape)),
        .required("freezePlans", \.freezePlans, .objects(FreezePlanAnswer.shape))
    ).withDryRun
}

/// Every app that the caller may see.
package struct AppList: Answer, Shaped {
    package let apps: [AppAnswer]

    package init(apps: [AppAnswer]) { self.apps = apps }

    package static let shape = Shape<Self>(
        "AppList",
        Self.init(apps:),
        .required("apps", \.apps, .objects(AppAnswer.shape))
    )
}

/// The body of `POST /v1/apps/{app}/default`.
package struct DefaultAppForm: Form, Shaped {
    /// The default app that was seen; `nil` where there was none.
    package let from: AppSlug?
    package let reason: Reason?

    package init(from: AppSlug?, reason: Reason? = nil) {
        (self.from, self.reason) = (from, reason)
    }

    package static let shape = Shape<Self>(
        "DefaultAppOrder",
        Self.init(from:reason:),
        .optional(
            "from",
            \.from,
            .slug(needing: AppSlug.grammar).described(
                as: .slug.described("The default app that was seen, if there was one.")
            )
        ),
        .optional("reason", \.reason, .reason)
    )
}

/// What phones are given at the addresses without an app's name, before and after.
package struct DefaultAppAnswer: Answer, Shaped {
    package let app: AppSlug
    package let from: AppSlug?
    /// The event that did it; `nil` in a dry run.
    package let position: Position?
    package let addresses: [Address]
    /// What signs at those addresses: phones that trust only the first refuse what comes after.
    package let keysBefore: [KeyID]
    package let keysAfter: [KeyID]

    /// One address, and whose document stands there.
    package struct Address: Message, Shaped {
        package let path: String
        package let before: Document?
        package let after: Document?

        package init(path: String, before: Document?, after: Document?) {
            (self.path, self.before, self.after) = (path, before, after)
        }

        package static let shape = Shape<Self>(
            nil,
            Self.init(path:before:after:),
            .required("path", \.path, .string),
            .nullable("before", \.before, .object(Document.shape)),
            .nullable("after", \.after, .object(Document.shape))
        )
    }

    /// A document by its app and the snapshot it is of; of a dry run, the lowest it can be of.
    package struct Document: Message, Shaped {
        package let app: AppSlug
        package let sequence: SnapshotSequence?

        package init(app: AppSlug, sequence: SnapshotSequence?) {
            (self.app, self.sequence) = (app, sequence)
        }

        package static let shape = Shape<Self>(
            nil,
            Self.init(app:sequence:),
            .required("app", \.app, .slug),
            .nullable("sequence", \.sequence, .sequence)
        )
    }

    package init(
        app: AppSlug,
        from: AppSlug?,
        position: Position?,
        addresses: [Address],
        keysBefore: [KeyID],
        keysAfter: [KeyID]
    ) {
        (self.app, self.from, self.position) = (app, from, position)
        (self.addresses, self.keysBefore, self.keysAfter) = (addresses, keysBefore, keysAfter)
    }

    package static let shape = Shape<Self>(
        "DefaultApp",
        Self.init(app:from:position:addresses:keysBefore:keysAfter:),
        .required("app", \.app, .slug),
        .nullable("from", \.from, .slug),
        .nullable("position", \.position, .position),
        .required("addresses", \.addresses, .objects(Address.shape)),
        .required("keysBefore", \.keysBefore, .array(of: .key)),
        .required("keysAfter", \.keysAfter, .array(of: .key))
    ).withDryRun
}

/// The body of `POST /v1/apps`.
///
/// ```json
/// {"slug": "harbour", "name": "Harbour", "platforms": ["ios", "android"],
///  "languages": ["en-GB", "en"], "fallbackLanguage": "en-GB"}
/// ```
package struct RegistrationForm: Form, Shaped {
    package let slug: AppSlug
    package let settings: AppSettings
    /// Without a word on it, the first app becomes the default one.
    package let isDefault: Bool?

    package init(slug: AppSlug, settings: AppSettings, isDefault: Bool? = nil) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
    }

    package static let shape = Shape<Self>(
        "Registration",
        Self.init(slug:settings:isDefault:),
        .required("slug", \.slug, .slug),
        .part(\.settings, AppSettings.shapeOfNew),
        .optional("default", \.isDefault, .bool, none: .leftOut)
    )
}

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
    package var refusedBy: [SimulationAnswer.Refuser]

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
