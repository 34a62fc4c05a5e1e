/// A state of an app's documents, as a person names it.
package enum StateName: Hashable, Sendable {
    case live
    /// After the append that the event belongs to.
    case event(Position)
    case time(Instant)
    /// As the change left it; while the change is open, as it would leave what is live.
    case change(ChangeID)
    /// As it was published.
    case snapshot(SnapshotSequence)
    /// As a rollback of all of it would leave it.
    case rollback(RollbackTarget)

    /// Reads what ``text`` gives.
    package init?(_ text: String) {
        guard text != "live" else {
            self = .live
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let name = Self.named(parts[0], parts[1]) else { return nil }
        self = name
    }

    private static func named(_ kind: String, _ value: String) -> StateName? {
        switch kind {
        case "event": Int64(value).flatMap(Position.init(rawValue:)).map { .event($0) }
        case "time": Instant(rfc3339: value).map { .time($0) }
        case "change": ChangeID(value).map { .change($0) }
        case "snapshot":
            Int64(value).flatMap(SnapshotSequence.init(rawValue:)).map { .snapshot($0) }
        case "rollback": RollbackTarget(value).map { .rollback($0) }
        default: nil
        }
    }

    package var text: String {
        switch self {
        case .live: "live"
        case .event(let position): "event:\(position)"
        case .time(let instant): "time:\(instant.rfc3339)"
        case .change(let id): "change:\(id)"
        case .snapshot(let sequence): "snapshot:\(sequence)"
        case .rollback(let target): "rollback:\(target.text)"
        }
    }
}
