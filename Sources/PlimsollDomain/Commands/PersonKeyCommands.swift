/// Has what is signed with a key count as signed by somebody; asks for an administrator of every place
/// where they have roles, as a role does.
package struct AddPersonKey: Command {
    package let key: PersonKey
    package let principal: PrincipalID
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ key: PersonKey,
        of principal: PrincipalID,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.key = key
        self.principal = principal
        self.reason = reason
        self.by = by
    }

    /// No key has ever two owners, so that nobody wears two masks with one hand.
    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.requireKeeper(by, of: principal)
        var objections: [Objection] = []
        if logState.access.isSuspended(principal) { objections.append(.suspended(principal)) }
        if let owner = logState.access.owner(of: key) {
            let isTheirs = logState.access.personKeys(of: principal).contains(key)
            objections.append(isTheirs ? .nothingChanges : .personKeyKnown(key, of: owner))
        }
        if logState.access.personKeys(of: principal).count >= PersonKey.countMaximum {
            objections.append(.personKeysFull(principal))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.access(.personKeyAdded(principal, key)), to: .access)
        return decision
    }
}

/// Has a key count no more, also for open changes that were approved with it.
///
/// Its owner may do that, and whoever could add it.
package struct RevokePersonKey: Command {
    package let key: PersonKey
    package let principal: PrincipalID
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ key: PersonKey,
        of principal: PrincipalID,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.key = key
        self.principal = principal
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        if principal != by { try logState.requireKeeper(by, of: principal) }
        guard logState.access.personKeys(of: principal).contains(key) else {
            throw Refusal(.personKeyUnknown(key, of: principal))
        }
        var decision = Decision(relyingOn: [.access])
        decision.append(.access(.personKeyRevoked(principal, key)), to: .access)
        return decision
    }
}
