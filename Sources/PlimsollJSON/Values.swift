/// The members of a JSON object, in the order they were read or added, no name twice.
///
/// Names that Swift's `==` holds equal are one name, so a look-up is never ambiguous: `é` in one
/// code point and in two is a duplicate. Two objects are equal if they have equal members in any
/// order.
package struct JSONObject: Sendable {
    /// A name and the value that stands behind it.
    package struct Member: Equatable, Sendable {
        package let key: String
        package fileprivate(set) var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    package private(set) var members: [Member]

    package init() {
        members = []
    }

    package init(_ members: some Sequence<Member>) {
        self.members = Array(members)
        precondition(
            firstDuplicate(in: self.members) == nil,
            "a JSON object has each member once"
        )
    }

    /// For the parser, which has looked for duplicates itself.
    init(unique members: [Member]) {
        self.members = members
    }

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    /// The value of a member; setting `nil` removes it, or adds nothing.
    package subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        return left.members == right.members
            || left.members.sorted { $0.key < $1.key } == right.members.sorted { $0.key < $1.key }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.lazy.map { Member(key: $0, value: $1) })
    }
}

/// Which member repeats the name of an earlier one.
///
/// Canonical objects are in order, and comparing neighbours is enough for them.
func firstDuplicate(in members: [JSONObject.Member]) -> Int? {
    var isRising = true
    for index in members.indices.dropFirst() where isRising {
        isRising = members[index - 1].key < members[index].key
    }
    guard !isRising else { return nil }
    var seen: Set<String> = []
    return members.firstIndex { !seen.insert($0.key).inserted }
}

/// Where in a document something stands, as RFC 6901 writes it: `/operations/3/value`.
package struct JSONPointer: Hashable, Sendable {
    package let text: String

    /// The whole document.
    package static let root = JSONPointer(text: "")

    package func appending(_ key: String) -> JSONPointer {
        JSONPointer(text: text + JSONPointer.step(key))
    }

    package func appending(_ index: Int) -> JSONPointer {
        JSONPointer(text: "\(text)/\(index)")
    }

    /// The same place, told from outside the object that is this member.
    func inside(_ key: String) -> JSONPointer {
        JSONPointer(text: JSONPointer.step(key) + text)
    }

    func inside(_ index: Int) -> JSONPointer {
        JSONPointer(text: "/\(index)\(text)")
    }

    private static func step(_ key: String) -> String {
        var step = "/"
        for scalar in key.unicodeScalars {
            switch scalar {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.unicodeScalars.append(scalar)
            }
        }
        return step
    }
}

extension JSONPointer: CustomStringConvertible {
    package var description: String { text }
}

/// A JSON value as this service uses it: numbers are whole, members keep their order.
///
/// There are no fractions, so what is read, hashed, signed and stored can never differ by a
/// rounding.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member of that name, where this is an object that has one.
    package subscript(key: String) -> JSONValue? { object?[key] }

    /// What it is, as a sentence about it says: `a string`.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "a whole number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

// MARK: - Literals

extension JSONValue: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.lazy.map { JSONObject.Member(key: $0, value: $1) }))
    }
}
