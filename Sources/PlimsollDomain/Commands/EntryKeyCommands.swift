/// Has entries of the log authenticated with a secret from now on.
///
/// The service adds the first one by itself, and nobody can do without it afterwards.
package struct AddEntryKey: Command {
    /// The secret is already kept where the service finds it.
    package let key: EntryKeyID
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ key: EntryKeyID, reason: Reason?, by: PrincipalID) {
        self.key = key
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .all)
        guard logState.entryKeys.span(of: key) == nil else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access])
        decision.append(.service(.entryKey(.added(key))), to: .service)
        return decision
    }
}

/// Has a secret count for nothing that comes later, because somebody else may have it.
package struct RetireEntryKey: Command {
    package let key: EntryKeyID
    package let reason: Reason?
    package let by: PrincipalID

    /// For so long after the next one was added entries that were decided before may still come.
    package static let overlap = Duration.seconds(60)

    package init(_ key: EntryKeyID, reason: Reason?, by: PrincipalID) {
        self.key = key
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .all)
        let keys = logState.entryKeys
        guard let span = keys.span(of: key) else { throw Refusal(.entryKeyUnknown(key)) }
        guard span.retired == nil else { throw Refusal(.nothingChanges) }
        guard let next = keys.current, next.key != key,
            now >= next.addedAt.advanced(by: Self.overlap)
        else { throw Refusal(.entryKeyInUse(key)) }
        var decision = Decision(relyingOn: [.access])
        decision.append(.service(.entryKey(.retired(key))), to: .service)
        return decision
    }
}
