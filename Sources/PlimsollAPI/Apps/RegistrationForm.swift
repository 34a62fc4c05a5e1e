package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps`.
///
/// ```json
/// {"slug": "harbour", "name": "Harbour", "platforms": ["ios", "android"],
///  "languages": ["en-GB", "en"], "fallbackLanguage": "en-GB"}
/// ```
package struct RegistrationForm: Form {
    package let slug: AppSlug
    package let settings: AppSettings
    /// Without a word on it, the first app becomes the default one.
    package let isDefault: Bool?

    package init(slug: AppSlug, settings: AppSettings, isDefault: Bool? = nil) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
    }

    package init?(_ reader: inout ObjectReader) {
        let slug = reader.slug("slug")
        let settings = AppSettings(&reader)
        let isDefault = reader.optionalBool("default")
        guard let slug, let settings else { return nil }
        self.init(slug: slug, settings: settings, isDefault: isDefault)
    }

    package var json: JSONObject {
        var json: JSONObject = ["slug": .string(slug.text)]
        settings.write(to: &json)
        json["default"] = isDefault.map(JSONValue.bool)
        return json
    }
}

extension AppSettings {
    init?(_ reader: inout ObjectReader) {
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
        let profile = reader.optionalString(
            "profile",
            needing: oneOf(DocumentProfile.self),
            DocumentProfile.init(rawValue:)
        )
        let clients = reader.optionalString(
            "princeOfVersions",
            needing: oneOf(PrinceClients.self),
            PrinceClients.init(rawValue:)
        )
        guard let name, let platforms, let languages, let fallback else { return nil }
        self.init(
            name: name,
            platforms: platforms,
            languages: languages,
            fallbackLanguage: fallback,
            profile: profile ?? .complete,
            princeClients: clients ?? .modern
        )
    }

    func write(to json: inout JSONObject) {
        json["name"] = .string(name.text)
        json["platforms"] = JSONValue(platforms)
        json["languages"] = .array(languages.map { .string($0.text) })
        json["fallbackLanguage"] = .string(fallbackLanguage.text)
        json["profile"] = .string(profile.rawValue)
        json["princeOfVersions"] = .string(princeClients.rawValue)
    }
}
