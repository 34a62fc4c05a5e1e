package import PlimsollDomain
package import PlimsollJSON

extension ObjectReader {
    /// Refuses a version that the platform which stands beside it does not write so.
    mutating func check(_ version: VersionValue?, is kind: VersionKind, at place: JSONPointer) {
        guard let version, version.kind != kind else { return }
        refuse(.rejected(JSONValue(version), needed: kind.grammarWithForm, at: place))
    }
}

extension Platform {
    package static let grammar = oneOf(Platform.self)
}

extension Field {
    package static let grammar =
        "a field's path, such as ios.minimumApp.value, android.recommendedApp.description.de or"
        + " ios.offers"
}

extension Position {
    package static let grammar = "a position of the log: a whole number from 0 on"
}

extension Instant {
    package static let grammar = "a time as RFC 3339 writes it, such as 2026-11-21T08:00:00.000Z"
}

extension ChangeID {
    package static let grammar = "a change's id, such as \"17\""
}

extension ChangeDigest {
    package static let grammar = "64 lower-case hexadecimal digits"
}

extension SnapshotSequence {
    package static let grammar = "a snapshot's sequence: a whole number from 1 on"
}

extension StateName {
    package static let grammar =
        "a state: live, event:POSITION, time:TIME, change:ID, snapshot:SEQUENCE or rollback:TARGET,"
        + " where TARGET is event:POSITION, time:TIME, before-change:ID, revert:ID or"
        + " last-good:SECONDS"
}

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

    package init(_ value: VersionValue) { self = value.json }

    package init(_ value: FieldValue?) {
        switch value {
        case .version(let version): self.init(version)
        case .text(let text): self = .string(text.text)
        case .offers(let offers): self.init(offers)
        case .legacy(let legacy): self = .object(legacy.json)
        case .packages(let versions): self = .array(versions.map { .string($0.text) })
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
