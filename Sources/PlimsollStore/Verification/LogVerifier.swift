import FoundationEssentials
package import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres

/// Takes in every row of the log in order, and believes none of its columns.
struct LogVerifier: Sendable {
    private(set) var entries: EntryVerifier
    /// The first event that does not fit; what follows it is passed over.
    private(set) var found: LogFlawFound?
    private(set) var commands = CommandRuns()
    private var columns = EventColumns()

    init(_ entries: EntryVerifier) {
        self.entries = entries
    }

    /// Reads the columns in the order in which ``EventLog/verify(with:)`` asks for them; `nil` from
    /// the first event on that does not fit.
    mutating func take(_ row: inout CopiedRow) throws -> RecordedEvent? {
        guard found == nil else { return nil }
        do {
            return try event(&row)
        } catch let flaw as LogFlawFound {
            found = flaw
            return nil
        }
    }

    /// Takes the audit back that was done elsewhere.
    mutating func receive(_ audit: DecisionAudit?) {
        entries.receive(audit)
    }

    private mutating func event(_ row: inout CopiedRow) throws -> RecordedEvent {
        let position = entries.next
        guard try row.int64() == position.rawValue else { throw LogFlawFound(position, .missing) }
        let event = try entries.take(try row.bytes())
        let leaf = entries.leaves.last
        let isLeaf = try row.withBytes { bytes in leaf.map { $0.isEqual(to: bytes) } ?? false }
        if let column = try columns.thatDiffers(from: event, &row) {
            throw LogFlawFound(position, .differs(column: column))
        }
        guard isLeaf == true else { throw LogFlawFound(position, .leafHash) }
        commands.take(event)
        return event
    }
}

/// The columns that repeat what an entry says, for look-up only.
struct EventColumns: Sendable {
    private var names = EventDecoder()

    /// Reads them in the order of the table, from the stream on.
    mutating func thatDiffers(
        from event: RecordedEvent,
        _ row: inout CopiedRow
    ) throws(PostgresError) -> String? {
        let stream = try row.withBytes { bytes in names.stream(named: bytes) }
        let revision = try row.int64()
        let type = try row.withBytes { bytes in names.type(named: bytes) }
        let id: UUID = try row.next()
        let command: UUID = try row.next()
        // As the number that it is: an infinite time could not be read as one.
        let recordedAt = try row.int64()
        if stream != event.stream { return "stream" }
        if revision != event.revision.rawValue { return "revision" }
        if type != event.event.type { return "type" }
        if id != event.id { return "event_id" }
        if command != event.command.uuid { return "command_id" }
        if recordedAt != Timestamp(event.recordedAt).microsecondsSince2000 { return "recorded_at" }
        return nil
    }
}

/// Decides every append again, beside the reading of the entries.
struct LogAudit: Sendable {
    private(set) var audit: DecisionAudit?
    /// The first event that does not follow; what comes behind it is passed over.
    private(set) var found: LogFlawFound?

    init(_ audit: DecisionAudit?) {
        self.audit = audit
    }

    mutating func take(_ events: [RecordedEvent]) {
        guard found == nil else { return }
        do throws(UnfoundedEvent) {
            for index in events.indices { try audit?.take(events.span[index]) }
        } catch {
            found = LogFlawFound(error)
        }
    }

    /// The log ends here.
    mutating func end() {
        guard found == nil else { return }
        do throws(UnfoundedEvent) {
            try audit?.end()
        } catch {
            found = LogFlawFound(error)
        }
    }
}

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
    /// Somebody else than the service wrote it, or changed it.
    case unauthentic(EntryKeyFlawFound)
    /// The event does not follow from anything that its actor might do then.
    case unfounded(UnfoundedEvent.Reason)
    /// A checkpoint over so many events was recorded, and its root is another one.
    case checkpoint(size: Int)
    /// Here or up to another event something is not as this process read it before.
    case changed(upTo: Position)
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
        case .unauthentic(let flaw): flaw.description
        case .unfounded(let reason): reason.description
        case .checkpoint(let size):
            "Here or up to event \(size) something was changed: the checkpoint that was recorded"
                + " over the first \(size) events has another root."
        case .changed(let last):
            "Here or up to event \(last) something was changed since this process read it."
        }
    }
}

extension EventLog {
    /// Recomputes everything that the log promises, and names the first event that does not fit.
    ///
    /// Positions and revisions without holes, entries in canonical form, columns that say what
    /// the entries say, times, hashes, the tree, the commands' records, and the checkpoints that
    /// were recorded. It throws only where the log could not be read.
    package func verify() async throws(LogError) -> LogVerification {
        switch try await verify(with: { EntryVerifier(rootsOf: $0) }) {
        case .sound(let verifier): .sound(verifier.frontier.root)
        case .broken(_, let found), .contradicted(_, let found):
            .broken(found.position, found.flaw)
        }
    }

