package import PlimsollDomain
package import PlimsollJSON

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
        let clients: PrinceClients? = reader.choice("princeOfVersions", .modern, extent)
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
