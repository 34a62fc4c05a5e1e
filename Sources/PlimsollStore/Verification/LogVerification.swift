package import PlimsollDomain
package import PlimsollLog

/// What a whole look at the log found.
package enum LogVerification: Equatable, Sendable {
    /// Everything fits; the root stands for all of it.
    case sound(MerkleRoot)
    /// The first event that does not fit, and how.
    case broken(Position, LogFlaw)
}

/// How an event does not fit the log.
package enum LogFlaw: Equatable, Sendable {
    /// There is no event here, though there are others behind it.
    case missing
    case unreadable(EntryError)
    /// The entry is the right JSON in another form than the one that is written.
    case notCanonical
    /// A column says something else than the entry.
    case differs(column: String)
    /// The stored leaf hash is not that of the entry.
    case leafHash
    /// The event's revision does not follow the one before it in the stream.
    case revision(expected: Revision, found: Revision)
    /// The event is recorded up to five seconds before the one before it.
    case time(previous: Instant, found: Instant)
    /// The event's id is no UUID of version 7.
    case idForm(String)
    /// An event before it has the same id.
    case idRepeated(String)
    /// The log's record of the command does not cover exactly its events.
    case command
    /// The event does not follow from anything that its actor might do then.
    case unfounded(UnfoundedEvent.Reason)
    /// A checkpoint over so many events was recorded, and its root is another one.
    case checkpoint(size: Int)
}

extension LogFlaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "The event is missing."
        case .unreadable(let error): error.description
        case .notCanonical: "The entry is not in canonical form, so its bytes were changed."
        case .differs(let column): "The column \(column) says something else than the entry."
        case .leafHash: "The stored leaf hash is not that of the entry."
        case .revision(let expected, let found):
            "The event has revision \(found) of its stream, where \(expected) is needed."
        case .time(let previous, let found):
            "The event was recorded at \(found), before the one before it at \(previous)."
        case .idForm(let id): "The event's id \(id) is no UUID of version 7."
        case .idRepeated(let id): "The event's id \(id) is that of an event before it."
        case .command: "The record of the event's command does not cover exactly its events."
        case .unfounded(let reason): reason.description
        case .checkpoint(let size):
            "Here or up to event \(size) something was changed: the checkpoint that was recorded"
                + " over the first \(size) events has another root."
        }
    }
}
