/// How one kind of value is read, written and described; each is said once.
package struct ValueShape<Value: Sendable>: Sendable {
    /// Completes "… is needed" where the value is missing.
    package let needed: String
    package let schema: Schema
    /// Adds an issue where it gives `nil`.
    package let read: @Sendable (JSONValue, JSONPointer, inout ObjectReader) -> Value?
    package let write: @Sendable (Value) -> JSONValue

    /// A value that is taken or refused as it stands.
    package init(
        _ needed: String,
        _ schema: Schema,
        _ make: @escaping @Sendable (JSONValue) -> Value?,
        _ write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.init(needed: needed, schema: schema, write: write) { found, place, reader in
            if let value = make(found) { return value }
            reader.refuse(.rejected(found, needed: needed, at: place))
            return nil
        }
    }

    package init(
        needed: String,
        schema: Schema,
        write: @escaping @Sendable (Value) -> JSONValue,
        read: @escaping @Sendable (JSONValue, JSONPointer, inout ObjectReader) -> Value?
    ) {
        (self.needed, self.schema, self.write, self.read) = (needed, schema, write, read)
    }

    /// A string that makes a value.
    package static func string(
        needing grammar: String,
        _ schema: Schema,
        _ make: @escaping @Sendable (String) -> Value?,
        _ text: @escaping @Sendable (Value) -> String
    ) -> ValueShape {
        ValueShape(grammar, schema, { $0.string.flatMap(make) }, { .string(text($0)) })
    }

    /// The same, described with bounds or words of its own.
    package func described(as schema: Schema) -> ValueShape {
        ValueShape(needed: needed, schema: schema, write: write, read: read)
    }

    /// `nil` only where an issue says why.
    func readNeeded(_ name: String, _ reader: inout ObjectReader) -> Value? {
        let place = reader.pointer.appending(name)
        guard let found = reader.value(name) else {
            reader.refuse(.missing(needed, at: place))
            return nil
        }
        return read(found, place, &reader)
    }

    /// `nil` where the member is missing or null, or an issue says why.
    func readIfPresent(_ name: String, _ reader: inout ObjectReader) -> Value? {
        guard let found = reader.value(name), found != .null else { return nil }
        return read(found, reader.pointer.appending(name), &reader)
    }
}

// MARK: - Values in values

extension ValueShape {
    /// An object of a shape, as strict as the message it stands in.
    package static func object(_ shape: Shape<Value>) -> ValueShape {
        ValueShape(
            needed: "an object",
            schema: shape.reference,
            write: { .object(shape.json($0)) },
            read: { found, place, reader in
                guard let object = found.object else {
                    reader.refuse(.rejected(found, needed: "an object", at: place))
                    return nil
                }
                return reader.nested(object, at: place) { shape.read(&$0) }
            }
        )
    }

    /// An array of objects of a shape.
    package static func objects<Element>(
        _ shape: Shape<Element>,
        atLeast minimum: Int = 0
    ) -> ValueShape where Value == [Element] {
        let element = ValueShape<Element>.object(shape)
        return elements(element, minimum) { found, place, reader in
            guard found.object != nil else {
                reader.refuse(.mismatch(found, needed: "an object", at: place))
                return nil
            }
            return element.read(found, place, &reader)
        }
    }

    /// An array of values; every bad one is an issue.
    package static func array<Element>(
        of element: ValueShape<Element>,
        atLeast minimum: Int = 0
    ) -> ValueShape where Value == [Element] {
        elements(element, minimum, element.read)
    }

    private static func elements<Element>(
        _ element: ValueShape<Element>,
        _ minimum: Int,
        _ read: @escaping @Sendable (JSONValue, JSONPointer, inout ObjectReader) -> Element?
    ) -> ValueShape where Value == [Element] {
        ValueShape(
            needed: "an array",
            schema: .array(of: element.schema, atLeast: minimum),
            write: { .array($0.map(element.write)) },
            read: { found, place, reader in
                guard let values = found.array else {
                    reader.refuse(.rejected(found, needed: "an array", at: place))
                    return nil
                }
                let made = values.enumerated().compactMap { index, value in
                    read(value, place.appending(index), &reader)
                }
                return made.count == values.count ? made : nil
            }
        )
    }

    /// A value of an array that may be null.
    package static func nullable<Wrapped>(
        _ value: ValueShape<Wrapped>
    ) -> ValueShape where Value == Wrapped? {
        ValueShape(
            needed: value.needed,
            schema: .nullable(value.schema),
            write: { $0.map(value.write) ?? .null },
            read: { found, place, reader in
                found == .null ? .some(nil) : value.read(found, place, &reader)
            }
        )
    }

    /// An object with a member for each key that has a value.
    package static func keyed<Key: RawRepresentable<String> & CaseIterable & Hashable, Element>(
        _ element: ValueShape<Element>,
        by keys: [Key] = Array(Key.allCases)
    ) -> ValueShape where Value == [Key: Element] {
        ValueShape.object(
            Shape(
                members: keys.map { .optional($0.rawValue, element.schema) },
                read: { reader in
                    var values: [Key: Element] = [:]
                    for key in keys {
                        values[key] = element.readIfPresent(key.rawValue, &reader)
                    }
                    return values
                },
                write: { values, json in
                    for (key, value) in values { json[key.rawValue] = element.write(value) }
                }
            )
        )
    }
}

// MARK: - Closed sets of names

extension ValueShape where Value: RawRepresentable<String> & CaseIterable {
    /// One of the cases of a closed set of names.
    package static var names: ValueShape {
        string(needing: oneOf(Value.self), .names(Value.self), Value.init) { $0.rawValue }
    }
}

/// The names of a closed set, as a sentence says them: `one of title, description`.
package func oneOf<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> String
where Value.RawValue == String {
    // Not by a key path, which generic code looks up anew at each call.
    "one of " + type.allCases.map { $0.rawValue }.joined(separator: ", ")
}

// MARK: - Plain values

extension ValueShape<String> {
    package static let string = ValueShape(
        "a string",
        .string,
        \.string,
        JSONValue.string
    )
}

extension ValueShape<Bool> {
    package static let bool = ValueShape("true or false", .boolean, \.bool, JSONValue.bool)
}

extension ValueShape<Int64> {
    /// A whole number; the bounds are said to readers of the schema, and asked by the rules.
    package static func integer(from minimum: Int, to maximum: Int = .max) -> ValueShape {
        ValueShape(
            "a whole number",
            .integer(from: Int64(minimum), to: Int64(maximum)),
            \.integer,
            JSONValue.integer
        )
    }
}

extension ValueShape<Int> {
    /// A number of things.
    package static func count(from minimum: Int = 0, to maximum: Int = .max) -> ValueShape {
        ValueShape(
            "a whole number",
            .integer(from: Int64(minimum), to: Int64(maximum)),
            { $0.integer.map { Int(clamping: $0) } },
            { .integer(Int64($0)) }
        )
    }
}

extension ValueShape<JSONObject> {
    /// An object whose members are described elsewhere.
    package static let anyObject = ValueShape("an object", .anyObject, \.object, JSONValue.object)
}
