package import PlimsollDomain
package import PlimsollJSON

extension FieldValue {
    /// How a value stands in the read models: versions and texts as people read them, whatever else as
    /// canonical JSON.
    package var stored: String {
        switch self {
        case .version, .text: description
        case .offers, .legacy, .packages: String(decoding: json.canonicalBytes(), as: UTF8.self)
        }
    }

    /// Reads what ``stored`` gives.
    package init?(text: String, of field: Field) {
        switch (field.part, field.platform.versionKind) {
        case (nil, _):
            let bytes = Array(text.utf8)
            let limits = JSONLimits(sizeMaximum: bytes.count)
            guard let json = try? JSONValue(parsing: bytes, limits: limits),
                let value = FieldValue(json: json, of: field)
            else { return nil }
            self = value
        case (.value, .dotted):
            guard let version = AppleVersion(text) else { return nil }
            self = .version(.dotted(version))
        case (.value, .integer):
            guard let version = Int64(text).flatMap({ AndroidVersion($0) }) else { return nil }
            self = .version(.integer(version))
        case (.text, _):
            guard let words = try? Text(validating: text) else { return nil }
            self = .text(words)
        }
    }
}

extension FieldChange {
    /// Reads a row of the audit read model.
    init(path: String, before: String?, after: String?) throws(CorruptReadModel) {
        try self.init(of: Field(readModel: path), before: before, after: after)
    }

    init(of field: Field, before: String?, after: String?) throws(CorruptReadModel) {
        self.init(
            field: field,
            before: try FieldValue.read(before, of: field),
            after: try FieldValue.read(after, of: field)
        )
    }
}

extension Field {
    init(readModel path: String) throws(CorruptReadModel) {
        guard let field = Field(path: path) else {
            throw CorruptReadModel("\(path) is the name of no field")
        }
        self = field
    }
}

extension FieldValue {
    /// Nothing where nothing stood.
    static func read(_ text: String?, of field: Field) throws(CorruptReadModel) -> FieldValue? {
        guard let text else { return nil }
        guard let value = FieldValue(text: text, of: field) else {
            throw CorruptReadModel("\(field) has no value that belongs there")
        }
        return value
    }
}

/// Canonical JSON of an effect: `[{"after":"3.2.0","before":"3.1.0","field":"…"}]`.
package func effectJSON(_ effect: [FieldChange]) -> [UInt8] {
    JSONValue.array(effect.map(\.json)).canonicalBytes()
}

extension FieldChange {
    package var json: JSONValue {
        [
            "after": after?.json ?? .null,
            "before": before?.json ?? .null,
            "field": .string(field.path),
        ]
    }
}

/// Reads what ``effectJSON(_:)`` gives.
package func effect(json: [UInt8]) throws(CorruptReadModel) -> [FieldChange] {
    let limits = JSONLimits(sizeMaximum: json.count)
    guard let entries = (try? JSONValue(parsing: json, limits: limits))?.array else {
        throw CorruptReadModel("an effect is not a JSON array")
    }
    var effect: [FieldChange] = []
    for entry in entries {
        guard let field = entry["field"]?.string.flatMap(Field.init(path:)) else {
            throw CorruptReadModel("an effect names no field")
        }
        effect.append(
            FieldChange(
                field: field,
                before: try value(entry["before"], of: field),
                after: try value(entry["after"], of: field)
            )
        )
    }
    return effect
}

private func value(
    _ json: JSONValue?,
    of field: Field
) throws(CorruptReadModel) -> FieldValue? {
    guard let json, json != .null else { return nil }
    guard let value = FieldValue(json: json, of: field) else {
        throw CorruptReadModel("\(field) has no value that belongs there")
    }
    return value
}
