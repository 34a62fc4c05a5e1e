package import PlimsollDomain
package import PlimsollJSON

extension AvailabilityDocument {
    /// The bytes that are signed and served: canonical JSON.
    package func bytes(_ profile: DocumentProfile) -> [UInt8] {
        json(profile).canonicalBytes()
    }

    /// The members that phones know, and the stamp where there is one.
    package func json(_ profile: DocumentProfile) -> JSONObject {
        var json = JSONObject()
        for name in document.platform.thresholds {
            json[name.member(on: document.platform)] = member(document[name], profile)
        }
        json["plimsoll"] = stamp.map { .object($0.json) }
        return json
    }

    private func member(_ threshold: Threshold, _ profile: DocumentProfile) -> JSONValue? {
        switch profile {
        case .complete:
            return [
                "value": threshold.value?.json ?? document.platform.unsetValue,
                "title": texts(threshold.titles),
                "description": texts(threshold.descriptions),
            ]
        case .minimal:
            guard !threshold.isEmpty else { return nil }
            var member = JSONObject()
            member["value"] = threshold.value?.json
            if !threshold.titles.isEmpty { member["title"] = texts(threshold.titles) }
            if !threshold.descriptions.isEmpty {
                member["description"] = texts(threshold.descriptions)
            }
            return .object(member)
        }
    }

    private func texts(_ texts: [LanguageTag: Text]) -> JSONValue {
        let members = texts.sorted { $0.key < $1.key }.map { language, text in
            JSONObject.Member(key: language.text, value: .string(text.text))
        }
        return .object(JSONObject(members))
    }
}

extension Platform {
    /// What phones read where nothing is set: every version lies above it.
    var unsetValue: JSONValue {
        switch versionKind {
        case .dotted: "0"
        case .integer: 0
        }
    }
}

extension VersionValue {
    var json: JSONValue {
        switch self {
        case .dotted(let version): .string(version.written)
        case .integer(let version): .integer(Int64(version.number))
        }
    }
}
