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
