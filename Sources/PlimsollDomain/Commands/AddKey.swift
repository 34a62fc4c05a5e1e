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

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.require(.admin, of: by, in: .app(key.app))
        _ = try world.existingApp(key.app)
        // One key under two names, or of two apps, would sign for one what is of the other.
        let twin = world.keyring.keys.values.first {
            $0.record.id == key.id || $0.record.publicKey == key.publicKey
        }
        if let twin { throw Refusal(.keyExists(twin.record.id)) }
        var decision = Decision(relyingOn: [.access, .app(key.app)])
        decision.append(.key(.keyAdded(key)), to: .keys)
        return decision
    }
}
