/// The signing keys, as the events of the `keys` stream have left them.
package struct Keyring: Equatable, Sendable {
    package private(set) var keys: [KeyID: Key] = [:]

    /// The keys that sign what is published of an app, in the order of their ids.
    package func activeKeys(of app: AppSlug) -> [Key] {
        keys(of: app, in: .active)
    }

    /// The keys of an app that stand there in their life, in the order of their ids.
    package func keys(of app: AppSlug, in state: KeyState) -> [Key] {
        keys.values.filter { $0.record.app == app && $0.state == state }
            .sorted { $0.record.id < $1.record.id }
    }

    mutating func evolve(_ event: KeyEvent, at position: Position) {
        switch event {
        case .keyAdded(let record): keys[record.id] = Key(record: record, since: position)
        case .keyActivated(let id, _):
            keys[id]?.turn(.active, at: position)
            if keys[id]?.firstActivated == nil { keys[id]?.firstActivated = position }
        case .keyRetired(let id, _): keys[id]?.turn(.retired, at: position)
        case .keyCompromised(let id, _): keys[id]?.turn(.compromised, at: position)
        }
    }
}
