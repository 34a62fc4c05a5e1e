/// An applied change that goes back by itself.
package struct EndingChange: Equatable, Sendable {
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

    /// `nil` for a change that has no end.
    init?(_ change: Change, of app: App, appliedAt position: Position, before: Position) {
        guard let until = change.schedule?.until else { return nil }
        let fields = app.fields(writtenAfter: before)
        holds = Dictionary(uniqueKeysWithValues: fields.map { ($0, Course(since: position)) })
        id = change.id
        self.app = change.app
        operations = change.operations
        self.until = until
        appliedAt = position
        self.before = before
    }

    var platforms: Set<Platform> { Set(operations.map(\.platform)) }

    /// The fields that have what the change decided.
    var heldFields: Set<Field> { Set(holds.filter(\.value.isSo).keys) }

    /// Whether the field has what the change decided: nobody decided otherwise since, and no
    /// rollback brought back what was decided before or after it.
    func holds(_ field: Field) -> Bool { holds[field]?.isSo ?? false }

    func held(_ field: Field, at position: Position) -> Bool {
        holds[field]?.wasSo(at: position) ?? false
    }

    /// Somebody decided anew.
    mutating func letGo(of field: Field, at position: Position) {
        holds[field]?.turn(to: false, at: position)
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
    }

    mutating func undo() { isUndone = true }

    mutating func resume() { isUndone = false }
}

/// Something that is so or is not so, in the course of the log.
private struct Course: Equatable, Sendable {
    /// Where it came to be so, where no more, and so on.
    private var turns: [Position]

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
