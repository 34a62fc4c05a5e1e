import HashTreeCollections

/// The changes of an app that are in force for a time.
///
/// Those that a rollback took back are kept until their time is over, and the freeze that it fell
/// into: another rollback may bring back what they had put there, and then it ends as it was to.
struct Endings: Codable, Equatable, Sendable {
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

    /// The time of a change is over, and its end has written `fields`.
    mutating func end(
        _ id: ChangeID,
        writing fields: Set<Field>,
        after beforeEnd: Position,
        at position: Position
    ) {
        guard let ending = changes.removeValue(forKey: id) else { return }
        let held = fields.filter { ending.held($0, at: beforeEnd) }
        // These belong to whoever they belonged to before the change was applied.
        restore(Array(held), from: ending.before, at: position)
        // A text that came along with a value: it goes on belonging to whoever it belonged to.
        restore(Array(fields.subtracting(held)), from: beforeEnd, at: position)
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
            guard !ending.isUndone || !record.isOver(ending.until, at: recorded.recordedAt) else {
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

/// An applied change that goes back by itself.
package struct EndingChange: Codable, Equatable, Sendable {
    package let id: ChangeID
    package let app: AppSlug
    package let operations: [Operation]
    package let until: Instant
    /// The position of its `changeApplied`.
    package let appliedAt: Position
    /// The last position before the append that applied it: what was there is what its end brings
    /// back.
    package let before: Position

    /// Whether a rollback took it back as a whole.
    private(set) var isUndone = false
    /// Of each field that it wrote, when it was the change that decided on what stands there.
    private var holds: [Field: Course]
    /// Of the minimum app of each platform, when what stands there was decided after the change.
    private var minima: [Field: Course]

    /// `nil` for a change that has no end.
    init?(_ change: Change, of app: App, appliedAt position: Position, before: Position) {
        guard let until = change.schedule?.until else { return nil }
        let fields = app.fields(writtenAfter: before)
        holds = Dictionary(uniqueKeysWithValues: fields.map { ($0, Course(since: position)) })
        let minima = app.settings.platforms.map { Field($0, .minimumApp, .value) }
        self.minima = Dictionary(uniqueKeysWithValues: minima.map { ($0, Course()) })
        id = change.id
        self.app = change.app
        operations = change.operations
        self.until = until
        appliedAt = position
        self.before = before
    }

    /// The fields that have what the change decided.
    var heldFields: Set<Field> { Set(holds.filter(\.value.isSo).keys) }

    /// Whether the field has what the change decided: nobody decided otherwise since, and no
    /// rollback brought back what was decided before or after it.
    func holds(_ field: Field) -> Bool { holds[field]?.isSo ?? false }

    func held(_ field: Field, at position: Position) -> Bool {
        holds[field]?.wasSo(at: position) ?? false
    }

    /// The fields that it held after an earlier event, and does not hold any more.
    func fieldsLetGo(since position: Position) -> [Field] {
        holds.filter { $1.wasSo(at: position) && !$1.isSo }.keys.sorted()
    }

    /// Whether somebody decided after the change on the minimum that stands there, so that offers which
    /// come back at its end ask for no less.
    func leavesBlocked(on platform: Platform) -> Bool {
        minima[Field(platform, .minimumApp, .value)]?.isSo ?? false
    }

    /// Somebody decided anew.
    mutating func letGo(of field: Field, at position: Position) {
        holds[field]?.turn(to: false, at: position)
        minima[field]?.turn(to: true, at: position)
    }

    /// What stood in some fields after an earlier event stands there again.
    mutating func restore(
        from target: Position,
        at position: Position,
        _ isRestored: (Field) -> Bool
    ) {
        for field in holds.keys where isRestored(field) {
            holds[field]?.turnBack(to: target, at: position)
        }
        for field in minima.keys where isRestored(field) {
            minima[field]?.turnBack(to: target, at: position)
        }
    }

    mutating func undo() { isUndone = true }

    mutating func resume() { isUndone = false }
}

/// Something that is so or is not so, in the course of the log.
private struct Course: Codable, Equatable, Sendable {
    /// Where it came to be so, where no more, and so on.
    private var turns: [Position] = []

    /// It is not so yet.
    init() {}

    init(since position: Position) { turns = [position] }

    var isSo: Bool { !turns.count.isMultiple(of: 2) }

    func wasSo(at position: Position) -> Bool {
        !turns.prefix { $0 <= position }.count.isMultiple(of: 2)
    }

    mutating func turn(to value: Bool, at position: Position) {
        if value != isSo { turns.append(position) }
    }

    /// It is again what it was after an earlier event.
    mutating func turnBack(to target: Position, at position: Position) {
        turn(to: wasSo(at: target), at: position)
    }
}

extension LogState {
    /// The changes at whose end what was there before them comes back in one of the fields.
    package func changesHolding(_ fields: [Field], of app: AppSlug) -> [ChangeID] {
        endingChanges(of: app).filter { fields.contains(where: $0.holds) }.map(\.id)
    }

    /// The changes that took something back at their end after an earlier event, and leave it alone
    /// now, since somebody decided on it.
    package func endingsOverruled(
        of app: AppSlug,
        since position: Position
    ) -> [(ending: EndingChange, fields: [Field])] {
        endingChanges(of: app).map { ($0, $0.fieldsLetGo(since: position)) }
            .filter { !$1.isEmpty }
    }
}

/// What became of an applied change whose time is limited.
///
/// Its beginning and its end are two events that belong together: this names both.
package struct ChangeTerm: Equatable, Sendable {
    package let state: State
    /// The position of its `changeApplied`.
    package let applied: Position
    /// The position of its `changeEnded`, once it has ended.
    package let ended: Position?
    package let endedAt: Instant?

    package init(state: State, applied: Position, ended: Position? = nil, endedAt: Instant? = nil) {
        self.state = state
        self.applied = applied
        self.ended = ended
        self.endedAt = endedAt
    }

    /// Whether its fields still go back by themselves.
    package enum State: String, CaseIterable, Sendable {
        /// At its time they do.
        case running
        /// They have.
        case ended
        /// A rollback took it back before: nothing is left to end, unless another brings it back.
        case undone
    }
}
