package import PlimsollDomain
package import PlimsollJSON

extension Release {
    package var json: JSONObject {
        var json = facts.json
        json["platform"] = .string(platform.rawValue)
        json["version"] = JSONValue(version)
        return json
    }

    /// `iOS 3.2.0 (412), which needs 15.0 and is in the App Store since …`.
    var sentence: String {
        let name = facts.name.map { " (\($0.text))" } ?? ""
        let build = facts.build.map { " (\($0.text))" } ?? ""
        let store = facts.store?.text ?? "its store"
        let parts = [
            facts.system.map { "needs \($0)" },
            facts.liveSince.map { "is in \(store) since \($0)" },
        ].compactMap(\.self)
        let tail = parts.isEmpty ? "" : ", which " + parts.joined(separator: " and ") + ","
        return "\(platform.name) \(version)\(name)\(build)\(tail)"
    }
}

extension ReleaseFacts {
    init?(_ reader: inout ObjectReader) {
        self.init(
            name: reader.optionalString("name", needing: VersionName.grammar, VersionName.init),
            build: reader.optionalLabel("build"),
            // Which form it has to have depends on the platform, which stands elsewhere.
            system: reader.optionalVersion("os", on: nil),
            store: reader.optionalLabel("store"),
            liveSince: reader.optionalInstant("liveSince")
        )
    }

    var json: JSONObject {
        [
            "name": JSONValue(name?.text), "build": JSONValue(build?.text),
            "os": system.map(JSONValue.init) ?? .null,
            "store": JSONValue(store?.text), "liveSince": JSONValue(liveSince),
        ]
    }
}
