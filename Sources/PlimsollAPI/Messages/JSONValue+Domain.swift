package import PlimsollDomain
package import PlimsollJSON

extension JSONValue {
    /// Null where there is nothing.
    package init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    package init(_ position: Position?) {
        self = position.map { .integer($0.rawValue) } ?? .null
    }

    package init(_ sequence: SnapshotSequence?) {
        self = sequence.map { .integer($0.rawValue) } ?? .null
    }

    package init(_ instant: Instant?) {
        self.init(instant?.rfc3339)
    }

    package init(_ platforms: [Platform]) {
        self = .array(platforms.map { .string($0.rawValue) })
    }

    package init(_ messages: [some Message]) {
        self = .array(messages.map { .object($0.json) })
    }

    /// By their ids.
    package static func changes(_ changes: [ChangeID]) -> JSONValue {
        .array(changes.map { .string($0.description) })
    }

    package init(_ value: VersionValue) {
        switch value {
        case .dotted(let version): self = .string(version.written)
        case .integer(let version): self = .integer(Int64(version.number))
        }
    }

    package init(_ value: FieldValue?) {
        switch value {
        case .version(let version): self.init(version)
        case .text(let text): self = .string(text.text)
        case .offers(let offers): self.init(offers)
        case .legacy(let legacy): self = .object(legacy.json)
        case nil: self = .null
        }
    }
}

extension Field {
    /// Values before texts, and thresholds as a document has them: how people read them.
    package static func precedesInReading(_ left: Field, _ right: Field) -> Bool {
        left.readingPlace.lexicographicallyPrecedes(right.readingPlace)
    }

    private var readingPlace: [String] {
        let place = threshold.flatMap(platform.thresholds.firstIndex)
        let order = place ?? platform.thresholds.count
        return [platform.rawValue, String(order), part == .value ? "0" : "1", path]
    }
}

/// What one part of something is, and what it is elsewhere or was before: of settings, a policy, a
/// release, a count of devices.
package struct Difference: Answer, Shaped, Equatable {
    /// The member that says it: `languages`, `rules.raiseMinimum`.
    package let member: String
    /// What people call it: `languages`, `Raising a minimum`.
    package let subject: String
    /// What it is, in words; `nil` where it is nothing.
    package let before: String?
    package let after: String?

    package init(member: String, subject: String, before: String?, after: String?) {
        (self.member, self.subject, self.before, self.after) = (member, subject, before, after)
    }

    package static let shape = Shape<Self>(
        "Difference",
        Self.init(member:subject:before:after:),
        .required("member", \.member, .string),
        .required("subject", \.subject, .string),
        .nullable("before", \.before, .string),
        .nullable("after", \.after, .string)
    )

    /// `languages en → en, de`.
    package var sentence: String { "\(subject) \(before ?? "unset") → \(after ?? "unset")" }
}

/// A part of something, and what it is, in words; `nil` where it is nothing.
package typealias ToldPart = (member: String, subject: String, words: String?)

extension [Difference] {
    /// What two things say otherwise that tell the same parts in the same order.
    init(from before: [ToldPart], to after: [ToldPart]) {
        self = zip(before, after).compactMap { before, after in
            before.words == after.words
                ? nil
                : Difference(
                    member: before.member,
                    subject: before.subject,
                    before: before.words,
                    after: after.words
                )
        }
    }

    /// `languages en → en, de; profile minimal → complete`.
    package var sentence: String { map(\.sentence).joined(separator: "; ") }
}
