/// Reads the members of an object by name and type, collecting everything that is wrong, up to as
/// much as ``JSONIssues`` tells.
///
/// A required member that is missing or of another type gives `nil` and an issue; an optional one
/// may be missing or null. At the end ``finish(_:make:)`` refuses members nobody asked for and
/// throws all issues at once:
///
/// ```swift
/// var reader = ObjectReader(object)
/// let slug = reader.string("slug", needing: AppSlug.grammar, AppSlug.init)
/// let isDefault = reader.optionalBool("default") ?? false
/// return try reader.finish {
///     slug.map { Registration(slug: $0, isDefault: isDefault) }
/// }
/// ```
package struct ObjectReader {
    /// What becomes of members nobody asked for.
    package enum UnknownMembers: Sendable {
        case refused
        case ignored
    }

    package let object: JSONObject
    package let pointer: JSONPointer
    /// Members nobody asked for are ignored in every object inside this one too.
    package var isLenient = false
    /// No more than are told: a small document may have very many.
    package private(set) var issues: [JSONIssue] = []
    private var asked: [String] = []

    package init(_ object: JSONObject, at pointer: JSONPointer = .root) {
        self.object = object
        self.pointer = pointer
    }

    /// Reads a document that has to be an object.
    package init(reading value: JSONValue, at pointer: JSONPointer = .root) throws(JSONIssues) {
        guard let object = value.object else {
            throw JSONIssues([.mismatch(value, needed: "an object", at: pointer)])
        }
        self.init(object, at: pointer)
    }

    /// Parses a document that has to be an object.
    package init(
        parsing bytes: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONIssues) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw JSONIssues(error)
        }
        try self.init(reading: value)
    }

    /// The value of a member as it stands, counted as asked for.
    package mutating func value(_ key: String) -> JSONValue? {
        asked.append(key)
        return object[key]
    }

    /// Adds an issue about a member.
    package mutating func refuse(_ key: String, _ detail: String) {
        refuse(JSONIssue(pointer: pointer.appending(key), detail: detail))
    }

    package mutating func refuse(_ issue: JSONIssue) {
        guard issues.count < JSONIssues.maximum else { return }
        issues.append(issue)
    }

    /// Makes the result if nothing is wrong; it may be `nil` only where an issue says why.
    package consuming func finish<Result>(
        _ unknown: UnknownMembers = .refused,
        make: () -> Result?
    ) throws(JSONIssues) -> Result {
        let issues = issues(unknown)
        guard issues.isEmpty else { throw JSONIssues(issues) }
        guard let result = make() else {
            preconditionFailure("a member that could not be read has an issue")
        }
        return result
    }

    /// What is wrong, members nobody asked for included.
    package func issues(_ unknown: UnknownMembers) -> [JSONIssue] {
        guard unknown == .refused else { return issues }
        let known = Set(asked)
        let others = object.members.lazy.filter { !known.contains($0.key) }
        return issues
            + others.prefix(JSONIssues.maximum - issues.count).map {
                JSONIssue(
                    pointer: pointer.appending($0.key),
                    detail: "There is no such member here; leave it out."
                )
            }
    }
}

extension JSONIssue {
    package static func mismatch(
        _ value: JSONValue,
        needed: String,
        at pointer: JSONPointer
    ) -> JSONIssue {
        JSONIssue(pointer: pointer, detail: "Found \(value.kind); \(needed) is needed.")
    }

    package static func missing(_ needed: String, at pointer: JSONPointer) -> JSONIssue {
        JSONIssue(pointer: pointer, detail: "This member is missing; \(needed) is needed.")
    }
}

