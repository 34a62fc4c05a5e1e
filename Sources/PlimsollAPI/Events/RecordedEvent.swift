import PlimsollDomain

extension RecordedEvent {
    /// What it changed that is no field of a document, part by part: of what stood before it, and
    /// nothing where that is not known.
    func differences(
        _ replacement: Replacement?,
        from predecessor: Predecessor?
    ) -> [Difference] {
        guard let replacement else { return [] }
        return switch (replacement, predecessor) {
        case (.settings(let after), .settings(let before)): before.differences(to: after)
        case (.policy, .policy(let before, then: let after)),
            (.defaultPolicy, .policy(let before, then: let after)):
            before.differences(to: after)
        case (.release(_, _, let after), .release(let before)):
            before.facts.differences(to: after)
        case (.shares(_, let after), _): predecessor.shares.differences(to: after)
        case (.freezeStart, _): [frozen(since: nil, then: recordedAt)]
        case (.freezeEnd, .freeze(let freeze)), (.freezePlanEnd, .freeze(let freeze)):
            [frozen(since: freeze.since, then: nil)]
        case (.defaultApp(let app), _):
            [
                Difference(
                    member: "defaultApp",
                    subject: "default app",
                    before: predecessor?.defaultApp,
                    after: app.text
                )
            ]
        case (.settings, _), (.policy, _), (.defaultPolicy, _), (.release, _), (.freezeEnd, _),
            (.freezePlanEnd, _):
            []
        }
    }

    private func frozen(since before: Instant?, then after: Instant?) -> Difference {
        Difference(
            member: "frozenSince",
            subject: "frozen since",
            before: before?.rfc3339,
            after: after?.rfc3339
        )
    }

    /// What is known around it, for the sentence that tells it.
    func context(_ fields: [FieldChange], _ differences: [Difference]) -> EventContext {
        EventContext(
            of: stream,
            fields: fields,
            field: fields.first?.sentence,
            tail: differences.tail,
            before: differences.first { !$0.member.contains(".") }?.before
        )
    }
}

extension Predecessor {
    fileprivate var defaultApp: String? {
        if case .defaultApp(let app) = self { app.text } else { nil }
    }
}

extension Predecessor? {
    /// Where nothing was counted, no device was.
    fileprivate var shares: VersionShares {
        if case .shares(let shares) = self { shares } else { VersionShares(rows: []) }
    }
}

extension [Difference] {
    /// What follows the sentence: `: raising a minimum needs 1 approval … → needs nobody's …`.
    fileprivate var tail: String {
        isEmpty ? "" : ": " + map(\.sentence.inSentence).joined(separator: "; ")
    }
}

extension String {
    /// As it stands behind a colon.
    fileprivate var inSentence: String { prefix(1).lowercased() + dropFirst() }
}
