/// Makes a key known that is to sign an app's documents one day.
///
/// It is published at once, so that clients can learn it, and signs nothing before it is activated.
package struct AddKey: Command {
    /// Its private half is already kept where it will sign.
    package let key: KeyRecord
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ key: KeyRecord, reason: Reason?, by: PrincipalID) {
        self.key = key
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .app(key.app))
        _ = try logState.existingApp(key.app)
        // One key under two names, or of two apps, would sign for one what is of the other.
        let twin = logState.keyring.keys.values.first {
            $0.record.id == key.id || $0.record.publicKey == key.publicKey
        }
        if let twin { throw Refusal(.keyExists(twin.record.id)) }
        var decision = Decision(relyingOn: [.access, .app(key.app)])
        decision.append(.key(.keyAdded(key)), to: .keys)
        return decision
    }
}

/// Brings a signing key on in its life.
package struct TurnKey: Command {
    /// Where it is to go.
    package enum Turn: String, CaseIterable, Sendable {
        /// It signs from now on, beside those that do already.
        case activate
        /// It signs nothing more; a retirement that came too early ends when it is activated.
        case retire
        /// Nobody is to believe it any more, for good.
        case compromise
    }

    package let key: KeyID
    package let turn: Turn
    /// The event that brought the key to where its author saw it; a compromise need not say.
    package let seen: Position?
    package let reason: Reason?
    package let by: PrincipalID

    /// Every file of a snapshot is signed with each of them.
    package static let activeMaximum = 8

    package init(
        _ key: KeyID,
        _ turn: Turn,
        seen: Position?,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.key = key
        self.turn = turn
        self.seen = seen
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let known = try logState.keyToTurn(key, turn, by: by)
        let objections = objectionsToSeeing(known) + objections(to: known, in: logState)
        guard objections.isEmpty else { throw Refusal(objections) }
        // Made beforehand: the optimizer of Swift 6.3.1 crashes on making it in the call.
        let event = event(of: known.record.app)
        var decision = Decision(relyingOn: [.access])
        decision.append(.key(event), to: .keys)
        return decision
    }

    private func event(of app: AppSlug) -> KeyEvent {
        switch turn {
        case .activate: .keyActivated(key, app: app)
        case .retire: .keyRetired(key, app: app)
        case .compromise: .keyCompromised(key, app: app)
        }
    }

    private func objectionsToSeeing(_ known: Key) -> [Objection] {
        guard let seen else {
            return turn == .compromise ? [] : [.keyUnseen(key, current: known.since)]
        }
        return seen == known.since ? [] : [.keyDiffers(key, seen: seen, current: known.since)]
    }

    private func objections(to known: Key, in logState: LogState) -> [Objection] {
        switch (turn, known.state) {
        case (.activate, .active), (.retire, .retired), (.compromise, .compromised):
            [.nothingChanges]
        case (.activate, .compromised), (.retire, .compromised): [.keyCompromised(key)]
        case (.activate, .added), (.activate, .retired): objectionsToActivating(known, in: logState)
        case (.retire, .active), (.compromise, .active): objectionsToLosing(known, in: logState)
        case (.retire, .added), (.compromise, .added), (.compromise, .retired): []
        }
    }

    private func objectionsToActivating(_ known: Key, in logState: LogState) -> [Objection] {
        let app = known.record.app
        let count = logState.keyring.activeKeys(of: app).count
        return count < Self.activeMaximum
            ? [] : [.activeKeysFull(app, maximum: Self.activeMaximum)]
    }

    /// Without any key nothing could be published, and phones would be served nothing.
    private func objectionsToLosing(_ known: Key, in logState: LogState) -> [Objection] {
        let app = known.record.app
        guard logState.keyring.activeKeys(of: app).map(\.record.id) == [key] else { return [] }
        let standby = logState.keyring.keys(of: app, in: .added).map(\.record.id)
        return [.lastActiveKey(key, app, standby: standby)]
    }
}

extension LogState {
    /// The key, if the principal may bring it on like that.
    ///
    /// To somebody who may not see its app a key does not exist.
    fileprivate func keyToTurn(
        _ id: KeyID,
        _ turn: TurnKey.Turn,
        by principal: PrincipalID
    ) throws(Refusal) -> Key {
        guard let key = keyring.keys[id],
            access.permits(principal, .viewer, in: .app(key.record.app))
        else { throw Refusal(.keyUnknown(id)) }
        let scope = Scope.app(key.record.app)
        // A key that leaked does not wait for an administrator to wake up.
        let isUrgent = turn == .compromise && !access.permits(principal, .admin, in: scope)
        try require(isUrgent ? .responder : .admin, of: principal, in: scope)
        return key
    }
}
