package import PlimsollDomain
package import PlimsollJSON

/// A signing key: what is public about it and where it stands in its life.
package struct KeyAnswer: Answer {
    package let id: KeyID
    package let app: AppSlug
    package let state: KeyState
    /// The event that brought it there; `nil` where it was only tried.
    package let position: Position?
    /// The SubjectPublicKeyInfo as PEM, for `openssl` and for apps to pin.
    package let publicKey: String

    /// What every key signs with: ECDSA on P-256 over SHA-256.
    package static let algorithm = "ECDSA_SHA_256"

    package init(
        id: KeyID,
        app: AppSlug,
        state: KeyState,
        position: Position?,
        publicKey: String
    ) {
        self.id = id
        self.app = app
        self.state = state
        self.position = position
        self.publicKey = publicKey
    }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.string("id", needing: "a key's id", KeyID.init)
        let app = reader.slug("app")
        let state = reader.name("state", as: KeyState.self)
        let position = reader.optionalPosition("position")
        let publicKey = reader.string("publicKey")
        guard let id, let app, let state, let publicKey else { return nil }
        self.init(id: id, app: app, state: state, position: position, publicKey: publicKey)
    }

    package var json: JSONObject {
        [
            "id": .string(id.text),
            "app": .string(app.text),
            "state": .string(state.rawValue),
            "position": JSONValue(position),
            "algorithm": .string(Self.algorithm),
            "publicKey": .string(publicKey),
        ]
    }
}

/// Every signing key of the apps that the caller may see.
package struct KeyList: Answer {
    package let keys: [KeyAnswer]

    package init(keys: [KeyAnswer]) { self.keys = keys }

    package init?(_ reader: inout ObjectReader) {
        guard let keys = reader.objects("keys", .ignored, KeyAnswer.init) else { return nil }
        self.init(keys: keys)
    }

    package var json: JSONObject { ["keys": JSONValue(keys)] }
}
