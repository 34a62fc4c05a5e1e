package import PlimsollDomain
package import PlimsollJSON

extension AvailabilityDocument {
    /// The bytes that are signed and served: canonical JSON.
    package func bytes(
        _ profile: DocumentProfile,
        as form: PublishedForm = .current
    ) -> [UInt8] {
        json(profile, as: form).canonicalBytes()
    }

    /// The bytes that an earlier program made of it, where they were others.
    package func formerBytes(_ profile: DocumentProfile) -> [UInt8]? {
        document.published(profile, as: .former) == document.published(profile)
            ? nil : bytes(profile, as: .former)
    }

    /// The members that phones know, and the stamp where there is one.
    package func json(
        _ profile: DocumentProfile,
        as form: PublishedForm = .current
    ) -> JSONObject {
        let published = document.published(profile, as: form).thresholds
        var json = JSONObject()
        for name in document.platform.thresholds {
            json[name.member(on: document.platform)] = published[name].map {
                .object($0.json(document.platform))
            }
        }
        json["plimsoll"] = stamp.map { .object($0.json) }
        return json
    }
}

extension PublishedThreshold {
    fileprivate func json(_ platform: Platform) -> JSONObject {
        var json = JSONObject()
        json["value"] = value.map { value in
            switch value {
            case .nothing: platform.unsetValue
            case .version(let version): version.json
            }
        }
        json["title"] = titles.map(PlimsollDocuments.texts)
        json["description"] = descriptions.map(PlimsollDocuments.texts)
        return json
    }
}

private func texts(_ texts: [LanguageTag: String]) -> JSONValue {
    let members = texts.sorted { $0.key < $1.key }.map { language, text in
        JSONObject.Member(key: language.text, value: .string(text))
    }
    return .object(JSONObject(members))
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
