package import PlimsollDomain
package import PlimsollJSON

/// A document in the form of the NHS COVID-19 apps, as phones fetch it.
///
/// The same document, stamp and profile always have the same bytes. Values are strings on Apple's
/// platforms and numbers on Android.
package struct AvailabilityDocument: Equatable, Sendable {
    /// Without offers, which it does not tell.
    package let document: Document
    /// `nil` in documents that this service did not publish.
    package let stamp: DocumentStamp?

    package static let mediaType = "application/json"

    package init(_ document: Document, stamp: DocumentStamp?) {
        precondition(
            Self.fileName(for: document.platform) != nil,
            "there is no availability document for \(document.platform.rawValue)"
        )
        precondition(
            stamp.map { $0.platform == document.platform } ?? true,
            "a document is stamped with its own platform"
        )
        var told = document
        (told.offers, told.legacy) = ([], nil)
        self.document = told
        self.stamp = stamp
    }

    /// The last segment of its address; `nil` for a platform without an availability document.
    package static func fileName(for platform: Platform) -> FileName? {
        platform.thresholds.isEmpty ? nil : FileName("availability-\(platform.rawValue)")
    }
}

extension AvailabilityDocument {
    private static let limits = JSONLimits(sizeMaximum: Manifest.fileSizeMaximum)

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

/// The member `plimsoll` of an availability document, which shipped phones ignore.
///
/// The signature binds neither app nor platform nor age; this member does, for those who look:
/// a signed document cannot pass for another, or for a newer one.
package struct DocumentStamp: Equatable, Sendable {
    package let app: AppSlug
    package let platform: Platform
    package let issue: SnapshotIssue

    package init(app: AppSlug, platform: Platform, issue: SnapshotIssue) {
        self.app = app
        self.platform = platform
        self.issue = issue
    }

    package var json: JSONObject {
        let members: [JSONObject.Member] = [
            .init(key: "app", value: .string(app.text)),
            .init(key: "platform", value: .string(platform.rawValue)),
        ]
        return JSONObject(members + issue.members)
    }

    static func read(_ reader: inout ObjectReader) -> DocumentStamp? {
        let app = reader.string("app", needing: AppSlug.grammar, AppSlug.init)
        let platform = reader.string("platform", needing: "a platform", Platform.init)
        let issue = reader.issue()
        guard let app, let platform, let issue else { return nil }
        return DocumentStamp(app: app, platform: platform, issue: issue)
    }
}

extension PublishedDocument {
    /// What stands in a document that anybody may have written, as far as phones look for it.
    ///
    /// What is no document at all has no members, and what is of a wrong kind is not there: phones
    /// refuse both alike.
    package init(reading bytes: [UInt8], platform: Platform) {
        let limits = JSONLimits(sizeMaximum: Manifest.fileSizeMaximum)
        let json = try? JSONValue(parsing: bytes, limits: limits)
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
