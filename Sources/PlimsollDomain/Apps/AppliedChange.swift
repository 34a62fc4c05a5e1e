/// What is remembered of a change that was applied: until its own end, and beyond where rollbacks
/// took it back and brought it back before.
struct AppliedChange: Codable, Equatable, Sendable {
    /// Behind it stands what it wrote, up to its own position.
    private let start: Position
    let position: Position
    let author: PrincipalID
    private let platforms: PlatformSet
    private var absences: [Absence] = []
    private var endedAt: Position?

    init(start: Position, position: Position, author: PrincipalID, platforms: [Platform]) {
        self.start = start
        self.position = position
        self.author = author
        self.platforms = PlatformSet(platforms)
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

    /// Whether what stands at a position is part of it.
    func wrote(at position: Position) -> Bool { start < position && position <= self.position }

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
        endedAt == nil && record.fields == nil
            && platforms.isSubset(of: PlatformSet(record.platforms))
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

/// Platforms in one byte: there is one set for each change that was ever applied.
private struct PlatformSet: OptionSet, Codable, Sendable {
    let rawValue: UInt8
}

extension PlatformSet {
    init(_ platforms: [Platform]) {
        self = platforms.reduce(into: []) { $0.formUnion(PlatformSet($1)) }
    }

    private init(_ platform: Platform) {
        switch platform {
        case .android: self.init(rawValue: 1 << 0)
        case .ios: self.init(rawValue: 1 << 1)
        case .jvm: self.init(rawValue: 1 << 2)
        case .macos: self.init(rawValue: 1 << 3)
        }
    }
}

/// From one rollback to another it was not in force.
private struct Absence: Codable, Equatable, Sendable {
    let undoing: Undoing
    var end: Position?
}

/// Where a rollback went.
package struct RollbackRecord: Codable, Equatable, Sendable {
    /// The position whose state was restored.
    package let target: Position
    /// How the person named the target.
    package let request: RollbackTarget
    package let platforms: [Platform]
    /// The fields that were restored, where not all of the platforms' were.
    package let fields: [Field]?
    /// Since when the app was frozen, where it was: what was to end since then is not over yet.
    package let frozenSince: Instant?

    package init(
        target: Position,
        request: RollbackTarget,
        platforms: [Platform],
        fields: [Field]? = nil,
        frozenSince: Instant? = nil
    ) {
        self.target = target
        self.request = request
        self.platforms = platforms
        self.fields = fields
        self.frozenSince = frozenSince
    }

    /// Whether what was to end at a time is over where such a rollback is made, and ends no more.
    func isOver(_ until: Instant, at now: Instant) -> Bool {
        frozenSince.map { until < $0 } ?? (until <= now)
    }

    /// Whether the field has what it had at the target.
    func covers(_ field: Field) -> Bool {
        fields?.contains(field) ?? platforms.contains(field.platform)
    }

    /// Whether the edit would write anything of what it restores.
    func touches(_ operation: Operation) -> Bool {
        if let field = operation.field { return covers(field) }
        return fields?.contains { $0.place == operation.place }
            ?? platforms.contains(operation.platform)
    }
}

/// A state to return to, as a person names it.
package enum RollbackTarget: Codable, Hashable, Sendable {
    /// The state after the append that the event belongs to.
    case event(Position)
    /// The state at a moment.
    case time(Instant)
    /// The state just before a change was applied.
    case beforeChange(ChangeID)
    /// The same, of that change's own fields alone.
    case revert(ChangeID)
    /// The newest state that was live for at least so many seconds.
    case lastGood(seconds: Int64)

    /// How long a state may be asked to have been live; PostgreSQL takes ages above some for
    /// negative.
    package static let secondsAllowed = 1...ChangePolicy.secondsMaximum

    /// The change that it is about, where a person named one.
    package var change: ChangeID? {
        switch self {
        case .beforeChange(let id), .revert(let id): id
        case .event, .time, .lastGood: nil
        }
    }

    /// Reads what ``text`` gives.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let target = Self.named(parts[0], parts[1]) else { return nil }
        self = target
    }

    private static func named(_ kind: String, _ value: String) -> RollbackTarget? {
        switch kind {
        case "event": Int64(value).flatMap(Position.init(rawValue:)).map { .event($0) }
        case "time": Instant(rfc3339: value).map { .time($0) }
        case "before-change": ChangeID(value).map { .beforeChange($0) }
        case "revert": ChangeID(value).map { .revert($0) }
        case "last-good":
            Int64(value).flatMap { seconds in
                secondsAllowed.contains(seconds) ? .lastGood(seconds: seconds) : nil
            }
        default: nil
        }
    }

    package var text: String {
        switch self {
        case .event(let position): "event:\(position)"
        case .time(let instant): "time:\(instant.rfc3339)"
        case .beforeChange(let id): "before-change:\(id)"
        case .revert(let id): "revert:\(id)"
        case .lastGood(let seconds): "last-good:\(seconds)"
        }
    }
}
