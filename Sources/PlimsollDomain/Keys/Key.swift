/// A signing key and where it stands in its life.
package struct Key: Equatable, Sendable {
    package let record: KeyRecord
    package private(set) var state = KeyState.added
    /// The event that brought it there; whoever decides on the key says that they saw this one.
    package private(set) var since: Position
    /// Since when there may be phones that believe this key; `nil` if it never signed.
    package internal(set) var firstActivated: Position?

    init(record: KeyRecord, since: Position) {
        self.record = record
        self.since = since
    }

    mutating func turn(_ state: KeyState, at position: Position) {
        self.state = state
        since = position
    }
}

/// Where a key stands in its life.
package enum KeyState: String, CaseIterable, Sendable {
    /// Published, so that clients can learn it; signs nothing yet.
    case added
    case active
    /// Signs nothing more; what it has signed is as good as ever.
    case retired
    /// Somebody else may have it: nothing that it signs is to be believed, and it never signs
    /// again.
    case compromised
}

/// What is public about a signing key, which belongs to one app.
package struct KeyRecord: Equatable, Sendable {
    package let id: KeyID
    package let app: AppSlug
    /// The SubjectPublicKeyInfo, DER.
    package let publicKey: [UInt8]

    package init(id: KeyID, app: AppSlug, publicKey: [UInt8]) {
        self.id = id
        self.app = app
        self.publicKey = publicKey
    }
}
