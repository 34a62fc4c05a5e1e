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
        let settings = AppSettings(&reader, .usualLeftOut)
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
