import PlimsollTestSupport
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing

extension LogBuilder {
    /// What a client trusts that was given all public keys.
    var trustedKeys: TrustedKeys { TrustedKeys(PublishedKeys(logState.keyring)) }

    /// A log with harbour registered, whose key was made there.
    static func withHarbour(_ keys: SigningKeys) throws -> LogBuilder {
        var log = LogBuilder()
        try log.register(keys.makeKey(for: harbour))
        return log
    }
}

extension ExportFolder {
    /// What a client that trusts the keys makes of what is current.
    func served(
        _ app: AppSlug = harbour,
        trusting keys: TrustedKeys
    ) throws -> VerifiedSnapshot {
        let store = SnapshotStore(self)
        guard let sequence = try store.current(of: app) else { throw NothingServed() }
        return try store.snapshot(sequence, of: app, trusting: keys)
    }
}

struct NothingServed: Error {}
