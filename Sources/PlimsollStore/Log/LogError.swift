package import PlimsollDomain
package import PlimsollPostgres

/// Why the log cannot be read.
///
/// All but ``database(_:)`` mean that somebody tampered with it, that an old backup was restored,
/// or that a newer program wrote to it: whoever meets them stops.
package enum LogError: Error, Equatable, Sendable {
    case database(PostgresError)
    /// There is an event behind the place where the next one has to stand, and none on it.
    case hole(at: Position, found: Position)
    /// The same in one stream.
    case revisionHole(StreamName, at: Revision, found: Revision)
    case unreadable(Position, EntryError)
    /// The service wrote it, and this program cannot read it: a newer one wrote it.
    case newer(Position, EntryError)
    /// Somebody else than the service wrote it, or changed it.
    case unauthentic(Position, EntryKeyFlawFound)
    /// It stands in the log before: its revision is not the next one of its stream.
    case repeated(Position, StreamName, Revision)
    /// Found by reading again what was read before.
    case flawed(Position, LogFlaw)
    /// The log ends before a place where it had events.
    case shortened(expected: Position, found: Position)
    /// The log does not have the last event that this process knows.
    case lost(LogFinding)
    /// The record of a checkpoint says one root, and its frontier another.
    case contradictoryCheckpoint(size: Int)
    /// Whoever took the events in did not want any more; says why.
    case interrupted(String)
}

extension LogError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .database(let error): error.description
        case .hole(let expected, let found):
            "The log has no event \(expected), but event \(found) behind it; it was tampered with"
                + " or badly restored."
        case .revisionHole(let stream, let expected, let found):
            "The stream \(stream) has no revision \(expected), but revision \(found) behind it;"
                + " the log was tampered with or badly restored."
        case .unreadable(let position, let error):
            "Event \(position) cannot be read. \(error)"
        case .newer(let position, let error):
            "Event \(position) was written by a newer Plimsoll: start that one here too. \(error)"
        case .repeated(let position, let stream, let revision):
            "Event \(position) says that it has revision \(revision) of \(stream), which is not the"
                + " next one: an entry of another place was copied there."
        case .unauthentic(let position, let flaw): "Event \(position): \(flaw)"
        case .flawed(let position, let flaw): "Event \(position): \(flaw)"
        case .shortened(let expected, let found):
            "The log ends at event \(found) and had event \(expected) before; an old backup was"
                + " restored or the log was tampered with."
        case .lost(let finding): finding.prohibition?.sentence ?? "The log is as it is known."
        case .contradictoryCheckpoint(let size):
            "The record of the checkpoint over \(size) events contradicts itself; the database was"
                + " tampered with."
        case .interrupted(let reason): "Reading the log was given up. \(reason)"
        }
    }
}

extension LogError {
    /// The first event that cannot be believed; `nil` where that is not what is wrong.
    var damagedPosition: Position? {
        switch self {
        case .hole(let position, _), .unreadable(let position, _), .newer(let position, _),
            .unauthentic(let position, _), .repeated(let position, _, _),
            .flawed(let position, _):
            position
        case .database, .revisionHole, .shortened, .lost, .contradictoryCheckpoint, .interrupted:
            nil
        }
    }

    /// Whether it says that the log is damaged; else it could not be looked at.
    var isDamage: Bool {
        switch self {
        case .database, .interrupted: false
        case .unauthentic(_, let flaw): flaw.isForgery
        case .hole, .revisionHole, .unreadable, .newer, .repeated, .flawed, .shortened, .lost,
            .contradictoryCheckpoint:
            true
        }
    }
}

extension Prohibition {
    /// For a log of which a part is missing, cannot be read, or was not written by the service.
    init(damage error: LogError) {
        self.init(
            .logDamaged,
            error.description + " Nothing behind it is believed, and nothing is appended, signed or"
                + " sent; phones get what was published last. plimsoll verify log says more."
        )
    }
}

extension LogState {
    /// Throws unless the event continues its stream: whoever copies an entry, authentic as it is,
    /// cannot have it follow what is there.
    func requireNext(_ event: RecordedEvent) throws(LogError) {
        guard event.revision == revision(of: event.stream).next else {
            throw .repeated(event.position, event.stream, event.revision)
        }
    }
}
