import Crypto
import Foundation
import PlimsollDomain
import PlimsollService
import Synchronization

/// Keys whose signers are away.
final class UnusableKeys: Sendable {
    private let ids = Mutex<Set<KeyID>>([])

    func insert(_ id: KeyID) { ids.withLock { _ = $0.insert(id) } }

    func contains(_ id: KeyID) -> Bool { ids.withLock { $0.contains(id) } }
}

extension KeyMaker {
    /// Makes keys that nobody keeps, and finds none anywhere else.
    init(_ unusable: UnusableKeys) {
        self.init(
            make: { Self.made(for: $0) },
            discard: { _ in },
            keep: { place, app, _ in
                guard place == .made else { throw KeyUnusable(reason: "nothing is there") }
                return KeptKey(Self.made(for: app), isNew: true)
            },
            prove: { key in
                guard !unusable.contains(key.id) else {
                    throw KeyUnusable(reason: "its signer is away")
                }
            }
        )
    }

    private static func made(for app: AppSlug) -> KeyRecord {
        KeyRecord(id: KeyID(UUID()), app: app, publicKey: newPublicKey())
    }
}

private func newPublicKey() -> [UInt8] {
    Array(P256.Signing.PrivateKey().publicKey.derRepresentation)
}
