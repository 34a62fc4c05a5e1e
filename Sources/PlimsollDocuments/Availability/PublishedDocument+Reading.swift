package import PlimsollDomain
import PlimsollJSON

extension PublishedDocument {
    /// What stands in a document that anybody may have written, as far as phones look for it.
    ///
    /// What is no document at all has no members, and what is of a wrong kind is not there: phones
    /// refuse both alike.
    package init(reading bytes: [UInt8], platform: Platform) {
        let json = try? JSONValue(parsing: bytes, limits: JSONLimits(sizeMaximum: 4 << 20))
        let members = platform.thresholds.compactMap { name in
            json?[name.member(on: platform)]?.object.map {
                (name, PublishedThreshold(reading: $0, platform))
            }
        }
        self.init(platform: platform, thresholds: Dictionary(members) { first, _ in first })
    }

    /// The places of texts without a letter: `minimumAppVersion.description.en-GB`.
    package var emptyTexts: [String] {
        platform.thresholds.flatMap { name in
            TextPart.allCases.flatMap { part in
                (thresholds[name]?.texts(part) ?? [:]).filter(\.value.isEmpty).keys.sorted().map {
                    "\(name.member(on: platform)).\(part.rawValue).\($0)"
                }
            }
        }
    }
}

extension PublishedThreshold {
    fileprivate init(reading object: JSONObject, _ platform: Platform) {
        let value = object["value"].flatMap { json in
            json == platform.unsetValue
                ? .nothing : VersionValue(json, platform.versionKind).map(PublishedValue.version)
        }
        self.init(
            value: value,
            titles: languages(object["title"]),
            descriptions: languages(object["description"])
        )
    }
}

/// Texts by language, if all of them are texts; tags that nobody knows are looked up by nobody.
private func languages(_ json: JSONValue?) -> [LanguageTag: String]? {
    guard let members = json?.object?.members else { return nil }
    let texts = members.compactMap { member in member.value.string.map { (member.key, $0) } }
    guard texts.count == members.count else { return nil }
    let known = texts.compactMap { key, text in LanguageTag(key).map { ($0, text) } }
    return Dictionary(known) { first, _ in first }
}
