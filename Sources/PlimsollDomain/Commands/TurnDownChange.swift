/// Turns a change down; the reason goes with the event.
///
/// Whom the policy asks to approve may say no as well, and so may every approver.
package struct TurnDownChange: Command {
    /// What is to become of it.
    package enum Verdict: Sendable {
        case rejected
        /// The author is asked for something else; a revision puts the change up again.
        case changesRequested
    }

    package let change: ChangeID
    package let verdict: Verdict
    package let seen: ChangeDigest
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        verdict: Verdict,
        seen: ChangeDigest,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.verdict = verdict
        self.seen = seen
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let examined = try world.examined(change, by: by, hash)
        if !world.asks(by, toApprove: examined) {
            try world.require(.approver, of: by, in: .app(examined.app.slug))
        }
        var objections = examined.objections(toSeeing: seen)
        if by == examined.change.author { objections.append(.ownWork(change)) }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service, .app(examined.app.slug)])
        decision.append(.change(event(examined.digest)), to: .change(change))
        return decision
    }

    private func event(_ digest: ChangeDigest) -> ChangeEvent {
        switch verdict {
        case .rejected: .changeRejected(digest: digest)
        case .changesRequested: .changesRequested(digest: digest)
        }
    }
}

/// Takes an own change back.
package struct WithdrawChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let examined = try world.examined(change, by: by, hash)
        try world.require(.proposer, of: by, in: .app(examined.app.slug))
        var objections = examined.objections(toSeeing: seen)
        if by != examined.change.author { objections.append(.notTheAuthor(change)) }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .app(examined.app.slug)])
        decision.append(.change(.changeWithdrawn), to: .change(change))
        return decision
    }
}
