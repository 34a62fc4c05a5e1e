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

/// The schemas of single values.
extension Schema {
    static let slug = string(matching: "^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$")
        .described("An app's slug: \(AppSlug.grammar).")
    static let language = string(matching: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")
        .described("\(LanguageTag.grammar).")
    static let platform = names(Platform.self)
    static let threshold = names(ThresholdName.self)
    static let part = names(TextPart.self)
    static let role = names(Role.self)
    static let position = integer(from: 0).described("A position of the log.")
    static let sequence = integer(from: 1).described("A snapshot's sequence.")
    static let instant = string(format: "date-time")
    static let uuid = string(format: "uuid")
    static let principal = string(
        matching: "^(system|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$"
    )
    .described("A principal's id.")
    static let thresholdPlace = string(
        matching: "^(\(either(Platform.self)))\\.(\(either(ThresholdName.self)))$"
    )
    .described("\(ThresholdPlace.grammar).")

    static let field = string(
        matching: "^(\(either(Platform.self)))\\.(offers|legacy|(\(either(ThresholdName.self)))"
            + "\\.(value|(\(either(TextPart.self)))\\.[A-Za-z0-9-]+))$"
    )
    .described("\(Field.grammar).")
    static let state = string(
        matching: "^(live|event:[0-9]+|time:.+|change:[1-9][0-9]*|snapshot:[1-9][0-9]*"
            + "|rollback:(event:[0-9]+|time:.+|before-change:[1-9][0-9]*|revert:[1-9][0-9]*|last-good:[1-9][0-9]*))$"
    )
    .described("\(StateName.grammar).")
    static let change = string(matching: "^[1-9][0-9]{0,18}$").described("A change's id.")
    static let digest = string(matching: "^[0-9a-f]{64}$")
    static let title = text(most: Title.scalarsMaximum, without: "\\n")
    static let reason = text(most: Reason.scalarsMaximum)
    static let words = text(most: Text.scalarsMaximum)
    static let profile = names(DocumentProfile.self)
    static let languages = string(matching: "^[A-Za-z0-9-]+(,[A-Za-z0-9-]+)*$")
        .described("The language of a phone, then other languages its owner reads: de-DE,fr.")
    static let clientGeneration = names(ClientGeneration.all.map(\.name))
    static let simulatedClient = names(["plimsoll"] + ClientGeneration.all.map(\.name))
        .described("An app in people's hands, or plimsoll: whatever links our own client.")
    static let princeClients = names(PrinceOfVersionsClients.self)
    static let dottedVersion = string(matching: "^[0-9]{1,10}(\\.[0-9]{1,10}){0,2}$")
    static let integerVersion = integer(from: 1, to: Int64(Int32.max))
    /// A version of a platform that stands elsewhere.
    static let anyVersion = oneOf([version(.dotted), version(.integer)])
    static let cursor = string(matching: "^[A-Za-z0-9_-]{1,128}$")
        .described("Opaque; give it as the parameter cursor.")
    /// The tag of an open change, or that of one which has been decided on.
    static let digestTag = string(matching: "^\"[0-9a-f]{64}(-[a-z]+)?\"$")
    /// The tag of a policy or of a key: the position of its event.
    static let positionTag = string(matching: "^\"[0-9]+\"$")

    /// What a version is written as on platforms of the kind.
    static func version(_ kind: VersionKind) -> Schema {
        switch kind {
        case .dotted: dottedVersion.described("\(kind.grammar).")
        case .integer: integerVersion.described("\(kind.grammar).")
        }
    }

    /// The platforms whose versions are of the kind.
    static func platforms(_ kind: VersionKind) -> Schema {
        names(Platform.allCases.filter { $0.versionKind == kind }.map(\.rawValue))
    }

    /// The names of a closed set as a pattern has them.
    private static func either<Value: RawRepresentable & CaseIterable>(
        _ type: Value.Type
    ) -> String where Value.RawValue == String {
        type.allCases.map(\.rawValue).joined(separator: "|")
    }
}
