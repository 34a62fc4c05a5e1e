/// What is remembered of a change that was applied: until its own end, and beyond where rollbacks
/// took it back and brought it back before.
struct AppliedChange: Equatable, Sendable {
    let position: Position
    let author: PrincipalID
    let platforms: Set<Platform>
    private var absences: [Absence] = []
    private var endedAt: Position?

    init(position: Position, author: PrincipalID, platforms: Set<Platform>) {
        self.position = position
        self.author = author
        self.platforms = platforms
    }

    /// The rollback that took it back, while no other has brought it back.
    var undoing: Undoing? { undoing(at: nil) }

    /// The rollback that had taken it back at a position; `nil` means now.
    func undoing(at position: Position?) -> Undoing? {
        guard !hasEnded(at: position) else { return nil }
        return absences.last { absence in
            guard let position else { return absence.end == nil }
            return absence.undoing.position <= position
                && absence.end.map { position < $0 } ?? true
        }?.undoing
    }

    /// Whether neither a rollback nor its own end has taken it back.
    var isInForce: Bool { endedAt == nil && undoing == nil }

    /// Whether what it wrote was in force at a position.
    func wasInForce(at position: Position) -> Bool {
        self.position <= position && !hasEnded(at: position) && undoing(at: position) == nil
    }

    private func hasEnded(at position: Position?) -> Bool {
        endedAt.map { end in position.map { end <= $0 } ?? true } ?? false
    }

    /// Whether a rollback of everything on its platforms takes it back.
    func isUndone(by record: RollbackRecord) -> Bool {
        isWhole(in: record) && undoing == nil && !wasInForce(at: record.target)
    }

    /// Whether such a rollback brings it back.
    func isRestored(by record: RollbackRecord) -> Bool {
        isWhole(in: record) && undoing != nil && wasInForce(at: record.target)
    }

    private func isWhole(in record: RollbackRecord) -> Bool {
        endedAt == nil && record.fields == nil && platforms.isSubset(of: record.platforms)
    }

    /// What is left of it once its time is over; nothing where there is nothing to tell of it.
    func ended(at position: Position) -> AppliedChange? {
        guard !absences.isEmpty else { return nil }
        var next = self
        next.endedAt = position
        return next
    }

    mutating func undo(_ undoing: Undoing) { absences.append(Absence(undoing: undoing)) }

    mutating func restore(at position: Position) {
        guard undoing != nil else { return }
        absences[absences.count - 1].end = position
    }
}

/// From one rollback to another it was not in force.
private struct Absence: Equatable, Sendable {
    let undoing: Undoing
    var end: Position?
}
