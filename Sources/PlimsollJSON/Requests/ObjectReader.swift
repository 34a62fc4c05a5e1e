/// Reads the members of an object by name and type, collecting everything that is wrong.
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
        issues.append(JSONIssue(pointer: pointer.appending(key), detail: detail))
    }

    package mutating func refuse(_ issue: JSONIssue) {
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

    /// Everything that is wrong, members nobody asked for included.
    package func issues(_ unknown: UnknownMembers) -> [JSONIssue] {
        guard unknown == .refused else { return issues }
        let known = Set(asked)
        return issues
            + object.members.lazy.filter { !known.contains($0.key) }.map {
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
