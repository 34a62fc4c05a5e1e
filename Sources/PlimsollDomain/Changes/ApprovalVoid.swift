/// Why somebody's approval of a change does not count.
package struct ApprovalVoid: Equatable, Sendable {
    package let cause: Cause
    /// Who took it from whoever gave it, when and why, where somebody did.
    package let lapse: Lapse?

    /// Who suspended somebody, or took a role away.
    package struct Lapse: Equatable, Sendable {
        package let by: PrincipalID
        package let at: Instant
        package let reason: Reason?

        package init(by: PrincipalID, at: Instant, reason: Reason?) {
            (self.by, self.at, self.reason) = (by, at, reason)
        }
    }

    /// What happened, or was so from the beginning.
    package enum Cause: String, CaseIterable, Sendable {
        /// The change says something else since, or would do something else to what is live.
        case changed
        /// A reviewer asked for something else since.
        case objected
        /// Whoever gave it had a hand in the change.
        case contributed
        /// They owe somebody something who had a hand in it, or are owed it.
        case related
        /// The policy lets approvals count for so long only.
        case expired
        /// The policy asks for others.
        case notAsked
        /// They gave a newer one.
        case repeated
        case suspended
        case roleRevoked
    }

    package init(_ cause: Cause, _ lapse: Lapse? = nil) {
        (self.cause, self.lapse) = (cause, lapse)
    }

    package init(_ lapse: Approval.Lapse) {
        let cause: Cause =
            switch lapse.cause {
            case .suspended: .suspended
            case .roleRevoked: .roleRevoked
            }
        self.init(cause, Lapse(by: lapse.by, at: lapse.at, reason: lapse.reason))
    }

    /// `they were suspended by …, on …: left us`, people called by their names.
    package func sentence(naming name: (PrincipalID) -> String = \.text) -> String {
        let what =
            switch cause {
            case .changed: "it is of what the change said or did before"
            case .objected: "a reviewer asked for something else since"
            case .contributed: "they had a hand in the change"
            case .related: "they let in, or were let in by, somebody who had a hand in the change"
            case .expired: "it was given too long ago"
            case .notAsked: "the policy does not ask for it"
            case .repeated: "they gave a newer one"
            case .suspended: "they were suspended"
            case .roleRevoked: "a role was taken from them"
            }
        guard let lapse else { return what }
        return "\(what) by \(name(lapse.by)), on \(lapse.at)"
            + (lapse.reason.map { ": \($0.text)" } ?? "")
    }
}

extension World {
    /// Why an approval of an open change does not count; `nil` for one that does.
    package func void(
        _ approval: Approval,
        of change: Change,
        _ content: ChangeContent,
        _ digest: ChangeDigest,
        _ standing: Standing
    ) -> ApprovalVoid? {
        if standing.approvals.contains(approval) { return nil }
        if let lapse = approval.lapse { return ApprovalVoid(lapse) }
        guard approval.digest == digest else { return ApprovalVoid(.changed) }
        switch objectionToReviewer(approval.by, of: change) {
        case nil: break
        case .ownWork, .contributed: return ApprovalVoid(.contributed)
        default: return ApprovalVoid(.related)
        }
        let later = change.approvals.drop { $0 != approval }.dropFirst()
        if later.contains(where: { $0.by == approval.by && $0.digest == digest }) {
            return ApprovalVoid(.repeated)
        }
        let kinds = ChangeKind.kinds(of: content.effect)
        let isAsked = kinds.flatMap { standing.policy.policy.rule(for: $0).requirements }
            .contains { requirement in
                requirement.allows(approval.by)
                    && access.permits(approval.by, requirement.role, in: .app(change.app))
            }
        return ApprovalVoid(isAsked ? .expired : .notAsked)
    }
}
