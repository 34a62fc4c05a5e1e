package import PlimsollDomain
package import PlimsollJSON

/// The settings of an app, and the event that brought them.
package struct SettingsAnswer: Answer {
    package let app: AppSlug
    package let settings: AppSettings
    /// What whoever changes them has to name; `nil` for those that were only tried.
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

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let settings = reader.object("settings").flatMap { settings in
            reader.nested(settings, at: reader.pointer.appending("settings"), .ignored) { reader in
                AppSettings(&reader, .whole)
            }
        }
        let position = reader.optionalPosition("position")
        let by = reader.principal("by")
        let since = reader.instant("since")
        let reason = reader.optionalReason("reason")
        let refusedBy = reader.refusers()
        guard let app, let settings, let by, let since, let refusedBy else {
            return nil
        }
        self.init(
            app: app,
            settings: settings,
            position: position,
            by: by,
            since: since,
            reason: reason,
            refusedBy: refusedBy
        )
    }

    package var json: JSONObject {
        [
            "app": .string(app.text),
            "position": JSONValue(position),
            "by": .string(by.text),
            "since": JSONValue(since),
            "reason": JSONValue(reason?.text),
            "settings": .object(settings.json),
            "refusedBy": .array(refusedBy.map { .object($0.json) }),
        ]
    }
}

/// The body of `PUT /v1/apps/{app}/settings`: all settings from then on, and why.
package struct SettingsForm: Form {
    package let settings: AppSettings
    package let reason: Reason?

    package init(settings: AppSettings, reason: Reason? = nil) {
        self.settings = settings
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let settings = AppSettings(&reader, .whole)
        let reason = reader.optionalReason("reason")
        guard let settings else { return nil }
        self.init(settings: settings, reason: reason)
    }

    package var json: JSONObject {
        var json = settings.json
        json["reason"] = JSONValue(reason?.text)
        return json
    }
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
    /// How much has to be said.
    enum Extent {
        /// What is left out of a registration is as usual.
        case usualLeftOut
        /// Where one takes the place of another, what is left out would be undone in silence.
        case whole
    }

    init?(_ reader: inout ObjectReader, _ extent: Extent) {
        let name = reader.title("name")
        let platforms = reader.strings(
            "platforms",
            needing: Platform.grammar,
            Platform.init(rawValue:)
        )
        let languages = reader.strings(
            "languages",
            needing: LanguageTag.grammar,
            LanguageTag.init
        )
        let fallback = reader.language("fallbackLanguage")
        let profile: DocumentProfile? = reader.choice("profile", .complete, extent)
        let clients: PrinceOfVersionsClients? = reader.choice("princeOfVersions", .modern, extent)
        let shipped = reader.optionalStrings(
            "shippedLanguages",
            needing: LanguageTag.grammar,
            LanguageTag.init
        )
        let readers = reader.optionalStrings(
            "clients",
            needing: ClientGeneration.grammar,
            ClientGeneration.init
        )
        guard let name, let platforms, let languages, let fallback, let profile, let clients
        else { return nil }
        self.init(
            name: name,
            platforms: platforms,
            languages: languages,
            fallbackLanguage: fallback,
            profile: profile,
            princeClients: clients,
            shippedLanguages: shipped,
            clients: readers
        )
    }

    func write(to json: inout JSONObject) {
        json["name"] = .string(name.text)
        json["platforms"] = JSONValue(platforms)
        json["languages"] = .array(languages.map { .string($0.text) })
        json["fallbackLanguage"] = .string(fallbackLanguage.text)
        json["profile"] = .string(profile.rawValue)
        json["princeOfVersions"] = .string(princeClients.rawValue)
        json["shippedLanguages"] = shippedLanguages.map { .array($0.map { .string($0.text) }) }
        json["clients"] = clients.map { .array($0.map { .string($0.name) }) }
    }

    package var json: JSONObject {
        var json: JSONObject = [:]
        write(to: &json)
        return json
    }
}

extension ObjectReader {
    fileprivate mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ key: String,
        _ usual: Value,
        _ extent: AppSettings.Extent
    ) -> Value? {
        switch extent {
        case .whole: string(key, needing: oneOf(Value.self), Value.init(rawValue:))
        case .usualLeftOut:
            optionalString(key, needing: oneOf(Value.self), Value.init(rawValue:)) ?? usual
        }
    }
}
