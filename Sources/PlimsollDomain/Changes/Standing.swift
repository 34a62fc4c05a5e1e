/// Whether a change may be applied: worked out anew each time, never remembered.
///
/// An approval counts while the change has the digest that the approver saw. The digest covers what
/// each field was and would be, so whatever moves what is live voids it, without anybody having to
/// think of it.
package struct Standing: Equatable, Sendable {
    /// ``Change/state``, or that it is approved or scheduled.
    package let state: ChangeState
    /// The approvals that count, oldest first.
    package let approvals: [Approval]
    /// What the policy still asks for.
    package let missing: [MissingApproval]
    /// The policy that was asked.
    package let policy: PolicyInForce
}

extension World {
    /// Where an open change stands that would do this to what is live, with the content's digest.
    package func standing(
        of change: Change,
        content: ChangeContent,
        digest: ChangeDigest,
        at now: Instant
    ) -> Standing {
        let policy = policy(of: change.app)
        let kinds = ChangeKind.kinds(of: content.effect)
        let ballot = Ballot(change, digest, in: self)
        var missing: [MissingApproval] = []
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
                }
            }
        }
        return Standing(
            state: state(of: change, isApproved: missing.isEmpty),
            approvals: ballot.approvals.filter { counting.contains($0.by) },
            missing: missing,
            policy: policy
        )
    }

    /// How people are told that an open change stands: ``Standing/state``, without working out more
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
        return standing(of: examined, at: now).state
    }

    /// Who could give an approval that an open change still needs, in the order of the ids, as far as
    /// anybody needs to know them.
    package func givers(
        of missing: MissingApproval,
        to change: Change,
        _ standing: Standing
    ) -> [PrincipalID] {
        Array(
            access.principalIDs.lazy.filter { principal in
                missing.requirement.allows(principal)
                    && access.permits(principal, missing.requirement.role, in: .app(change.app))
                    && !standing.approvals.contains { $0.by == principal }
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
        guard change.state == .proposed, !app.hasMoved(under: change) else { return isAuthor }
        let standing = standing(of: ExaminedChange(change, app, hash), at: now)
        switch standing.state {
        case .scheduled: return false
        case .approved: return isAuthor && freeze(of: app.slug, at: now) == nil
        default: break
        }
        guard objectionToReviewer(principal, of: change) == nil,
            !standing.approvals.contains(where: { $0.by == principal })
        else { return false }
        return standing.missing.contains { missing in
            missing.requirement.allows(principal)
                && access.permits(principal, missing.requirement.role, in: .app(app.slug))
        }
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
private struct Ballot {
    /// The latest of everybody.
    let approvals: [Approval]
    private let world: World
    private let scope: Scope

    init(_ change: Change, _ digest: ChangeDigest, in world: World) {
        self.world = world
        scope = .app(change.app)
        var latest: [PrincipalID: Approval] = [:]
        for approval in change.approvals
        where approval.digest == digest && approval.lapse == nil
            && world.objectionToReviewer(approval.by, of: change) == nil
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
                && world.access.permits(approval.by, requirement.role, in: scope)
                && requirement.allows(approval.by)
        }.map(\.by)
    }
}

extension ApprovalRequirement {
    func allows(_ principal: PrincipalID) -> Bool {
        people.isEmpty || people.contains(principal)
    }
}
