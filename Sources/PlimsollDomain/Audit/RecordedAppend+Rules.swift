// The commands about policies, freezes and reviews that an append may have come from.
extension RecordedAppend {
    func commandOfApp(_ app: AppSlug, _ event: AppEvent, in world: World) -> (any Command)? {
        switch event {
        case .policyChanged(let policy):
            change(of: .app(app), to: policy, in: world)
        case .freezeStarted:
            first.origin.reason.map { StartFreeze(of: .app(app), reason: $0, by: actor) }
        case .freezeEnded:
            EndFreeze(of: .app(app), reason: first.origin.reason, by: actor)
        case .rollbackReviewed(let review, let verdict):
            CloseReview(review: review, verdict: verdict, by: actor)
        case .releaseRegistered, .releaseAmended, .releaseWithdrawn:
            commandOfReleases(app, event)
        case .versionSharesReplaced(let platform, let shares):
            ReplaceVersionShares(
                of: app,
                on: platform,
                with: shares,
                reason: first.origin.reason,
                by: actor
            )
        case .appRegistered, .thresholdSet, .valueCleared, .thresholdCleared, .textSet,
            .textRemoved, .rolledBack,
            .renewalOrdered, .rollbackReviewOrdered:
            nil
        }
    }

    /// Which facts were amended is not recorded, but all that was known afterwards.
    private func commandOfReleases(_ app: AppSlug, _ event: AppEvent) -> (any Command)? {
        let reason = first.origin.reason
        switch event {
        case .releaseRegistered(let release):
            return RegisterRelease(release, of: app, reason: reason, by: actor)
        case .releaseAmended(let release):
            return AmendRelease(
                release.version,
                on: release.platform,
                of: app,
                edits: release.facts.edits,
                reason: reason,
                by: actor
            )
        case .releaseWithdrawn(let platform, let version):
            return WithdrawRelease(version, on: platform, of: app, reason: reason, by: actor)
        default: return nil
        }
    }

    func commandOfService(_ event: ServiceEvent, in world: World) -> (any Command)? {
        switch event {
        case .defaultPolicyChanged(let policy):
            change(of: .all, to: policy, in: world)
        case .serviceFreezeStarted:
            first.origin.reason.map { StartFreeze(of: .all, reason: $0, by: actor) }
        case .serviceFreezeEnded:
            EndFreeze(of: .all, reason: first.origin.reason, by: actor)
        case .defaultAppChosen: nil
        }
    }

    /// Which policy was seen is not recorded: it was changed, so it was the one at the time.
    private func change(of scope: Scope, to policy: Policy?, in world: World) -> ChangePolicy {
        ChangePolicy(
            of: scope,
            to: policy,
            seen: world.policyInForce(in: scope).since ?? .start,
            reason: first.origin.reason,
            by: actor
        )
    }
}
