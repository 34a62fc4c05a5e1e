package import Crypto
package import PlimsollDomain
package import PlimsollJSON

/// A content key as it is published.
package struct PublishedKey: Equatable, Sendable {
    package let id: KeyID
    package let app: AppSlug
    package let state: KeyState
    package let publicKey: PublicKey

    package init(id: KeyID, app: AppSlug, state: KeyState, publicKey: PublicKey) {
        self.id = id
        self.app = app
        self.state = state
        self.publicKey = publicKey
    }
}

/// The file `keys.json`: the public keys of all apps, in the order of their ids.
package struct PublishedKeys: Equatable, Sendable {
    package let keys: [PublishedKey]

    package static let fileName = "keys.json"
    package static let mediaType = "application/json"
    private static let algorithm = "ECDSA_SHA_256"
    /// Some ten thousand keys; those that are retired or compromised stay in the list.
    package static let sizeMaximum = 4 << 20
    private static let limits = JSONLimits(sizeMaximum: sizeMaximum)

    package init(_ keys: [PublishedKey]) {
        self.keys = keys.sorted { $0.id < $1.id }
    }

    /// All keys that the log knows; one whose public half cannot be read is left out.
    package init(_ keyring: Keyring) {
        self.init(
            keyring.keys.values.compactMap { key in
                PublicKey(der: key.record.publicKey).map {
                    PublishedKey(
                        id: key.record.id,
                        app: key.record.app,
                        state: key.state,
                        publicKey: $0
                    )
                }
            }
        )
    }

    package var bytes: [UInt8] {
        let list = keys.map { key in
            [
                "algorithm": .string(Self.algorithm),
                "app": .string(key.app.text),
                "id": .string(key.id.text),
                "publicKey": .string(key.publicKey.pem),
                "state": .string(key.state.rawValue),
            ] as JSONValue
        }
        return (["keys": .array(list)] as JSONObject).canonicalBytes()
    }

    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        let keys = reader.objects("keys", .refused, Self.read)
        let repeated = Set((keys ?? []).map(\.id)).count != (keys ?? []).count
        if repeated { reader.refuse("keys", "A key stands here twice; each may stand once.") }
        self = try reader.finish { keys.map { PublishedKeys($0) } }
    }

    private static func read(_ reader: inout ObjectReader) -> PublishedKey? {
        let algorithm = reader.string("algorithm", needing: Self.algorithm) {
            $0 == Self.algorithm ? $0 : nil
        }
        let app = reader.string("app", needing: AppSlug.grammar, AppSlug.init)
        let id = reader.string("id", needing: "a lower-case UUID", KeyID.init)
        let publicKey = reader.string("publicKey", needing: "a P-256 public key in PEM") {
            PublicKey(pem: $0)
        }
        let state = reader.string("state", needing: "the state of a key", KeyState.init)
        guard algorithm != nil, let app, let id, let publicKey, let state else { return nil }
        return PublishedKey(id: id, app: app, state: state, publicKey: publicKey)
    }
}

/// The public half of a content key: a point on P-256.
package struct PublicKey: Sendable {
    private let key: P256.Signing.PublicKey

    package init(_ key: P256.Signing.PublicKey) {
        self.key = key
    }

    /// Reads a SubjectPublicKeyInfo in DER.
    package init?(der: [UInt8]) {
        guard let key = try? P256.Signing.PublicKey(derRepresentation: der) else { return nil }
        self.key = key
    }

    /// Reads a SubjectPublicKeyInfo in PEM, as `openssl ec -pubout` writes it.
    package init?(pem: String) {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else { return nil }
        self.key = key
    }

    package init?(pem: [UInt8]) {
        guard let text = String(validating: pem, as: UTF8.self) else { return nil }
        self.init(pem: text)
    }

    package var der: [UInt8] { Array(key.derRepresentation) }

    /// With a line feed at the end, as a file has it.
    package var pem: String { key.pemRepresentation + "\n" }

    /// Whether the private half has signed exactly this.
    package func accepts(_ signature: KeySignature, over digest: SHA256Digest) -> Bool {
        guard let pair = try? P256.Signing.ECDSASignature(derRepresentation: signature.der) else {
            return false
        }
        return key.isValidSignature(pair, for: digest)
    }
}

extension PublicKey: Equatable {
    package static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.key.rawRepresentation == right.key.rawRepresentation
    }
}

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
