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
    ///
    /// An empty text says nothing: it is passed over where nobody is to read it, and elsewhere if
    /// that is asked for.
    package init(
        parsing bytes: [UInt8],
        platform: Platform,
        profile: DocumentProfile = .complete,
        emptyTexts: EmptyTexts = .refused
    ) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        var document = Document(platform: platform)
        let form = ReadingForm(platform: platform, profile: profile, emptyTexts: emptyTexts)
        for name in platform.thresholds {
            document[name] = reader.threshold(name, form) ?? Threshold()
        }
        let stamp = reader.stamp(platform)
        self = try reader.finish(.ignored) { AvailabilityDocument(document, stamp: stamp) }
    }

    /// The document as whoever reads its bytes understands it: a value that is written like one
    /// that is not set, is not set, and what is not published is not there.
    package func asRead(
        _ profile: DocumentProfile,
        as form: PublishedForm = .current
    ) -> Document {
        let published = document.published(profile, as: form).thresholds
        var read = document
        for name in document.platform.thresholds {
            if published[name] == nil { read[name] = Threshold() }
            if read[name].value?.json == document.platform.unsetValue { read[name].value = nil }
        }
        return read
    }
}

/// What becomes of a text without a letter in a document that is read.
package enum EmptyTexts: Sendable {
    case refused
    case dropped
}

/// How a document is read.
private struct ReadingForm {
    let platform: Platform
    let profile: DocumentProfile
    let emptyTexts: EmptyTexts

    /// Whether the member has to be there, and be whole.
    func demands(_ name: ThresholdName) -> Bool {
        profile != .minimal && profile.members(on: platform).contains(name)
    }
}

extension ObjectReader {
    fileprivate mutating func threshold(
        _ name: ThresholdName,
        _ form: ReadingForm
    ) -> Threshold? {
        let key = name.member(on: form.platform)
        guard let object = form.demands(name) ? object(key) : optionalObject(key) else {
            return nil
        }
        return nested(object, at: pointer.appending(key), .ignored) { reader in
            let isUnset = reader.isUnset(form)
            let value = isUnset ? nil : reader.versionValue(form.platform)
            let empty = isUnset ? .dropped : form.emptyTexts
            let titles = reader.texts(.title, of: name, form, empty)
            let descriptions = reader.texts(.description, of: name, form, empty)
            return Threshold(value: value, titles: titles, descriptions: descriptions)
        }
    }

    /// Whether the member says that nothing is set.
    private mutating func isUnset(_ form: ReadingForm) -> Bool {
        switch value("value") {
        case nil: form.profile == .minimal
        case let value: value == form.platform.unsetValue
        }
    }

    private mutating func versionValue(_ platform: Platform) -> VersionValue? {
        member("value", needing: platform.versionKind.grammar) {
            VersionValue($0, platform.versionKind)
        }
    }

    /// A title that shipped phones have built in may be missing.
    private mutating func texts(
        _ part: TextPart,
        of name: ThresholdName,
        _ form: ReadingForm,
        _ empty: EmptyTexts
    ) -> [LanguageTag: Text] {
        let key = part.rawValue
        let isDemanded = form.demands(name) && name.partsShown.contains(part)
        guard let object = isDemanded ? object(key) : optionalObject(key) else { return [:] }
        return nested(object, at: pointer.appending(key)) { $0.texts(empty) } ?? [:]
    }

    private mutating func texts(_ empty: EmptyTexts) -> [LanguageTag: Text] {
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
            guard let written, empty == .refused || !written.isEmpty else { continue }
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
    init?(_ json: JSONValue, _ kind: VersionKind) {
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
