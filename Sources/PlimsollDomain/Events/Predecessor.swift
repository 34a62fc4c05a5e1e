/// What stood where an event puts something else, and is no field of a document.
package enum Predecessor: Equatable, Sendable {
    case settings(AppSettings)
    /// What was in force before the event, and what is behind it: an app that gives up a policy of
    /// its own follows the default.
    case policy(Policy, then: Policy)
    case release(Release)
    case shares(VersionShares)
    case freeze(Freeze)
    case defaultApp(AppSlug)
}

extension World {
    /// What an event will put an end to, by what is known just before it.
    package func predecessor(of recorded: RecordedEvent) -> Predecessor? {
        switch (recorded.stream, recorded.event) {
        case (.app(let slug), .app(let event)):
            app(slug).flatMap { predecessor(of: event, in: $0) }
        case (_, .service(.defaultPolicyChanged(let policy))):
            .policy(defaultPolicyInForce.policy, then: policy)
        case (_, .service(.serviceFreezeEnded)): serviceFreeze.map(Predecessor.freeze)
        case (_, .service(.freezePlan(.ended(let id)))):
            freezePlans(of: .all)[id].map { .freeze(Freeze($0)) }
        case (_, .service(.defaultAppChosen)): defaultApp.map(Predecessor.defaultApp)
        default: nil
        }
    }

    private func predecessor(of event: AppEvent, in app: App) -> Predecessor? {
        switch event {
        case .appSettingsChanged: .settings(app.settings)
        case .policyChanged(let own):
            .policy(policy(of: app.slug).policy, then: own ?? defaultPolicyInForce.policy)
        case .releaseAmended(let release):
            app.releases.release(release.version, on: release.platform)
                .map(Predecessor.release)
        case .releaseWithdrawn(let platform, let version):
            app.releases.release(version, on: platform).map(Predecessor.release)
        case .versionSharesReplaced(let platform, _):
            app.shares[platform].map(Predecessor.shares)
        case .freezeEnded: app.freeze.map(Predecessor.freeze)
        case .freezePlan(.ended(let id)): app.freezePlans[id].map { .freeze(Freeze($0)) }
        case .appRegistered, .thresholdSet, .valueCleared, .thresholdCleared, .textSet,
            .textRemoved, .offersReplaced, .legacyOfferReplaced, .rolledBack, .renewalOrdered,
            .freezeStarted,
            .freezePlan,
            .rollbackReviewOrdered, .rollbackReviewed, .releaseRegistered:
            nil
        }
    }
}
