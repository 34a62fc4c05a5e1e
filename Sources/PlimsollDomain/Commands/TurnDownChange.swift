/// Turns a change down for good; the reason goes with the event.
package struct RejectChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let examined = try world.turnedDown(change, seen: seen, by: by, hash)
        var decision = Decision(relyingOn: [.access, .app(examined.app.slug)])
        decision.append(.change(.changeRejected(digest: examined.digest)), to: .change(change))
        return decision
    }
}

/// Asks the author for something else; the reason says for what.
///
/// A revision puts it up again.
package struct RequestChanges: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        let examined = try world.turnedDown(change, seen: seen, by: by, hash)
        var decision = Decision(relyingOn: [.access, .app(examined.app.slug)])
        decision.append(.change(.changesRequested(digest: examined.digest)), to: .change(change))
        return decision
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

extension World {
    /// The change, if the principal may turn it down and saw what it says now.
    fileprivate func turnedDown(
        _ id: ChangeID,
        seen: ChangeDigest,
        by principal: PrincipalID,
        _ hash: ChangeHash
    ) throws(Refusal) -> ExaminedChange {
        let examined = try examined(id, by: principal, hash)
        try require(.approver, of: principal, in: .app(examined.app.slug))
        var objections = examined.objections(toSeeing: seen)
        if principal == examined.change.author { objections.append(.ownWork(id)) }
        guard objections.isEmpty else { throw Refusal(objections) }
        return examined
    }
}
