/// Whether a change may be applied: worked out anew each time, never remembered.
///
/// An approval counts while the change has the digest that the approver saw. The digest covers what
/// each field was and would be, so whatever moves what is live voids it, without anybody having to
/// think of it.
package struct ApprovalStatus: Equatable, Sendable {
    /// ``Change/state``, or that it is approved or scheduled.
    package let state: ChangeState
    /// The approvals that count, oldest first.
    package let approvals: [Approval]
    /// What the policy still asks for.
    package let missing: [MissingApproval]
    /// The policy that was asked.
    package let policy: PolicyInForce
    /// Whose approvals count towards each of ``missing``.
    fileprivate let approvers: [[PrincipalID]]

    /// Whether an approval of somebody's that counts towards it is not there, or has expired.
    func lacks(_ missing: MissingApproval, of principal: PrincipalID) -> Bool {
        zip(self.missing, approvers).contains { $0 == missing && !$1.contains(principal) }
    }
}

extension LogState {
    /// Where an open change stands that would do this to what is live, with the content's digest.
    package func approvalStatus(
        of change: Change,
        content: ChangeContent,
        digest: ChangeDigest,
        at now: Instant
    ) -> ApprovalStatus {
        let policy = policy(of: change.app)
        let kinds = ChangeKind.kinds(of: content.effect)
        let ballot = ApprovalTally(change, digest, in: self)
        var missing: [MissingApproval] = []
        var ofMissing: [[PrincipalID]] = []
        var counting: Set<PrincipalID> = []
        for kind in ChangeKind.allCases where kinds.contains(kind) {
            let rule = policy.policy.rule(for: kind)
            for requirement in rule.requirements {
                let approvers = ballot.approvers(for: requirement, rule, at: now)
                counting.formUnion(approvers)
                if approvers.count < requirement.count {
                    missing.append(
                        MissingApproval(kind: kind, requirement: requirement, have: approvers.count)
                    )
                    ofMissing.append(approvers)
                }
            }
        }
        return ApprovalStatus(
            state: state(of: change, isApproved: missing.isEmpty),
            approvals: ballot.approvals.filter { counting.contains($0.by) },
            missing: missing,
            policy: policy,
            approvers: ofMissing
        )
    }

    /// How people are told that an open change stands: ``ApprovalStatus/state``, without working out more
    /// than it takes.
    package func state(
        ofOpen change: Change,
        _ hash: ChangeHash,
        at now: Instant
    ) -> ChangeState {
        guard change.state == .proposed, let app = app(change.app) else { return change.state }
        let rules = policy(of: app.slug).policy
        let needsNone = ChangeKind.allCases.contains { rules.rule(for: $0).requirements.isEmpty }
        guard needsNone || !change.approvals.isEmpty else { return .proposed }
        let examined = ExaminedChange(change, app, hash)
        return approvalStatus(of: examined, at: now).state
    }

    /// Who could give an approval that an open change still needs, in the order of the ids, as far as
    /// anybody needs to know them.
    package func givers(
        of missing: MissingApproval,
        to change: Change,
        _ status: ApprovalStatus
    ) -> [PrincipalID] {
        Array(
            access.principalIDs.lazy.filter { principal in
                permits(principal, toMeet: missing.requirement, of: change.app)
                    && status.lacks(missing, of: principal)
                    && canSign(missing.requirement, principal)
                    && objectionToReviewer(principal, of: change) == nil
            }.prefix(Review.reviewersNamed)
        )
    }

    /// Whether an open change waits for something that this principal could do: approve it, or, for its
    /// author, revise it or bring it into force.
    package func waits(
        _ change: Change,
        for principal: PrincipalID,
        _ hash: ChangeHash,
        at now: Instant
    ) -> Bool {
        guard let app = app(change.app) else { return false }
        let isAuthor = change.author == principal
        let lacksApprovals = change.state == .suspended && change.suspension == .approvals
        guard change.state == .proposed || lacksApprovals && !isAuthor,
            !hasMoved(under: change, in: app)
        else { return isAuthor }
        let status = approvalStatus(of: ExaminedChange(change, app, hash), at: now)
        switch status.state {
        case .scheduled: return false
        case .approved: return isAuthor && freeze(of: app.slug, at: now) == nil
        default: break
        }
        guard objectionToReviewer(principal, of: change) == nil else { return false }
        return status.missing.contains { missing in
            permits(principal, toMeet: missing.requirement, of: app.slug)
                && status.lacks(missing, of: principal)
                && canSign(missing.requirement, principal)
        }
    }

    /// Whether an approval of theirs could count towards the requirement.
    func permits(
        _ principal: PrincipalID,
        toMeet requirement: ApprovalRequirement,
        of app: AppSlug
    ) -> Bool {
        requirement.allows(principal) && access.permits(principal, requirement.role, in: .app(app))
    }

