package import PlimsollDomain
package import PlimsollJSON

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
