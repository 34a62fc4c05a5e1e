import HashTreeCollections

/// The changes of an app that are in force for a time.
///
/// Those that a rollback took back are kept until their time is over: another rollback may bring
/// back what they had put there, and then it ends when it was to end.
struct Endings: Equatable, Sendable {
    private var changes: TreeDictionary<ChangeID, EndingChange> = [:]

    /// Those that will go back, in no order.
    var running: some Sequence<EndingChange> { changes.values.lazy.filter { !$0.isUndone } }

    subscript(id: ChangeID) -> EndingChange? {
        changes[id].flatMap { $0.isUndone ? nil : $0 }
    }

    mutating func begin(_ ending: EndingChange) { changes[ending.id] = ending }

    /// Somebody decided on fields.
    mutating func letGo(of fields: [Field], at position: Position) {
        for id in changes.keys {
            for field in fields { changes[id]?.letGo(of: field, at: position) }
        }
    }

    /// What stood in fields after an earlier event stands there again.
    mutating func restore(_ fields: [Field], from target: Position, at position: Position) {
        for id in changes.keys {
            changes[id]?.restore(from: target, at: position, fields.contains)
        }
    }

    /// The time of a change is over; of what was written after `start` it took back what it held.
    mutating func end(
        _ id: ChangeID,
        writing fields: Set<Field>,
        after start: Position,
        at position: Position
    ) {
        guard let ending = changes.removeValue(forKey: id) else { return }
        let back = fields.filter { ending.held($0, at: start) }
        restore(Array(back), from: ending.before, at: position)
        restore(Array(fields.subtracting(back)), from: start, at: position)
    }

    /// Answers which changes end again, because something that they had put there is back.
    mutating func rollBack(
        _ record: RollbackRecord,
        undoing undone: [ChangeID],
        _ recorded: RecordedEvent
    ) -> [EndingChange] {
        for id in undone { changes[id]?.undo() }
        var resumed: [EndingChange] = []
        for (id, ending) in changes {
            guard !ending.isUndone || ending.until > recorded.recordedAt else {
                changes[id] = nil
                continue
            }
            changes[id]?.restore(from: record.target, at: recorded.position, record.covers)
            guard let restored = changes[id], restored.isUndone, !restored.heldFields.isEmpty
            else { continue }
            changes[id]?.resume()
            resumed.append(restored)
        }
        return resumed
    }
}
