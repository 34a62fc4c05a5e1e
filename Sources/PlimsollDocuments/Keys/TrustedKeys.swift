package import PlimsollDomain

/// The keys somebody has chosen to trust, each for the documents of one app or of any.
package struct TrustedKeys: Equatable, Sendable {
    /// A public key with the id that signatures name it by.
    package struct Key: Equatable, Sendable {
        package let id: KeyID
        /// `nil` where the key was given by hand, without an app.
        package let app: AppSlug?
        package let publicKey: PublicKey

        package init(id: KeyID, app: AppSlug? = nil, publicKey: PublicKey) {
            self.id = id
            self.app = app
            self.publicKey = publicKey
        }
    }

    private let keys: [KeyID: Key]
    /// Those that nobody is to believe any more, whatever was said of them before.
    package let revoked: Set<KeyID>

    /// Of two keys with one id, the first counts; one that is revoked is not trusted.
    package init(_ keys: some Sequence<Key>, revoked: Set<KeyID> = []) {
        self.keys = Dictionary(
            keys.filter { !revoked.contains($0.id) }.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.revoked = revoked
    }

    /// Trusts every key that was published, but for those that are compromised.
    package init(_ published: PublishedKeys) {
        self.init(
            published.keys.map { Key(id: $0.id, app: $0.app, publicKey: $0.publicKey) },
            revoked: Set(published.keys.filter { $0.state == .compromised }.map(\.id))
        )
    }

    package subscript(id: KeyID) -> Key? { keys[id] }
    package var isEmpty: Bool { keys.isEmpty }
    package var all: [Key] { keys.values.sorted { $0.id < $1.id } }
}
