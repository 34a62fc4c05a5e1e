import PlimsollDomain

extension ReleaseFacts {
    /// What others say otherwise, in the order in which facts are told.
    func differences(to other: ReleaseFacts) -> [Difference] {
        zip(told, other.told).compactMap { mine, theirs in
            mine.words == theirs.words
                ? nil
                : Difference(
                    member: mine.member,
                    subject: mine.subject,
                    before: mine.words,
                    after: theirs.words
                )
        }
    }

    /// Every fact in words, `nil` where it is not known.
    private var told: [(member: String, subject: String, words: String?)] {
        [
            ("name", "name", name?.text), ("build", "build", build?.text),
            ("os", "system", system?.description),
            ("store", "store", store?.text),
            ("liveSince", "in the store since", liveSince?.rfc3339),
        ]
    }
}
