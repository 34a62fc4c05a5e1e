import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// A JSON Schema (2020-12) as OpenAPI 3.1 has it; objects have no members but those named.
struct Schema {
    private(set) var json: JSONObject

    /// A member of an object.
    struct Member {
        let name: String
        let schema: Schema
        let isRequired: Bool

        static func required(_ name: String, _ schema: Schema) -> Member {
            Member(name: name, schema: schema, isRequired: true)
        }

        /// One that may be left out, or null.
        static func optional(_ name: String, _ schema: Schema) -> Member {
            Member(name: name, schema: .nullable(schema), isRequired: false)
        }
    }

    static func object(_ members: [Member]) -> Schema {
        Schema(json: [
            "type": "object",
            "additionalProperties": false,
            "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
            "properties": .object(
                JSONObject(
                    members.map {
                        JSONObject.Member(key: $0.name, value: .object($0.schema.json))
                    }
                )
            ),
        ])
    }

    static func array(of element: Schema, atLeast minimum: Int64 = 0) -> Schema {
        Schema(json: [
            "type": "array", "items": .object(element.json), "minItems": .integer(minimum),
        ])
    }

    static let string = Schema(json: ["type": "string"])

    static func string(matching pattern: String) -> Schema {
        Schema(json: ["type": "string", "pattern": .string(pattern)])
    }

    static func string(format: String) -> Schema {
        Schema(json: ["type": "string", "format": .string(format)])
    }

    /// A text without controls and bidirectional overrides, line feeds excepted.
    static func text(most scalars: Int, without others: String = "") -> Schema {
        let controls = "\\u0000-\\u0009\\u000B-\\u001F\\u007F-\\u009F"
        let overrides = "\\u202A-\\u202E\\u2066-\\u2069"
        return Schema(json: [
            "type": "string", "minLength": 1, "maxLength": .integer(Int64(scalars)),
            "pattern": .string("^[^\(controls)\(overrides)\(others)]*$"),
        ])
    }

    static func integer(from minimum: Int64, to maximum: Int64 = .max) -> Schema {
        Schema(json: [
            "type": "integer", "minimum": .integer(minimum), "maximum": .integer(maximum),
        ])
    }

    static let boolean = Schema(json: ["type": "boolean"])

    static func names(_ names: [String]) -> Schema {
        Schema(json: ["type": "string", "enum": .array(names.map(JSONValue.string))])
    }

    static func names<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> Schema
    where Value.RawValue == String {
        names(type.allCases.map(\.rawValue))
    }

    static func constant(_ value: JSONValue) -> Schema { Schema(json: ["const": value]) }

    static func reference(_ name: String) -> Schema {
        Schema(json: ["$ref": .string("#/components/schemas/\(name)")])
    }

    static func oneOf(_ schemas: [Schema]) -> Schema {
        Schema(json: ["oneOf": .array(schemas.map { .object($0.json) })])
    }

    /// One of several components, of which a member's value names the one.
    static func discriminated(
        by property: String,
        _ names: [(value: String, component: String)]
    ) -> Schema {
        var schema = oneOf(names.map { reference($0.component) })
        let mapping = names.map { name in
            JSONObject.Member(
                key: name.value,
                value: .string("#/components/schemas/\(name.component)")
            )
        }
        schema.json["discriminator"] = [
            "propertyName": .string(property), "mapping": .object(JSONObject(mapping)),
        ]
        return schema
    }

    static func nullable(_ schema: Schema) -> Schema {
        Schema(json: ["anyOf": [.object(schema.json), ["type": "null"]]])
    }

    /// An object whose members are documented elsewhere.
    static let anyObject = Schema(json: ["type": "object"])

    func described(_ description: String) -> Schema {
        var json = json
        json["description"] = .string(description)
        return Schema(json: json)
    }
}