    /// Whether they have a key, where one is needed.
    private func canSign(_ requirement: ApprovalRequirement, _ principal: PrincipalID) -> Bool {
        requirement.signedBy == nil || !access.personKeys(of: principal).isEmpty
    }

    private func state(of change: Change, isApproved: Bool) -> ChangeState {
        guard change.state == .proposed, isApproved else { return change.state }
        return change.schedule?.at == nil ? .approved : .scheduled
    }

    /// Whether the principal could ever approve the change, as far as it is somebody else's.
    func objectionToReviewer(_ principal: PrincipalID, of change: Change) -> Objection? {
        if principal == change.author { return .ownWork(change.id) }
        if change.contributors.contains(principal) { return .contributed(change.id) }
        if change.contributors.contains(where: { access.depends(principal, on: $0) }) {
            return .dependsOnAuthor(change.id)
        }
        // Everybody owes the service something, and it is nobody's mask.
        let isOwed =
            principal != .system
            && change.contributors.contains { access.depends($0, on: principal) }
        return isOwed ? .authorDepends(change.id) : nil
    }
}

/// The approvals of a change that are of what it says now, by people who may approve it.
private struct ApprovalTally {
    /// The latest of everybody.
    let approvals: [Approval]
    private let logState: LogState
    private let app: AppSlug

    init(_ change: Change, _ digest: ChangeDigest, in logState: LogState) {
        self.logState = logState
        app = change.app
        var latest: [PrincipalID: Approval] = [:]
        for approval in change.approvals
        where approval.digest == digest
            && !approval.lapsedBy.contains(logState.strictness.lapsing)
            && logState.objectionToReviewer(approval.by, of: change) == nil
        {
            latest[approval.by] = approval
        }
        approvals = latest.values.sorted { ($0.at, $0.by.text) < ($1.at, $1.by.text) }
    }

    /// Those whose approval counts towards a requirement.
    func approvers(
        for requirement: ApprovalRequirement,
        _ rule: ApprovalRule,
        at now: Instant
    ) -> [PrincipalID] {
        approvals.filter { approval in
            rule.counts(approval, at: now)
                && logState.permits(approval.by, toMeet: requirement, of: app)
                && requirement.isSigned(approval)
        }.map(\.by)
    }
}

extension ApprovalRequirement {
    func allows(_ principal: PrincipalID) -> Bool {
        people.isEmpty || people.contains(principal)
    }

    /// Whether the approval has the signature that is asked for, if one is.
    func isSigned(_ approval: Approval) -> Bool { signedBy == nil || approval.key != nil }
}

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
        /// The key that it was signed with was revoked.
        case keyRevoked
        /// The policy asks for a signature of theirs, and it has none.
        case unsigned
    }

    package init(_ cause: Cause, _ lapse: Lapse? = nil) {
        (self.cause, self.lapse) = (cause, lapse)
    }

    package init(_ lapse: Approval.Lapse) {
        let cause: Cause =
            switch lapse.cause {
            case .suspended: .suspended
            case .roleRevoked: .roleRevoked
            case .keyRevoked: .keyRevoked
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
            case .keyRevoked: "the key that it was signed with was revoked"
            case .unsigned: "the policy asks for one that they signed with a key of their own"
            }
        guard let lapse else { return what }
        return "\(what) by \(name(lapse.by)), on \(lapse.at)"
            + (lapse.reason.map { ": \($0.text)" } ?? "")
    }
}

extension LogState {
    /// Why an approval of an open change does not count; `nil` for one that does.
    package func void(
        _ approval: Approval,
        of change: Change,
        _ content: ChangeContent,
        _ digest: ChangeDigest,
        _ status: ApprovalStatus
    ) -> ApprovalVoid? {
        if status.approvals.contains(approval) { return nil }
        if let lapse = approval.lapse { return ApprovalVoid(lapse) }
        guard approval.digest == digest else { return ApprovalVoid(.changed) }
        if let objection = objectionToReviewer(approval.by, of: change) {
            let toOwnHand: [Objection] = [.ownWork(change.id), .contributed(change.id)]
            return ApprovalVoid(toOwnHand.contains(objection) ? .contributed : .related)
        }
        let later = change.approvals.drop { $0 != approval }.dropFirst()
        if later.contains(where: { $0.by == approval.by && $0.digest == digest }) {
            return ApprovalVoid(.repeated)
        }
        let kinds = ChangeKind.kinds(of: content.effect)
        let asked = kinds.flatMap { status.policy.policy.rule(for: $0).requirements }
            .filter { permits(approval.by, toMeet: $0, of: change.app) }
        guard !asked.isEmpty else { return ApprovalVoid(.notAsked) }
        let isSigned = asked.contains { $0.isSigned(approval) }
        return ApprovalVoid(isSigned ? .expired : .unsigned)
    }
}
