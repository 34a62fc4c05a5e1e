/// What a message is made of: the name of each member, its value, and whether it may be missing.
///
/// From it come the reader that finds all faults, the writer, and the JSON Schema.
///
/// ```swift
/// package static let shape = Shape<Self>(
///     "Freeze",
///     Self.init(app:by:since:),
///     .nullable("app", \.app, .slug),
///     .required("by", \.by, .principal),
///     .required("since", \.since, .instant)
/// )
/// ```
/// Members are read in their order, and so are the faults that are told.
///
/// Messages stand in another module, so that they all call this code: in their own the optimiser
/// would write it out for each of them (decision 20).
package struct Shape<Root: Sendable>: Sendable {
    /// What its schema is called; without a name it is written out where it stands.
    package private(set) var name: String?
    /// The members that it has beside others where it is a part of another shape.
    package private(set) var members: [Schema.Member]
    /// Members that the schema has besides; whoever answers adds them.
    private var added: [Schema.Member] = []
    /// Of a shape whose schema does more than list members.
    private let written: Schema?
    private var reading: @Sendable (inout ObjectReader) -> Root?
    private var writing: @Sendable (Root, inout JSONObject) -> Void

    /// Has `make` take the values of the members in their order.
    package init<each Value>(
        _ name: String? = nil,
        _ make: @escaping @Sendable (repeat each Value) -> Root?,
        _ members: repeat ShapeMember<Root, each Value>
    ) {
        self.init(
            name,
            members: Self.schemas(repeat each members),
            read: { reader in
                let values = (repeat (each members).read(&reader))
                do throws(Missing) {
                    return make(repeat try present(each values))
                } catch {
                    return nil
                }
            },
            write: { root, json in
                repeat (each members).write(root, &json)
            }
        )
    }

    /// A shape whose members depend on each other, read and written by hand.
    package init(
        _ name: String? = nil,
        schema: Schema? = nil,
        members: [Schema.Member] = [],
        read: @escaping @Sendable (inout ObjectReader) -> Root?,
        write: @escaping @Sendable (Root, inout JSONObject) -> Void
    ) {
        self.name = name
        self.members = members
        written = schema
        (reading, writing) = (read, write)
    }

    private static func schemas<each Value>(
        _ members: repeat ShapeMember<Root, each Value>
    ) -> [Schema.Member] {
        var schemas: [Schema.Member] = []
        for member in repeat each members { schemas += member.schemas }
        return schemas
    }

    /// Reads all members; `nil` where an issue of the reader says why.
    package func read(_ reader: inout ObjectReader) -> Root? { reading(&reader) }

    package func write(_ root: Root, to json: inout JSONObject) { writing(root, &json) }

    package func json(_ root: Root) -> JSONObject {
        var json: JSONObject = [:]
        writing(root, &json)
        return json
    }

    package var schema: Schema { written ?? .object(members + added) }

    /// Whether an object without any member is of the shape.
    package var allowsNothing: Bool { written == nil && !members.contains(where: \.isRequired) }

    /// What stands where a value of the shape does.
    package var reference: Schema { name.map { Schema.named($0, schema) } ?? schema }
}

extension Shape {
    /// The same under another name, which says what it means in one place.
    package func named(_ name: String) -> Shape {
        var shape = self
        shape.name = name
        return shape
    }

    /// The same with members that follow from the others: they are told, and not read.
    package func telling<each Value>(_ members: repeat ShapeMember<Root, each Value>) -> Shape {
        var shape = self
        shape.members += Self.schemas(repeat each members)
        shape.writing = { [writing] root, json in
            writing(root, &json)
            repeat (each members).write(root, &json)
        }
        return shape
    }

    /// The same with a look at members that have to fit each other.
    package func checking(
        _ check: @escaping @Sendable (Root, inout ObjectReader) -> Void
    ) -> Shape {
        var shape = self
        shape.reading = { [reading] reader in
            let root = reading(&reader)
            if let root { check(root, &reader) }
            return root
        }
        return shape
    }

    /// The same in an answer, which has every member, with null where there is nothing.
    package var told: Shape {
        var shape = self
        shape.members = members.map { .required($0.name, $0.schema) }
        return shape
    }

    /// The same, described with a member that whoever answers adds; a schema that is written out
    /// stays as it is.
    package func adding(_ member: Schema.Member) -> Shape {
        var shape = self
        shape.added.append(member)
        return shape
    }
}

private struct Missing: Error {}

private func present<Value>(_ value: Value?) throws(Missing) -> Value {
    guard let value else { throw Missing() }
    return value
}

/// A member of a shape, or several that make one value.
package struct ShapeMember<Root: Sendable, Value: Sendable>: Sendable {
    /// `nil` only where an issue of the reader says why.
    let read: @Sendable (inout ObjectReader) -> Value?
    let write: @Sendable (Root, inout JSONObject) -> Void
    let schemas: [Schema.Member]

    /// One that has to be there; an answer of a service that did not have it yet means `before`.
    package static func required(
        _ name: String,
        _ value: @escaping @Sendable (Root) -> Value,
        _ shape: ValueShape<Value>,
        before: Value? = nil
    ) -> ShapeMember {
        ShapeMember(
            read: { reader in
                if reader.isLenient, let before {
                    return shape.readIfPresent(name, &reader) ?? before
                }
                return shape.readNeeded(name, &reader)
            },
            write: { root, json in json[name] = shape.write(value(root)) },
            schemas: [.required(name, shape.schema)]
        )
    }

    /// One that a form may leave out, or have null.
    package static func optional<Wrapped>(
        _ name: String,
        _ value: @escaping @Sendable (Root) -> Wrapped?,
        _ shape: ValueShape<Wrapped>,
        none: NoneWritten = .null
    ) -> ShapeMember where Value == Wrapped? {
        ShapeMember(
            read: { reader in .some(shape.readIfPresent(name, &reader)) },
            write: { root, json in
                if let value = value(root) {
                    json[name] = shape.write(value)
                } else if none == .null {
                    json[name] = .null
                }
            },
            schemas: [.optional(name, shape.schema)]
        )
    }

    /// One that an answer always has, with null where there is nothing.
    package static func nullable<Wrapped>(
        _ name: String,
        _ value: @escaping @Sendable (Root) -> Wrapped?,
        _ shape: ValueShape<Wrapped>
    ) -> ShapeMember where Value == Wrapped? {
        let member = optional(name, value, shape)
        return ShapeMember(
            read: member.read,
            write: member.write,
            schemas: [.required(name, .nullable(shape.schema))]
        )
    }

    /// One that a form may leave out where it is as usual.
    package static func usual(
        _ name: String,
        _ value: @escaping @Sendable (Root) -> Value,
        _ shape: ValueShape<Value>,
        _ usual: Value
    ) -> ShapeMember {
        ShapeMember(
            read: { reader in shape.readIfPresent(name, &reader) ?? usual },
            write: { root, json in json[name] = shape.write(value(root)) },
            schemas: [.optional(name, shape.schema)]
        )
    }

    /// The members of another shape, beside those of this one.
    package static func part(
        _ value: @escaping @Sendable (Root) -> Value,
        _ shape: Shape<Value>
    ) -> ShapeMember {
        ShapeMember(
            read: { reader in shape.read(&reader) },
            write: { root, json in shape.write(value(root), to: &json) },
            schemas: shape.members
        )
    }
}

/// What is written where an optional member has no value.
package enum NoneWritten: Sendable {
    case null
    case leftOut
}
