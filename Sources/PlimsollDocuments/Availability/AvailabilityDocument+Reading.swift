package import PlimsollDomain
package import PlimsollJSON

extension AvailabilityDocument {
    /// Twelve languages with the longest texts stay below it.
    private static let limits = JSONLimits(sizeMaximum: 4 << 20)

    /// Reads a document, also one that another publisher wrote and spaced out.
    ///
    /// Refused is what shipped phones would refuse, or would understand differently from one
    /// another; in a `complete` document that includes whatever is missing. Like on phones,
    /// members that nobody knows are passed over, and the value 0 means that nothing is set.
    package init(
        parsing bytes: [UInt8],
        platform: Platform,
        profile: DocumentProfile = .complete
    ) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        var document = Document(platform: platform)
        for name in platform.thresholds {
            document[name] = reader.threshold(name, platform, profile) ?? Threshold()
        }
        let stamp = reader.stamp(platform)
        self = try reader.finish(.ignored) { AvailabilityDocument(document, stamp: stamp) }
    }

    /// The document as whoever reads its bytes understands it: a value that is written like one
    /// that is not set, is not set.
    package var asRead: Document {
        var read = document
        for name in document.platform.thresholds
        where read[name].value?.json == document.platform.unsetValue {
            read[name].value = nil
        }
        return read
    }
}

extension ObjectReader {
    fileprivate mutating func threshold(
        _ name: ThresholdName,
        _ platform: Platform,
        _ profile: DocumentProfile
    ) -> Threshold? {
        let key = name.member(on: platform)
        guard
            let object = profile == .complete ? object(key) : optionalObject(key)
        else { return nil }
        return nested(object, at: pointer.appending(key), .ignored) { reader in
            let value = reader.versionValue(platform, profile)
            let titles = reader.texts(.title, of: name, profile)
            let descriptions = reader.texts(.description, of: name, profile)
            return Threshold(value: value, titles: titles, descriptions: descriptions)
        }
    }

    private mutating func versionValue(
        _ platform: Platform,
        _ profile: DocumentProfile
    ) -> VersionValue? {
        switch value("value") {
        case nil where profile == .minimal, platform.unsetValue: return nil
        default:
            return member("value", needing: platform.versionKind.grammar) {
                VersionValue($0, platform.versionKind)
            }
        }
    }

    /// A title that shipped phones have built in may be missing.
    private mutating func texts(
        _ part: TextPart,
        of name: ThresholdName,
        _ profile: DocumentProfile
    ) -> [LanguageTag: Text] {
        let key = part.rawValue
        let isDemanded = profile == .complete && name.partsShown.contains(part)
        guard let object = isDemanded ? object(key) : optionalObject(key) else { return [:] }
        return nested(object, at: pointer.appending(key)) { $0.texts() } ?? [:]
    }

    private mutating func texts() -> [LanguageTag: Text] {
        var texts: [LanguageTag: Text] = [:]
        for key in object.keys {
            let written = string(key)
            guard let language = LanguageTag(key) else {
                refuse(key, "Found another name; \(LanguageTag.grammar) is needed.")
                continue
            }
            guard texts[language] == nil else {
                refuse(key, "The language \(language) stands here twice, in two spellings.")
                continue
            }
            guard let written else { continue }
            do throws(TextFault) {
                texts[language] = try Text(validating: written)
            } catch {
                refuse(key, error.sentence)
            }
        }
        return texts
    }

    fileprivate mutating func stamp(_ platform: Platform) -> DocumentStamp? {
        guard let object = optionalObject("plimsoll") else { return nil }
        let place = pointer.appending("plimsoll")
        return nested(object, at: place, .ignored) { reader in
            let stamp = DocumentStamp.read(&reader)
            if let stamp, stamp.platform != platform {
                reader.refuse(
                    "platform",
                    "The document is for \(stamp.platform.rawValue); one for"
                        + " \(platform.rawValue) is needed."
                )
            }
            return stamp
        }
    }
}

extension VersionValue {
    /// Reads a value as documents of a kind of platform write it.
    fileprivate init?(_ json: JSONValue, _ kind: VersionKind) {
        switch (kind, json) {
        case (.dotted, .string(let text)):
            guard let version = AppleVersion(text) else { return nil }
            self = .dotted(version)
        case (.integer, .integer(let number)):
            guard let version = AndroidVersion(number) else { return nil }
            self = .integer(version)
        default: return nil
        }
    }
}
