/// Where a rollback went.
package struct RollbackRecord: Equatable, Sendable {
    /// The position whose state was restored.
    package let target: Position
    /// How the person named the target.
    package let request: RollbackTarget
    package let platforms: [Platform]
    /// The fields that were restored, where not all of the platforms' were.
    package let fields: [Field]?

    package init(
        target: Position,
        request: RollbackTarget,
        platforms: [Platform],
        fields: [Field]? = nil
    ) {
        self.target = target
        self.request = request
        self.platforms = platforms
        self.fields = fields
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
package enum RollbackTarget: Hashable, Sendable {
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
