package import PlimsollJSON

/// What one part of something is, and what it is elsewhere or was before: of settings, a policy, a
/// release, a count of devices.
package struct Difference: Answer, Equatable {
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

    package init?(_ reader: inout ObjectReader) {
        let member = reader.string("member")
        let subject = reader.string("subject")
        let before = reader.optionalString("before")
        let after = reader.optionalString("after")
        guard let member, let subject else { return nil }
        self.init(member: member, subject: subject, before: before, after: after)
    }

    package var json: JSONObject {
        [
            "member": .string(member), "subject": .string(subject), "before": JSONValue(before),
            "after": JSONValue(after),
        ]
    }

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
