package import PlimsollJSON

/// For whom the data of an event is written.
package enum DataForm: Sendable {
    /// As it is hashed and kept for ever: what there is not is left out.
    case stored
    /// As answers tell it: what there is not is null, ids are strings, and secrets are left out.
    case answered
}

/// Why an object is not the data of an event.
package enum DataFault: Error, Equatable, Sendable {
    /// A member is missing or has no value that makes sense.
    case badMember(String)
    /// Members that do not belong to it.
    case strangeMembers([String])
}

/// Reads the members of an object, each once, and accepts no others.
package struct DataReader {
    private let object: JSONObject
    private var read: [String] = []

    package init(_ object: JSONObject) { self.object = object }

    fileprivate mutating func value(_ key: String) -> JSONValue? {
        guard let value = object[key] else { return nil }
        read.append(key)
        return value
    }

    package mutating func take<Value>(_ members: Members<Value>) throws(DataFault) -> Value {
        try members.read(&self)
    }

    /// Whether members that nobody asked for are passed over: also those of the objects within, whose
    /// readers know nothing of whom they read for.
    @TaskLocal fileprivate static var isLenient = false

    /// Refuses members that nobody asked for.
    package func finish() throws(DataFault) {
        guard read.count < object.count, !Self.isLenient else { return }
        throw .strangeMembers(object.keys.filter { !read.contains($0) })
    }
}

/// How a value is written as one value of JSON, and read strictly.
package struct Coding<Value: Sendable>: Sendable {
    /// `nil` where it makes no sense.
    package let read: @Sendable (JSONValue) throws(DataFault) -> Value?
    package let write: @Sendable (Value, DataForm) -> JSONValue

    init(
        read: @escaping @Sendable (JSONValue) throws(DataFault) -> Value?,
        write: @escaping @Sendable (Value, DataForm) -> JSONValue
    ) {
        (self.read, self.write) = (read, write)
    }

    /// As a string.
    init(
        text read: @escaping @Sendable (String) -> Value?,
        _ write: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            read: { json throws(DataFault) in json.string.flatMap(read) },
            write: { value, _ in .string(write(value)) }
        )
    }

    /// As a whole number.
    init(
        number read: @escaping @Sendable (Int64) -> Value?,
        _ write: @escaping @Sendable (Value) -> Int64
    ) {
        self.init(
            read: { json throws(DataFault) in json.integer.flatMap(read) },
            write: { value, _ in .integer(write(value)) }
        )
    }

    /// As an object that has these members and no others.
    static func object(_ members: Members<Value>) -> Coding {
        Coding(
            read: { json throws(DataFault) in
                guard let object = json.object else { return nil }
                return try members.value(in: object)
            },
            write: { value, form in .object(members.object(value, form)) }
        )
    }

    /// As an array.
    static func list<Element>(of coding: Coding<Element>) -> Coding where Value == [Element] {
        Coding(
            read: { json throws(DataFault) in
                guard let values = json.array else { return nil }
                var elements: [Element] = []
                elements.reserveCapacity(values.count)
                for value in values {
                    guard let element = try coding.read(value) else { return nil }
                    elements.append(element)
                }
                return elements
            },
            write: { elements, form in .array(elements.map { coding.write($0, form) }) }
        )
    }

    /// As an object whose members have names that are themselves values.
    static func table<Key: Hashable & Sendable, Element>(
        _ key: Coding<Key>,
        of coding: Coding<Element>
    ) -> Coding where Value == [Key: Element] {
        Coding(
            read: { json throws(DataFault) in
                guard let object = json.object else { return nil }
                var table: [Key: Element] = [:]
                for member in object.members {
                    guard let name = try key.read(.string(member.key)),
                        let element = try coding.read(member.value)
                    else { return nil }
                    table[name] = element
                }
                return table
            },
            write: { table, form in
                .object(
                    JSONObject(
                        table.map {
                            guard let name = key.write($0, form).string else {
                                preconditionFailure("a member's name is written as a string")
                            }
                            return .init(key: name, value: coding.write($1, form))
                        }
                    )
                )
            }
        )
    }

    /// As itself, or as null.
    static func orNull<Known>(_ coding: Coding<Known>) -> Coding where Value == Known? {
        Coding(
            read: { json throws(DataFault) in
                if json == .null { return .some(nil) }
                return try coding.read(json).map { .some($0) }
            },
            write: { value, form in value.map { coding.write($0, form) } ?? .null }
        )
    }
}

extension Coding {
    /// Reads what a later program may have written, with members that are not known yet; `nil` where
    /// it makes no sense all the same.
    func lenientValue(of json: JSONValue) -> Value? {
        DataReader.$isLenient.withValue(true) { try? read(json) }
    }
}

extension Coding where Value: RawRepresentable<String> {
    /// As the name that it has in code, which is never changed.
    static var name: Coding { Coding(text: Value.init(rawValue:), \.rawValue) }
}