/// One thing that is wrong with a document, and where.
package struct JSONIssue: Error, Hashable, Sendable {
    package let pointer: JSONPointer

    /// A sentence: what was found and what is needed.
    package let detail: String

    package init(pointer: JSONPointer, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// What is wrong with a document, in the order it was met; never empty.
package struct JSONIssues: Error, Equatable, Sendable {
    /// The first hundred: whoever mends these is told of the others next.
    package let issues: [JSONIssue]

    static let maximum = 100

    package init(_ issues: [JSONIssue]) {
        precondition(!issues.isEmpty, "a document without issues is not refused")
        self.issues = Array(issues.prefix(Self.maximum))
    }
}

extension JSONIssues {
    /// A document that cannot be read has that one issue.
    package init(_ error: JSONError) {
        self.init([JSONIssue(pointer: error.pointer, detail: error.description)])
    }
}

extension JSONIssue: CustomStringConvertible {
    package var description: String {
        pointer == .root ? detail : "\(pointer): \(detail)"
    }
}

extension JSONIssues: CustomStringConvertible {
    package var description: String {
        issues.map(\.description).joined(separator: " ")
    }
}

extension ObjectReader {
    package mutating func string(_ key: String) -> String? {
        member(key, needing: "a string", \.string)
    }

    package mutating func optionalString(_ key: String) -> String? {
        optionalMember(key, needing: "a string", \.string)
    }

    package mutating func integer(_ key: String) -> Int64? {
        member(key, needing: "a whole number", \.integer)
    }

    package mutating func bool(_ key: String) -> Bool? {
        member(key, needing: "true or false", \.bool)
    }

    package mutating func optionalBool(_ key: String) -> Bool? {
        optionalMember(key, needing: "true or false", \.bool)
    }

    package mutating func array(_ key: String) -> [JSONValue]? {
        member(key, needing: "an array", \.array)
    }

    package mutating func optionalArray(_ key: String) -> [JSONValue]? {
        optionalMember(key, needing: "an array", \.array)
    }

    package mutating func object(_ key: String) -> JSONObject? {
        member(key, needing: "an object", \.object)
    }

    package mutating func optionalObject(_ key: String) -> JSONObject? {
        optionalMember(key, needing: "an object", \.object)
    }

    /// A string that has to make a value of a type; `grammar` completes "… is needed".
    package mutating func string<Value>(
        _ key: String,
        needing grammar: @autoclosure () -> String,
        _ make: (String) -> Value?
    ) -> Value? {
        member(key, needing: grammar()) { $0.string.flatMap(make) }
    }

    package mutating func optionalString<Value>(
        _ key: String,
        needing grammar: @autoclosure () -> String,
        _ make: (String) -> Value?
    ) -> Value? {
        optionalMember(key, needing: grammar()) { $0.string.flatMap(make) }
    }

    /// An array of strings, each of which has to make a value; every bad one is an issue.
    package mutating func strings<Value>(
        _ key: String,
        needing grammar: String,
        _ make: (String) -> Value?
    ) -> [Value]? {
        guard let values = array(key) else { return nil }
        var made: [Value] = []
        for (index, value) in values.enumerated() {
            if let element = value.string.flatMap(make) {
                made.append(element)
            } else {
                let place = pointer.appending(key).appending(index)
                refuse(.rejected(value, needed: grammar, at: place))
            }
        }
        return made.count == values.count ? made : nil
    }

    /// A required member that `make` has to accept.
    package mutating func member<Value>(
        _ key: String,
        needing needed: @autoclosure () -> String,
        _ make: (JSONValue) -> Value?
    ) -> Value? {
        guard let found = value(key) else {
            refuse(.missing(needed(), at: pointer.appending(key)))
            return nil
        }
        return accepted(found, key, needing: needed(), make)
    }

    /// A member that may be missing or null.
    package mutating func optionalMember<Value>(
        _ key: String,
        needing needed: @autoclosure () -> String,
        _ make: (JSONValue) -> Value?
    ) -> Value? {
        guard let found = value(key), found != .null else { return nil }
        return accepted(found, key, needing: needed(), make)
    }

    private mutating func accepted<Value>(
        _ found: JSONValue,
        _ key: String,
        needing needed: @autoclosure () -> String,
        _ make: (JSONValue) -> Value?
    ) -> Value? {
        guard let value = make(found) else {
            refuse(.rejected(found, needed: needed(), at: pointer.appending(key)))
            return nil
        }
        return value
    }
}

extension JSONIssue {
    /// Shows a short string as it stands, anything else by its kind.
    package static func rejected(
        _ value: JSONValue,
        needed: String,
        at pointer: JSONPointer
    ) -> JSONIssue {
        guard case .string(let text) = value, text.utf8.count <= 80 else {
            return .mismatch(value, needed: needed, at: pointer)
        }
        return JSONIssue(
            pointer: pointer,
            detail: "Found the string “\(text)”; \(needed) is needed."
        )
    }
}

extension ObjectReader {
    /// Reads an object inside this one with a reader of its own, which is finished afterwards.
    package mutating func object<Value>(
        _ key: String,
        _ read: (inout ObjectReader) -> Value?
    ) -> Value? {
        guard let object = object(key) else { return nil }
        return nested(object, at: pointer.appending(key), .refused, read)
    }

    package mutating func optionalObject<Value>(
        _ key: String,
        _ read: (inout ObjectReader) -> Value?
    ) -> Value? {
        guard let object = optionalObject(key) else { return nil }
        return nested(object, at: pointer.appending(key), .refused, read)
    }

    /// Reads an array of objects; `nil` if any of them is not what is needed.
    package mutating func objects<Value>(
        _ key: String,
        _ unknown: UnknownMembers = .refused,
        _ read: (inout ObjectReader) -> Value?
    ) -> [Value]? {
        guard let values = array(key) else { return nil }
        var made: [Value] = []
        for (index, value) in values.enumerated() {
            let place = pointer.appending(key).appending(index)
            guard let object = value.object else {
                refuse(.mismatch(value, needed: "an object", at: place))
                continue
            }
            if let element = nested(object, at: place, unknown, read) { made.append(element) }
        }
        return made.count == values.count ? made : nil
    }

    /// Reads an object with another reader and takes over its issues.
    package mutating func nested<Value>(
        _ object: JSONObject,
        at place: JSONPointer,
        _ unknown: UnknownMembers = .refused,
        _ read: (inout ObjectReader) -> Value?
    ) -> Value? {
        var reader = ObjectReader(object, at: place)
        reader.isLenient = isLenient
        let value = read(&reader)
        let issues = reader.issues(isLenient ? .ignored : unknown)
        for issue in issues { refuse(issue) }
        return issues.isEmpty ? value : nil
    }
}
