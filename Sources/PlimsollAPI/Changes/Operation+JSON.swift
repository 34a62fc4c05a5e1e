package import PlimsollDomain
package import PlimsollJSON

/// The names under which edits go over the wire.
package enum EditName: String, CaseIterable {
    case setValue
    case clearValue
    case clearThreshold
    case setText
    case removeText
}

/// ```json
/// {"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "3.2.0"}
/// {"op": "setText", "platform": "ios", "threshold": "minimumApp", "part": "description",
///  "language": "en-GB", "text": "…"}
/// {"op": "clearValue", "platform": "ios", "threshold": "minimumApp"}
/// {"op": "clearThreshold", "platform": "ios", "threshold": "recommendedOS"}
/// {"op": "removeText", "platform": "ios", "threshold": "minimumApp", "part": "title",
///  "language": "cy"}
/// ```
extension Operation: Form {
    package init?(_ reader: inout ObjectReader) {
        let name = reader.name("op", as: EditName.self)
        let platform = reader.platform("platform")
        let threshold = reader.name("threshold", as: ThresholdName.self)
        guard let name else {
            // Which other members belong to it is not known, so none of them is called unknown.
            for key in reader.object.keys { _ = reader.value(key) }
            return nil
        }
        let edit: Edit? =
            switch name {
            case .setValue: reader.version("value", on: platform).map(Edit.setValue)
            case .clearValue: .clearValue
            case .clearThreshold: .clearThreshold
            case .setText: Edit(settingText: &reader)
            case .removeText: Edit(removingText: &reader)
            }
        guard let platform, let threshold, let edit else { return nil }
        self.init(platform, threshold, edit)
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "platform": .string(platform.rawValue),
            "threshold": .string(threshold.rawValue),
        ]
        switch edit {
        case .setValue(let value):
            json["op"] = .string(EditName.setValue.rawValue)
            json["value"] = JSONValue(value)
        case .clearValue:
            json["op"] = .string(EditName.clearValue.rawValue)
        case .clearThreshold:
            json["op"] = .string(EditName.clearThreshold.rawValue)
        case .setText(let part, let language, let text):
            json["op"] = .string(EditName.setText.rawValue)
            json["part"] = .string(part.rawValue)
            json["language"] = .string(language.text)
            json["text"] = .string(text.text)
        case .removeText(let part, let language):
            json["op"] = .string(EditName.removeText.rawValue)
            json["part"] = .string(part.rawValue)
            json["language"] = .string(language.text)
        }
        return json
    }
}

extension Operation.Edit {
    fileprivate init?(settingText reader: inout ObjectReader) {
        let part = reader.name("part", as: TextPart.self)
        let language = reader.language("language")
        let text = reader.text("text")
        guard let part, let language, let text else { return nil }
        self = .setText(part, language, text)
    }

    fileprivate init?(removingText reader: inout ObjectReader) {
        let part = reader.name("part", as: TextPart.self)
        let language = reader.language("language")
        guard let part, let language else { return nil }
        self = .removeText(part, language)
    }
}

extension ObjectReader {
    /// A version as the platform writes it: a string or a whole number.
    ///
    /// Where the platform could not be read, either form may be what it wants.
    package mutating func version(_ key: String, on platform: Platform?) -> VersionValue? {
        let kinds = VersionKind.kinds(on: platform)
        return member(key, needing: VersionKind.grammar(of: kinds)) { value in
            kinds.lazy.compactMap { VersionValue(value, $0) }.first
        }
    }

    package mutating func optionalVersion(
        _ key: String,
        on platform: Platform?
    ) -> VersionValue? {
        let kinds = VersionKind.kinds(on: platform)
        return optionalMember(key, needing: VersionKind.grammar(of: kinds)) { value in
            kinds.lazy.compactMap { VersionValue(value, $0) }.first
        }
    }
}

extension VersionKind {
    fileprivate static func kinds(on platform: Platform?) -> [VersionKind] {
        platform.map { [$0.versionKind] } ?? [.dotted, .integer]
    }

    fileprivate static func grammar(of kinds: [VersionKind]) -> String {
        kinds.map(\.grammarWithForm).joined(separator: ", or ")
    }

    /// What has to be sent, the JSON type included.
    package var grammarWithForm: String {
        switch self {
        case .dotted: "a string of \(grammar)"
        case .integer: grammar
        }
    }
}

extension VersionValue {
    package init?(_ value: JSONValue, _ kind: VersionKind) {
        switch (kind, value) {
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
