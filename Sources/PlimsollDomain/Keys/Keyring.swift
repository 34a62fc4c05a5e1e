/// The signing keys, as the events of the `keys` stream have left them.
package struct Keyring: Equatable, Sendable {
    package private(set) var keys: [KeyID: Key] = [:]

    /// The keys that sign what is published of an app, in the order of their ids.
    package func activeKeys(of app: AppSlug) -> [Key] {
        keys.values.filter { $0.record.app == app && $0.state == .active }
            .sorted { $0.record.id < $1.record.id }
    }

    mutating func evolve(_ event: KeyEvent) {
        switch event {
        case .keyAdded(let record): keys[record.id] = Key(record: record, state: .added)
        case .keyActivated(let id, _): keys[id]?.state = .active
        }
    }
}

/// A signing key and where it stands in its life.
package struct Key: Equatable, Sendable {
    package let record: KeyRecord
    package internal(set) var state: KeyState
}

/// Where a key stands in its life.
package enum KeyState: String, CaseIterable, Sendable {
    /// Published, so that clients can learn it; signs nothing yet.
    case added
    case active
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