/// Members of an object that say a value together: declared once, written and read.
package struct Members<Value: Sendable>: Sendable {
    /// Their names in what is stored.
    package let keys: [String]
    fileprivate let read: @Sendable (inout DataReader) throws(DataFault) -> Value
    fileprivate let write: @Sendable (Value, DataForm, inout JSONObject) -> Void

    init(
        _ keys: [String],
        read: @escaping @Sendable (inout DataReader) throws(DataFault) -> Value,
        write: @escaping @Sendable (Value, DataForm, inout JSONObject) -> Void
    ) {
        (self.keys, self.read, self.write) = (keys, read, write)
    }

    /// One member.
    ///
    /// Where an earlier shape has none, it is read as `usual`. Answers may call it otherwise, or
    /// leave it out.
    init(
        _ key: String,
        _ coding: Coding<Value>,
        usual: Value? = nil,
        answeredAs name: String? = nil,
        isAnswered: Bool = true
    ) {
        self.init(
            [key],
            read: { reader throws(DataFault) in
                let json = reader.value(key)
                guard let value = try json.map(coding.read, else: usual) else {
                    throw .badMember(key)
                }
                return value
            },
            write: { value, form, object in
                switch form {
                case .stored: object[key] = coding.write(value, form)
                case .answered where isAnswered: object[name ?? key] = coding.write(value, form)
                case .answered: break
                }
            }
        )
    }

    /// A member that is left out where there is no value; in answers it is null then.
    static func optional<Known>(
        _ key: String,
        _ coding: Coding<Known>,
        isNullAnswered: Bool = true
    ) -> Members where Value == Known? {
        Members(
            [key],
            read: { reader throws(DataFault) in
                guard let json = reader.value(key) else { return nil }
                guard let value = try coding.read(json) else { throw .badMember(key) }
                return value
            },
            write: { value, form, object in
                if let value {
                    object[key] = coding.write(value, form)
                } else if form == .answered, isNullAnswered {
                    object[key] = .null
                }
            }
        )
    }

    /// A member that is left out where it would say nothing; answers have it all the same.
    static func unlessEmpty(_ key: String, _ coding: Coding<Value>, _ empty: Value) -> Members
    where Value: Equatable {
        let member = Members(key, coding, usual: empty)
        return Members(
            [key],
            read: member.read,
            write: { value, form, object in
                guard form == .answered || value != empty else { return }
                member.write(value, form, &object)
            }
        )
    }

    /// The members of all parts of a value.
    init<each Piece>(
        _ make: @escaping @Sendable (repeat each Piece) -> Value,
        _ parts: repeat Part<Value, each Piece>
    ) {
        var keys: [String] = []
        for part in repeat each parts { keys += part.members.keys }
        self.init(
            keys,
            read: { reader throws(DataFault) in
                make(repeat try (each parts).members.read(&reader))
            },
            write: { value, form, object in
                for part in repeat each parts {
                    part.members.write(part.get(value), form, &object)
                }
            }
        )
    }

    /// The members of several values.
    static func together<each Piece>(_ members: repeat Members<each Piece>) -> Members
    where Value == (repeat each Piece) {
        var keys: [String] = []
        for member in repeat each members { keys += member.keys }
        return Members(
            keys,
            read: { reader throws(DataFault) in (repeat try (each members).read(&reader)) },
            write: { value, form, object in
                for (member, piece) in repeat (each members, each value) {
                    member.write(piece, form, &object)
                }
            }
        )
    }

    /// Writes an object that has them alone.
    package func object(_ value: Value, _ form: DataForm) -> JSONObject {
        var object = JSONObject()
        write(value, form, &object)
        return object
    }

    /// Reads an object that has them alone.
    package func value(in object: JSONObject) throws(DataFault) -> Value {
        var reader = DataReader(object)
        let value = try read(&reader)
        try reader.finish()
        return value
    }

    /// Adds them to an object.
    func write(_ value: Value, _ form: DataForm, to object: inout JSONObject) {
        write(value, form, &object)
    }
}

/// A part of a value, and the members that say it.
struct Part<Whole: Sendable, Value: Sendable>: Sendable {
    fileprivate let get: @Sendable (Whole) -> Value
    fileprivate let members: Members<Value>

    init(_ get: @escaping @Sendable (Whole) -> Value, _ members: Members<Value>) {
        (self.get, self.members) = (get, members)
    }

    init(_ get: @escaping @Sendable (Whole) -> Value, _ key: String, _ coding: Coding<Value>) {
        self.init(get, Members(key, coding))
    }
}

extension JSONValue? {
    /// What is read of it where there is one, else what stands for that.
    fileprivate func map<Value>(
        _ read: (JSONValue) throws(DataFault) -> Value?,
        else usual: Value?
    ) throws(DataFault) -> Value? {
        switch self {
        case let json?: try read(json)
        case nil: usual
        }
    }
}
