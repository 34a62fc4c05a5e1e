/// A JSON Schema (2020-12) as OpenAPI 3.1 has it; objects have no members but those named.
package struct Schema: Sendable {
    package private(set) var json: JSONObject
    /// The schemas that it, or something inside it, refers to by name.
    package private(set) var components: [String: Schema] = [:]

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        package let schema: Schema
        package let isRequired: Bool

        package static func required(_ name: String, _ schema: Schema) -> Member {
            Member(name: name, schema: schema, isRequired: true)
        }

        /// One that may be left out, or null.
        package static func optional(_ name: String, _ schema: Schema) -> Member {
            Member(name: name, schema: .nullable(schema), isRequired: false)
        }
    }

    package init(json: JSONObject, within parts: [Schema] = []) {
        self.json = json
        for part in parts { components.merge(part.components) { first, _ in first } }
    }

    /// A reference to the schema, which is described once under its name.
    package static func named(_ name: String, _ schema: Schema) -> Schema {
        var reference = Schema(
            json: ["$ref": .string("#/components/schemas/\(name)")],
            within: [schema]
        )
        reference.components[name] = schema
        return reference
    }

    package static func object(_ members: [Member]) -> Schema {
        let properties = members.map {
            JSONObject.Member(key: $0.name, value: .object($0.schema.json))
        }
        let json: JSONObject = [
            "type": "object",
            "additionalProperties": false,
            "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
            "properties": .object(JSONObject(properties)),
        ]
        return Schema(json: json, within: members.map(\.schema))
    }

    package static func array(of element: Schema, atLeast minimum: Int = 0) -> Schema {
        let json: JSONObject = [
            "type": "array", "items": .object(element.json), "minItems": .integer(Int64(minimum)),
        ]
        return Schema(json: json, within: [element])
    }

    package static let string = Schema(json: ["type": "string"])

    package static func string(matching pattern: String) -> Schema {
        Schema(json: ["type": "string", "pattern": .string(pattern)])
    }

    package static func string(format: String) -> Schema {
        Schema(json: ["type": "string", "format": .string(format)])
    }

    package static func integer(from minimum: Int64, to maximum: Int64 = .max) -> Schema {
        Schema(json: [
            "type": "integer", "minimum": .integer(minimum), "maximum": .integer(maximum),
        ])
    }

    package static let boolean = Schema(json: ["type": "boolean"])

    package static func names(_ names: [String]) -> Schema {
        Schema(json: ["type": "string", "enum": .array(names.map(JSONValue.string))])
    }

    package static func names<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> Schema
    where Value.RawValue == String {
        names(type.allCases.map { $0.rawValue })
    }

    package static func constant(_ value: JSONValue) -> Schema { Schema(json: ["const": value]) }

    package static func oneOf(_ schemas: [Schema]) -> Schema {
        Schema(json: ["oneOf": .array(schemas.map { .object($0.json) })], within: schemas)
    }

    /// One of several components, of which a member's value names the one.
    package static func discriminated(
        by property: String,
        _ names: [(value: String, reference: Schema)]
    ) -> Schema {
        var schema = oneOf(names.map(\.reference))
        let mapping = names.map { name in
            JSONObject.Member(key: name.value, value: name.reference.json["$ref"] ?? .null)
        }
        schema.json["discriminator"] = [
            "propertyName": .string(property), "mapping": .object(JSONObject(mapping)),
        ]
        return schema
    }

    package static func nullable(_ schema: Schema) -> Schema {
        Schema(json: ["anyOf": [.object(schema.json), ["type": "null"]]], within: [schema])
    }

    /// An object whose members are documented elsewhere.
    package static let anyObject = Schema(json: ["type": "object"])

    package func described(_ description: String) -> Schema {
        var schema = self
        schema.json["description"] = .string(description)
        return schema
    }
}
