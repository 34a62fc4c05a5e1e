import PlimsollDomain

extension ReleaseFacts {
    /// What others say otherwise, in the order in which facts are told.
    func differences(to other: ReleaseFacts) -> [Difference] {
        [Difference](from: told, to: other.told)
    }

    /// Every fact in words, `nil` where it is not known.
    private var told: [ToldPart] {
        [
            ("name", "name", name?.text), ("build", "build", build?.text),
            ("os", "system", system?.description),
            ("store", "store", store?.text),
            ("liveSince", "in the store since", liveSince?.rfc3339),
        ]
    }
}
