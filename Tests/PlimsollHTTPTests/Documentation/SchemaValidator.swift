import Foundation
import PlimsollDomain
import PlimsollJSON

/// Holds values against the schemas of an OpenAPI document: the keywords that it uses, no others.
struct SchemaValidator {
    private let document: JSONValue

    init(_ document: JSONValue) {
        self.document = document
    }

    /// What is wrong with a value that has to fit the named schema.
    func faults(in value: JSONValue, _ name: String) -> [String] {
        faults(in: value, ["$ref": .string("#/components/schemas/\(name)")], "")
    }

    /// What is wrong with a value that has to fit a schema.
    func faults(in value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        if let reference = schema["$ref"]?.string {
            guard let target = target(of: reference) else {
                return ["\(place): \(reference) leads nowhere"]
            }
            return faults(in: value, target, place)
        }
        return alternatives(value, schema, place) + type(value, schema, place)
            + text(value, schema, place) + number(value, schema, place)
            + members(value, schema, place) + elements(value, schema, place)
    }

    /// The schema behind references and alternatives that a value fits.
    func schema(of value: JSONValue, _ schema: JSONValue) -> JSONValue {
        if let target = schema["$ref"]?.string.flatMap(target) {
            return self.schema(of: value, target)
        }
        let schemas = schema["anyOf"]?.array ?? schema["oneOf"]?.array ?? []
        guard let fitting = schemas.first(where: { faults(in: value, $0, "").isEmpty }) else {
            return schema
        }
        return self.schema(of: value, fitting)
    }

    /// The schema of a list, if a value that fits the schema may be one.
    func list(in schema: JSONValue) -> JSONValue? {
        if let target = schema["$ref"]?.string.flatMap(target) { return list(in: target) }
        if schema["type"] == "array" { return schema }
        return (schema["anyOf"]?.array ?? schema["oneOf"]?.array ?? []).lazy
            .compactMap { list(in: $0) }.first
    }

    private func target(of reference: String) -> JSONValue? {
        let name = reference.split(separator: "/").last.map(String.init) ?? ""
        return document["components"]?["schemas"]?[name]
    }

    private func alternatives(
        _ value: JSONValue,
        _ schema: JSONValue,
        _ place: String
    ) -> [String] {
        var found: [String] = []
        if let schemas = schema["anyOf"]?.array,
            !schemas.contains(where: { faults(in: value, $0, place).isEmpty })
        {
            found.append("\(place): fits none of several")
        }
        if let schemas = schema["oneOf"]?.array {
            let count = schemas.count { faults(in: value, $0, place).isEmpty }
            if count != 1 { found.append("\(place): fits \(count) of several, not one") }
        }
        if let names = schema["enum"]?.array, !names.contains(value) {
            found.append("\(place): is none of the names")
        }
        if let constant = schema["const"], constant != value {
            found.append("\(place): is not the constant")
        }
        return found
    }

    private func type(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let type = schema["type"] else { return [] }
        let allowed = (type.array ?? [type]).compactMap(\.string)
        let actual =
            switch value {
            case .null: "null"
            case .bool: "boolean"
            case .integer: "integer"
            case .string: "string"
            case .array: "array"
            case .object: "object"
            }
        return allowed.contains(actual) ? [] : ["\(place): is of type \(actual)"]
    }

    private func text(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let text = value.string else { return [] }
        var found: [String] = []
        if let pattern = schema["pattern"]?.string,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            found.append("\(place): \(text) does not match \(pattern)")
        }
        switch schema["format"]?.string {
        case "date-time" where Instant(rfc3339: text) == nil: found.append("\(place): is no time")
        case "uuid" where UUID(uuidString: text) == nil: found.append("\(place): is no UUID")
        default: break
        }
        let length = Int64(text.unicodeScalars.count)
        if let minimum = schema["minLength"]?.integer, length < minimum {
            found.append("\(place): is too short")
        }
        if let maximum = schema["maxLength"]?.integer, length > maximum {
            found.append("\(place): is too long")
        }
        return found
    }

    private func number(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let number = value.integer else { return [] }
        let minimum = schema["minimum"]?.integer ?? .min
        let maximum = schema["maximum"]?.integer ?? .max
        return (minimum...maximum).contains(number) ? [] : ["\(place): is out of bounds"]
    }

    private func members(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let object = value.object, let properties = schema["properties"] else { return [] }
        let missing = (schema["required"]?.array ?? []).compactMap(\.string)
            .filter { object[$0] == nil }.map { "\(place)/\($0): is missing" }
        return missing
            + object.members.flatMap { member -> [String] in
                guard let schema = properties[member.key] else {
                    return ["\(place)/\(member.key): is not documented"]
                }
                return faults(in: member.value, schema, "\(place)/\(member.key)")
            }
    }

    private func elements(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let values = value.array, let items = schema["items"] else { return [] }
        let isShort = Int64(values.count) < schema["minItems"]?.integer ?? 0
        return (isShort ? ["\(place): has too few elements"] : [])
            + values.enumerated().flatMap { faults(in: $1, items, "\(place)/\($0)") }
    }
}