    /// The same with a verifier that the caller begins, and gets back as it is after the last
    /// event; it is asked for the roots over some sizes.
    ///
    /// Checkpoints count that the log's key has signed; see ``strayCheckpoints(signedBy:)``. Where it is
    /// not known, all do whose records do not contradict themselves.
    package func verify(
        signedBy key: VerifierKey? = nil,
        with begin: (_ rootsOf: Set<Int>) -> EntryVerifier
    ) async throws(LogError) -> VerifiedEntries {
        try await copying { session in
            let sizes = try await RecordedCheckpoint.sizes(on: session)
            var begun = begin(sizes)
            let audit = begun.releaseAudit()
            var (verifier, decisions) = try await session.copyOut(
                """
                COPY (
                    SELECT position, entry, leaf_hash, stream, revision, type, event_id,
                        command_id, recorded_at
                    FROM log.event ORDER BY position
                ) TO STDOUT (FORMAT binary)
                """,
                reading: LogVerifier(begun),
                into: LogAudit(audit),
                timeout: Self.scanTimeout,
                read: { verifier, events, row in
                    if let event = try verifier.take(&row) { events.append(event) }
                },
                fold: { decisions, events in decisions.take(events) }
            )
            // Where an entry does not fit, the last append before it may not be whole.
            if verifier.found == nil { decisions.end() }
            verifier.receive(decisions.audit)
            let entries = verifier.entries
            let found = [decisions.found, verifier.found].compactMap(\.self)
            if let first = found.min(by: { $0.position < $1.position }) {
                return .broken(entries, first)
            }
            if let stray = try await strayCommand(session, verifier.commands, entries.frontier.size)
            {
                return .broken(entries, LogFlawFound(stray, .command))
            }
            let check = try await RecordedCheckpoint.fold(
                on: session,
                into: CheckpointRecordCheck(entries, of: sizes, signedBy: key)
            ) { check, recorded in check.take(recorded) }
            return check.found.map { .contradicted(entries, $0) } ?? .sound(entries)
        }
    }

    /// Where the first command stands whose record does not cover exactly its events.
    ///
    /// What was appended since the scan began is left out.
    private func strayCommand(
        _ session: Session,
        _ commands: CommandRuns,
        _ size: Int
    ) async throws -> Position? {
        var check = try await session.copyOut(
            """
            COPY (
                SELECT command_id, first_position, last_position FROM log.command
                WHERE first_position <= \(literal: Int64(size))
                ORDER BY first_position, command_id
            ) TO STDOUT (FORMAT binary)
            """,
            into: CommandRecordCheck(commands),
            timeout: Self.scanTimeout
        ) { check, row in try check.take(&row) }
        check.end()
        // Whoever tampers may have made it negative.
        return check.stray.map { Position(Int(max($0, 0))) }
    }
}

/// What a whole look at the entries came to.
package enum VerifiedEntries: Sendable {
    /// Everything fits; the verifier knows the tree.
    case sound(EntryVerifier)
    /// The entries fit one another, but not a checkpoint that was recorded over them: what is
    /// published may tell where exactly.
    case contradicted(EntryVerifier, LogFlawFound)
    /// The first event that does not fit those before it; the verifier has come as far.
    case broken(EntryVerifier, LogFlawFound)
}

/// Holds the records of checkpoints, the shortest first, against what the entries lead to.
private struct CheckpointRecordCheck: Sendable {
    private let entries: EntryVerifier
    private let sizes: Set<Int>
    private let key: VerifierKey?
    private var good = 0
    /// What the first of them that is contradicted tells.
    private(set) var found: LogFlawFound?

    /// Takes over how many events the checkpoints go that there were before the entries were read.
    init(_ entries: EntryVerifier, of sizes: Set<Int>, signedBy key: VerifierKey?) {
        (self.entries, self.sizes, self.key) = (entries, sizes, key)
    }

    mutating func take(_ checkpoint: RecordedCheckpoint) {
        guard found == nil, sizes.contains(checkpoint.size) else { return }
        if let root = checkpoint.stored?.root, root == entries.roots[checkpoint.size] {
            good = checkpoint.size
        } else if checkpoint.isSigned(by: key) {
            found =
                checkpoint.size > entries.frontier.size
                ? LogFlawFound(entries.next, .missing)
                : LogFlawFound(Position(good + 1), .checkpoint(size: checkpoint.size))
        }
    }
}
