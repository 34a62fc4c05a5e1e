import HashTreeCollections

/// The changes of an app that are in force for a time.
///
/// Those that a rollback took back are kept until their time is over: another rollback may bring
/// back what they had put there, and then it ends when it was to end.
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

    /// The time of a change is over: behind `beforeEnd` stands what it took back, which is what it held.
    mutating func end(
        _ id: ChangeID,
        writing fields: Set<Field>,
        after beforeEnd: Position,
        at position: Position
    ) {
        guard let ending = changes.removeValue(forKey: id) else { return }
        let held = fields.filter { ending.held($0, at: beforeEnd) }
        // Whoever held it before the change was applied holds it again.
        restore(Array(held), from: ending.before, at: position)
        // A text that came along with a value: nobody decided on it anew.
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
private struct Course: Codable, Equatable, Sendable {
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

/// Something that comes due by itself.
package struct Appointment: Hashable, Sendable {
    package let at: Instant
    package let subject: Subject
    package let act: Act

    package init(at: Instant, subject: Subject, act: Act) {
        self.at = at
        self.subject = subject
        self.act = act
    }

    package init(at: Instant, change: ChangeID, act: Act) {
        self.init(at: at, subject: .change(change), act: act)
    }

    /// The change that it is about.
    package var change: ChangeID? {
        if case .change(let id) = subject { id } else { nil }
    }

    /// What it is about.
    package enum Subject: Hashable, Sendable {
        case change(ChangeID)
        /// A freeze by the position of its plan.
        case freeze(Position, Scope)

        fileprivate var number: Int64 {
            switch self {
            case .change(let id): id.rawValue
            case .freeze(let position, _): position.rawValue
            }
        }
    }

    /// What is done when it is due.
    package enum Act: Sendable {
        /// An open change comes into force.
        case apply
        /// An applied change's time is over.
        case end
        /// A planned freeze begins.
        case freeze
        /// A planned freeze is over.
        case thaw
    }
}

extension Appointment: Comparable {
    /// Sooner first; freezes before changes, and what ends goes back before anything else begins at the
    /// same time.
    package static func < (left: Appointment, right: Appointment) -> Bool {
        (left.at, left.act.rank, left.subject.number)
            < (right.at, right.act.rank, right.subject.number)
    }
}

extension Appointment.Act {
    fileprivate var rank: Int {
        switch self {
        case .freeze: 0
        case .thaw: 1
        case .end: 2
        case .apply: 3
        }
    }
}

extension LogState {
    /// What comes due by itself, soonest first; during a freeze nothing ends.
    package func appointments(asOf now: Instant) -> [Appointment] {
        unorderedAppointments(at: now).sorted()
    }

    /// The same as of the last event.
    package var appointments: [Appointment] {
        appointments(asOf: lastRecordedAt ?? Instant(millisecondsSince1970: 0))
    }

    /// What is due, soonest first, and when the next one is; what lies ahead is not put in order,
    /// because this is asked whenever the log grows.
    package func appointments(dueBy now: Instant) -> (due: [Appointment], next: Instant?) {
        let all = unorderedAppointments(at: now)
        return (
            all.filter { $0.at <= now }.sorted(),
            all.lazy.filter { $0.at > now }.map(\.at).min()
        )
    }
}

/// When a change is to come into force, and when it is to end.
package struct Schedule: Codable, Hashable, Sendable {
    /// When it is applied; `nil` with the last approval.
    package let at: Instant?
    /// When the fields go back to what they were; `nil` never.
    package let until: Instant?
    /// The name of the zone (IANA) that its author thinks in; only shown, the instants are in UTC.
    package let timeZone: TimeZoneName

    package init(at: Instant?, until: Instant?, timeZone: TimeZoneName) {
        self.at = at
        self.until = until
        self.timeZone = timeZone
    }
}

/// The name of a time zone as the tz database writes it: `Europe/London`, `UTC`.
package struct TimeZoneName: Codable, Hashable, Sendable {
    package let text: String

    package static let grammar = "the name of a time zone such as Europe/London or UTC"

    package static let utc = TimeZoneName(unchecked: "UTC")

    /// `UTC`, or an area and a place in at most 64 letters, digits, `_`, `+` and `-`.
    ///
    /// Abbreviations are no zones: to the tz data `BST` may be Bangladesh.
    package init?(_ text: String) {
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        guard text == "UTC" || names.count > 1, text.utf8.count <= 64,
            names.allSatisfy({ !$0.isEmpty }), text.utf8.allSatisfy({ TimeZoneName.isAllowed($0) })
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2B, 0x2D, 0x2F: true
        default: false
        }
    }
}
