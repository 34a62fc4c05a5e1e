// The commands about policies, freezes and reviews that an append may have come from.
extension RecordedAppend {
    func commandOfApp(_ app: AppSlug, _ event: AppEvent) -> (any Command)? {
        switch event {
        case .policyChanged(let policy):
            ChangePolicy(of: .app(app), to: policy, reason: first.origin.reason, by: actor)
        case .freezeStarted:
            first.origin.reason.map { StartFreeze(of: .app(app), reason: $0, by: actor) }
        case .freezeEnded:
            EndFreeze(of: .app(app), reason: first.origin.reason, by: actor)
        case .rollbackReviewed(let review, let verdict):
            CloseReview(review: review, verdict: verdict, by: actor)
        case .appRegistered, .thresholdSet, .thresholdCleared, .textSet, .textRemoved, .rolledBack,
            .renewalOrdered, .rollbackReviewOrdered:
            nil
        }
    }

    func commandOfService(_ event: ServiceEvent) -> (any Command)? {
        switch event {
        case .defaultPolicyChanged(let policy):
            ChangePolicy(of: .all, to: policy, reason: first.origin.reason, by: actor)
        case .serviceFreezeStarted:
            first.origin.reason.map { StartFreeze(of: .all, reason: $0, by: actor) }
        case .serviceFreezeEnded:
            EndFreeze(of: .all, reason: first.origin.reason, by: actor)
        case .defaultAppChosen: nil
        }
    }
}
