import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// The inputs of an app's settings, on the pages that change them and that register an app.
extension Visit {
    /// What was typed, or what is in force.
    func inputs(of settings: AppSettings?) -> Fields {
        let isTyped = form.has("settingsName")
        let platforms = isTyped ? form.all("platform") : settings?.platforms.map(\.rawValue) ?? []
        let clients = isTyped ? form.all("client") : settings?.clients?.map(\.name) ?? []
        let isNamed = isTyped ? form["clients"] == "named" : settings?.clients != nil
        return Fields(all: [
            "settingsName": form["settingsName"] ?? settings?.name.text,
            "platforms": Platform.allCases.first(settings?.platforms ?? []).map { platform in
                [
                    "value": platform.rawValue, "label": platform.name,
                    "isChosen": platforms.contains(platform.rawValue),
                ]
            },
            "languages": form["languages"] ?? settings?.languages.written,
            "fallback": form["fallback"] ?? settings?.fallbackLanguage.text,
            "profiles": options(DocumentProfile.self, "profile", settings?.profile.rawValue),
            "princes": options(
                PrinceOfVersionsClients.self,
                "princeOfVersions",
                settings?.princeClients.rawValue
            ),
            "shipped": isTyped ? form["shipped"] : settings?.shippedLanguages?.written,
            "isNamed": isNamed,
            "clients": ClientGeneration.all.first(settings?.clients ?? []).map { client -> Fields in
                let versions = wording(nil)(client.versions, as: .phrase)
                return [
                    "value": client.name, "label": "\(client.platform.name) \(versions)",
                    "isChosen": clients.contains(client.name),
                ]
            },
        ])
    }

    private func options<Choice: RawRepresentable<String> & CaseIterable>(
        _ choices: Choice.Type,
        _ name: String,
        _ inForce: String?
    ) -> [Fields] {
        let chosen = form[name] ?? inForce
        return Choice.allCases.map { choice in
            let key = choice.rawValue.replacing(".", with: "")
            return [
                "value": choice.rawValue, "label": language["settings.\(name).\(key)"],
                "isChosen": choice.rawValue == chosen,
            ]
        }
    }

    /// What was typed, as the interface takes it.
    var settingsJSON: JSONObject {
        get throws {
            [
                "name": .string(try needed("settingsName") { $0 }),
                "platforms": .array(form.all("platform").map(JSONValue.string)),
                "languages": words(of: try needed("languages") { $0 }),
                "fallbackLanguage": .string(try needed("fallback") { $0 }),
                "profile": .string(try needed("profile") { $0 }),
                "princeOfVersions": .string(try needed("princeOfVersions") { $0 }),
                "shippedLanguages": form["shipped"].map(words) ?? .null,
                "clients": form["clients"] == "named"
                    ? .array(form.all("client").map(JSONValue.string)) : .null,
            ]
        }
    }

    private func words(of text: String) -> JSONValue {
        let parts = text.split { $0 == "," || $0.isWhitespace }
        return .array(parts.map { .string(String($0)) })
    }
}

extension Array where Element: Equatable {
    /// Those first and in their order, so that what stays as it is sends no other order.
    fileprivate func first(_ leading: [Element]) -> [Element] {
        leading + filter { !leading.contains($0) }
    }
}

extension [LanguageTag] {
    fileprivate var written: String { map(\.text).joined(separator: ", ") }
}
