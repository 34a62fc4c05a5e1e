package import PlimsollDomain
package import PlimsollJSON

extension Document {
    /// Canonical JSON from field to value: `{"ios.minimumApp.value":"3.2.0"}`.
    package var fieldsJSON: [UInt8] {
        JSONObject(
            fields.compactMap { field in
                self[field].map { JSONObject.Member(key: field.path, value: $0.json) }
            }
        ).canonicalBytes()
    }

    /// Reads what ``fieldsJSON`` gives.
    package init(platform: Platform, fieldsJSON: [UInt8]) throws(CorruptReadModel) {
        self.init(platform: platform)
        let limits = JSONLimits(sizeMaximum: fieldsJSON.count)
        guard let object = (try? JSONValue(parsing: fieldsJSON, limits: limits))?.object else {
            throw CorruptReadModel("the document of \(platform.rawValue) is not a JSON object")
        }
        for member in object.members {
            guard
                let field = Field(path: member.key), field.platform == platform,
                let value = FieldValue(json: member.value, of: field)
            else { throw CorruptReadModel("\(member.key) has no value that belongs there") }
            set(field, value)
        }
    }

    /// Takes a value that is of the field's kind.
    mutating func set(_ field: Field, _ value: FieldValue) {
        switch (field.part, value) {
        case (.value, .version(let version)): self[field.threshold].value = version
        case (.text(.title, let language), .text(let text)):
            self[field.threshold].titles[language] = text
        case (.text(.description, let language), .text(let text)):
            self[field.threshold].descriptions[language] = text
        case (.value, .text), (.text, .version):
            preconditionFailure("a field value is read as its field demands")
        }
    }
}

extension FieldValue {
    /// A dotted version and a text are strings, a version code is a number.
    package var json: JSONValue {
        switch self {
        case .version(.dotted(let version)): .string(version.written)
        case .version(.integer(let version)): .integer(Int64(version.number))
        case .text(let text): .string(text.text)
        }
    }

    package init?(json: JSONValue, of field: Field) {
        switch (field.part, field.platform.versionKind, json) {
        case (.value, .dotted, .string(let written)):
            guard let version = AppleVersion(written) else { return nil }
            self = .version(.dotted(version))
        case (.value, .integer, .integer(let number)):
            guard let version = AndroidVersion(number) else { return nil }
            self = .version(.integer(version))
        case (.text, _, .string(let words)):
            guard let text = try? Text(validating: words) else { return nil }
            self = .text(text)
        default: return nil
        }
    }
}

/// A read model holds what the projector never writes; a rebuild makes it anew.
package struct CorruptReadModel: Error, Equatable, Sendable {
    package let sentence: String

    package init(_ sentence: String) {
        self.sentence = sentence
    }
}
