// The commands about signing keys that an append may have come from.
extension RecordedAppend {
    /// Where a key was seen to stand is not recorded: it was brought on, so it was there at the
    /// time.
    func commandOfKeys(_ event: KeyEvent, in world: World) -> any Command {
        switch event {
        case .keyAdded(let record): AddKey(record, reason: first.origin.reason, by: actor)
        case .keyActivated(let id, _): turn(id, .activate, in: world)
        case .keyRetired(let id, _): turn(id, .retire, in: world)
        case .keyCompromised(let id, _): turn(id, .compromise, in: world)
        }
    }

    private func turn(_ id: KeyID, _ turn: TurnKey.Turn, in world: World) -> TurnKey {
        TurnKey(
            id,
            turn,
            seen: world.keyring.keys[id]?.since,
            reason: first.origin.reason,
            by: actor
        )
    }
}
