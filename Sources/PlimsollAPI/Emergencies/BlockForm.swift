package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/block`.
///
/// ```json
/// {"platform": "ios", "below": "3.2.0", "reason": "3.1 loses bookings", "incident": "INC-731"}
/// ```
/// The incident may have no number yet. With `texts` it says what people below it read:
/// `{"description": {"en-GB": "…"}}`.
package struct BlockForm: Form {
    package let platform: Platform
    /// The oldest version that still runs.
    package let below: VersionValue
    /// What people below it read; of what is left out, what is there stays.
    package let texts: TextsByLanguage
    package let reason: Reason
    package let incident: Title?
    package let owner: PrincipalID?

    package init(
        platform: Platform,
        below: VersionValue,
        texts: TextsByLanguage = [:],
        reason: Reason,
        incident: Title? = nil,
        owner: PrincipalID? = nil
    ) {
        self.platform = platform
        self.below = below
        self.texts = texts
        self.reason = reason
        self.incident = incident
        self.owner = owner
    }

    package init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let below = reader.version("below", on: platform)
        let texts = reader.optionalObject("texts").flatMap { object in
            let place = reader.pointer.appending("texts")
            return reader.nested(object, at: place) { ObjectReader.texts(&$0) }
        }
        let reason = reader.reason("reason")
        let incident = reader.optionalTitle("incident")
        let owner = reader.optionalPrincipal("owner")
        guard let platform, let below, let reason else { return nil }
        self.init(
            platform: platform,
            below: below,
            texts: texts ?? [:],
            reason: reason,
            incident: incident,
            owner: owner
        )
    }

    package var json: JSONObject {
        [
            "platform": .string(platform.rawValue),
            "below": JSONValue(below),
            "texts": texts.isEmpty ? .null : .object(JSONObject(texts: texts)),
            "reason": .string(reason.text),
            "incident": JSONValue(incident?.text),
            "owner": JSONValue(owner?.text),
        ]
    }

    /// What the change is called.
    package var title: Title {
        do throws(TextFault) {
            return try Title(validating: "Block \(platform.name) versions below \(below)")
        } catch {
            preconditionFailure("a platform and a version make a title")
        }
    }
}

extension JSONObject {
    /// `{"title": {"en-GB": "…"}, "description": {"en-GB": "…"}}`.
    package init(texts: TextsByLanguage) {
        self.init(
            TextPart.allCases.compactMap { part in
                texts[part].map { texts in
                    let members = texts.sorted { $0.key < $1.key }.map {
                        Member(key: $0.key.text, value: .string($0.value.text))
                    }
                    return Member(key: part.rawValue, value: .object(JSONObject(members)))
                }
            }
        )
    }
}

extension ObjectReader {
    /// Titles and descriptions by language; `nil` only where an issue says why.
    package static func texts(_ reader: inout ObjectReader) -> TextsByLanguage? {
        var texts: TextsByLanguage = [:]
        for part in TextPart.allCases {
            guard let object = reader.optionalObject(part.rawValue) else { continue }
            let place = reader.pointer.appending(part.rawValue)
            texts[part] = reader.nested(object, at: place, .refused) { reader in
                reader.textsByLanguage()
            }
        }
        return texts
    }

    private mutating func textsByLanguage() -> [LanguageTag: Text]? {
        var texts: [LanguageTag: Text] = [:]
        for member in object.members {
            let text = text(member.key)
            guard let language = LanguageTag(member.key) else {
                refuse(member.key, "A language is needed: \(LanguageTag.grammar).")
                continue
            }
            if texts[language] != nil { refuse(member.key, "\(language) stands here twice.") }
            texts[language] = text
        }
        return texts
    }
}
