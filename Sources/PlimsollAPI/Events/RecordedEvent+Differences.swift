import PlimsollDomain

extension RecordedEvent {
    /// What it changed that is no field of a document, part by part: of what stood before it, and
    /// nothing where that is not known.
    func differences(from predecessor: Predecessor?) -> [Difference] {
        switch (event, predecessor) {
        case (.app(.appSettingsChanged(let after)), .settings(let before)):
            before.differences(to: after)
        case (_, .policy(let before, then: let after)): before.differences(to: after)
        case (.app(.releaseAmended(let release)), .release(let before)):
            before.facts.differences(to: release.facts)
        case (.app(.releaseWithdrawn), .release(let before)):
            before.facts.differences(to: ReleaseFacts())
        case (.app(.versionSharesReplaced(_, let after)), let before):
            before.shares.differences(to: after)
        case (.app(.freezeStarted), _), (.service(.serviceFreezeStarted), _),
            (.app(.freezePlan(.started)), _), (.service(.freezePlan(.started)), _):
            [frozen(since: nil, then: recordedAt)]
        case (.app(.freezeEnded), .freeze(let freeze)),
            (.service(.serviceFreezeEnded), .freeze(let freeze)),
            (.app(.freezePlan(.ended)), .freeze(let freeze)),
            (.service(.freezePlan(.ended)), .freeze(let freeze)):
            [frozen(since: freeze.since, then: nil)]
        case (.service(.defaultAppChosen(let app)), let before):
            [
                Difference(
                    member: "defaultApp",
                    subject: "default app",
                    before: before?.defaultApp,
                    after: app.text
                )
            ]
        default: []
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
