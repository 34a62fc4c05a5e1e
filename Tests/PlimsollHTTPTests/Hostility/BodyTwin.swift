import HTTPTypes
import PlimsollJSON

/// A body that has to be refused.
struct BodyTwin {
    let name: String
    let bytes: [UInt8]
    let status: HTTPResponse.Status
    /// Where the refusal has to point: there, or below.
    let place: Place
    /// Whether what is around the place may be named in its stead: where nothing stands there, or
    /// where the value ends before the fault begins.
    var isParentNamed = false

    /// Whether somebody is told where to look; what follows from it may be named as well.
    func isNamed(by pointers: [String]) -> Bool {
        pointers.contains { place.holds($0) || isParentNamed && $0 == place.parent.pointer }
    }
}

/// The hostile twins of a good body: each differs from it in one thing.
struct BodyTwins {
    let good: JSONValue
    let schema: JSONValue
    let validator: SchemaValidator

    var all: [BodyTwin] { whole + good.places.flatMap(twins) }

    /// Every list that stands in the body or could, with its schema.
    var lists: [(place: Place, schema: JSONValue)] {
        good.places.flatMap { place -> [(place: Place, schema: JSONValue)] in
            guard let value = good[place], value.object != nil, let schema = schema(at: place)
            else { return [] }
            let members = validator.schema(of: value, schema)["properties"]?.object?.members ?? []
            return members.compactMap { member in
                validator.list(in: member.value).map {
                    (place.appending(.member(member.key)), $0)
                }
            }
        }
    }

    private func twins(at place: Place) -> [BodyTwin] {
        guard let value = good[place] else { return [] }
        let own: [BodyTwin] =
            switch value {
            case .string: unreadable(at: place, RawValues.strings)
            case .integer: unreadable(at: place, RawValues.numbers)
            case .object(let object): members(of: object, at: place)
            case .null, .bool, .array: []
            }
        return own + unfitting(at: place) + unreadable(at: place, RawValues.any)
    }

    /// Values that the schema does not allow at the place.
    private func unfitting(at place: Place) -> [BodyTwin] {
        guard let schema = schema(at: place) else { return [] }
        return RawValues.values.filter { !validator.faults(in: $0, schema, "").isEmpty }.map {
            BodyTwin(
                name: "\($0)",
                bytes: good.bytes(at: place, $0.canonicalBytes()),
                status: .unprocessableContent,
                place: place,
                isParentNamed: $0 == .null
            )
        }
    }

    /// Bytes that are no JSON as this service reads it, or no text as anybody should.
    private func unreadable(at place: Place, _ values: [RawValues.Raw]) -> [BodyTwin] {
        values.map {
            BodyTwin(
                name: $0.name,
                bytes: good.bytes(at: place, $0.bytes),
                status: $0.status,
                place: place,
                isParentNamed: $0.endsEarly
            )
        }
    }

    private func members(of object: JSONObject, at place: Place) -> [BodyTwin] {
        let unknown = BodyTwin(
            name: "unknown member",
            bytes: good.bytes(adding: "force", Array("true".utf8), in: place),
            status: .unprocessableContent,
            place: place.appending(.member("force"))
        )
        let required = schema(at: place).map { validator.schema(of: .object(object), $0) }?[
            "required"
        ]
        return object.members.flatMap { member -> [BodyTwin] in
            let own = place.appending(.member(member.key))
            let duplicated = BodyTwin(
                name: "duplicated member",
                bytes: good.bytes(adding: member.key, member.value.canonicalBytes(), in: place),
                status: .badRequest,
                place: own
            )
            let isRequired = required?.array?.contains(.string(member.key)) ?? false
            return isRequired ? [duplicated, missing(member.key, at: place)] : [duplicated]
        } + [unknown]
    }

    private func missing(_ name: String, at place: Place) -> BodyTwin {
        BodyTwin(
            name: "missing member",
            bytes: good.bytes(without: name, in: place),
            status: .unprocessableContent,
            place: place.appending(.member(name)),
            isParentNamed: true
        )
    }

    /// What can be wrong with a body as a whole.
    private var whole: [BodyTwin] {
        let empty =
            validator.faults(in: [:], schema, "").isEmpty
            ? []
            : [
                BodyTwin(
                    name: "no body",
                    bytes: [],
                    status: .unprocessableContent,
                    place: .root
                )
            ]
        let good = self.good.canonicalBytes()
        return empty + unreadable(at: .root, RawValues.documents)
            + unreadable(
                at: .root,
                [
                    .init("something behind it", good + Array("{}".utf8), .badRequest),
                    .init("a byte order mark", [0xEF, 0xBB, 0xBF] + good, .badRequest),
                    .init("UTF-16", good.flatMap { [$0, 0] }, .badRequest),
                    .init("cut off", good.dropLast(), .badRequest),
                ]
            )
    }

    /// The schema that what stands at a place has to fit.
    private func schema(at place: Place) -> JSONValue? {
        var (schema, value): (JSONValue?, JSONValue?) = (self.schema, good)
        for step in place.steps {
            guard let here = schema, let found = value else { return nil }
            let fitting = validator.schema(of: found, here)
            switch step {
            case .member(let name): (schema, value) = (fitting["properties"]?[name], found[name])
            case .element(let index): (schema, value) = (fitting["items"], found.array?[index])
            }
        }
        return schema
    }
}
