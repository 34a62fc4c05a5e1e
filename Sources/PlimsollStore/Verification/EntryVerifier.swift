import FoundationEssentials
package import PlimsollDomain
import PlimsollJSON
package import PlimsollLog
import PlimsollPostgres

/// Takes in every entry of a log in order, wherever it comes from, and believes nothing.
///
/// It reads each one, holds it against those before it, and grows the tree. With a
/// ``DecisionAudit`` it also decides everything again.
package struct EntryVerifier: Sendable {
    private var decoder = EventDecoder()
    private var revisions: [StreamName: Revision] = [:]
    private var ids = EventIDs()
    private var lastRecordedAt: Instant?
    private let wanted: Set<Int>
    private let authentication: EntryAuthentication?
    package private(set) var audit: DecisionAudit?
    package private(set) var frontier = MerkleFrontier()
    /// How many approvals there are, and how many of them persons signed.
    package private(set) var approvals = (given: 0, signed: 0)
    /// The leaves of the tree so far, by which a fork can be found.
    package private(set) var leaves: [MerkleHash] = []
    /// The roots over as many events as were asked about.
    package private(set) var roots: [Int: MerkleRoot] = [0: .empty]

    /// Takes the sizes of which the roots are to be known, and what has read nothing of the log yet.
    package init(
        deciding audit: DecisionAudit? = nil,
        rootsOf sizes: Set<Int> = [],
        authentication: EntryAuthentication? = nil
    ) {
        self.audit = audit
        self.authentication = authentication
        wanted = sizes
    }

    /// From which event on every entry has an authenticator; `nil` where none needs one.
    package var authenticatedSince: Position? { authentication?.keys.begin }

    /// Why not every authenticator could be computed; `nil` where each was, or where there are no keys.
    package var obstacle: EntryKeyFlawFound? { authentication?.obstacle }

    /// Gives the audit away, for somebody else to decide what is read here.
    mutating func releaseAudit() -> DecisionAudit? {
        defer { audit = nil }
        return audit
    }

    /// Takes it back as it is behind the last event.
    mutating func receive(_ audit: DecisionAudit?) {
        self.audit = audit
    }

    /// Where the next event has to stand.
    package var next: Position { Position(frontier.size + 1) }

    /// Answers the event that the entry is.
    @discardableResult
    package mutating func take(_ entry: [UInt8]) throws(LogFlawFound) -> RecordedEvent {
        let position = next
        let event: RecordedEvent
        do throws(EntryError) {
            event = try decoder.decode(entry.span, at: position)
        } catch {
            throw LogFlawFound(position, .unreadable(error))
        }
        guard decoder.wasForced || (try? JSONValue(parsingCanonical: entry)) != nil else {
            throw LogFlawFound(position, .notCanonical)
        }
        if let flaw = flaw(in: event) { throw LogFlawFound(position, flaw) }
        do throws(EntryKeyFlawFound) {
            try authentication?.check(entry.span, decoder.authenticator, event)
        } catch {
            throw LogFlawFound(position, .unauthentic(error))
        }
        grow(by: .leaf(entry))
        do throws(UnfoundedEvent) {
            try audit?.take(event)
        } catch {
            throw LogFlawFound(error)
        }
        if case .change(.changeApproved(_, _, _, let signature)) = event.event {
            approvals.given += 1
            if signature != nil { approvals.signed += 1 }
        }
        return event
    }

    /// The log ends here.
    package mutating func end() throws(LogFlawFound) {
        do throws(UnfoundedEvent) {
            try audit?.end()
        } catch {
            throw LogFlawFound(error)
        }
    }

    private mutating func flaw(in event: RecordedEvent) -> LogFlaw? {
        let expected = revisions[event.stream, default: .none].next
        guard event.revision == expected else {
            return .revision(expected: expected, found: event.revision)
        }
        if let previous = lastRecordedAt, event.recordedAt < previous,
            event.recordedAt.advanced(by: CommandProcessor.clockTolerance) >= previous
        {
            return .time(previous: previous, found: event.recordedAt)
        }
        if let flaw = ids.take(event.id) { return flaw }
        revisions[event.stream] = event.revision
        lastRecordedAt = event.recordedAt
        return nil
    }

    private mutating func grow(by leaf: MerkleHash) {
        frontier.append(leaf: leaf)
        leaves.append(leaf)
        if wanted.contains(frontier.size) { roots[frontier.size] = frontier.root }
    }
}

/// The event that stops a verification.
package struct LogFlawFound: Error, Equatable, Sendable {
    package let position: Position
    package let flaw: LogFlaw

    package init(_ position: Position, _ flaw: LogFlaw) {
        self.position = position
        self.flaw = flaw
    }

    init(_ event: UnfoundedEvent) {
        self.init(event.position, .unfounded(event.reason))
    }
}

/// The ids of all events so far: each a UUID of version 7, and none of them twice.
struct EventIDs: Sendable {
    private var known: Set<Mark> = []

    /// Two words are hashed faster than sixteen bytes.
    private struct Mark: Hashable {
        let high: UInt64
        let low: UInt64
    }

    /// How the id of the next event does not fit.
    mutating func take(_ id: UUID) -> LogFlaw? {
        let (high, low) = id.words
        guard high >> 12 & 0xF == 7, low >> 62 == 2 else { return .idForm(id.text) }
        return known.insert(Mark(high: high, low: low)).inserted ? nil : .idRepeated(id.text)
    }
}

extension UUID {
    fileprivate var words: (high: UInt64, low: UInt64) {
        let b = uuid
        return (
            word(b.0, b.1, b.2, b.3) << 32 | word(b.4, b.5, b.6, b.7),
            word(b.8, b.9, b.10, b.11) << 32 | word(b.12, b.13, b.14, b.15)
        )
    }

    private func word(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt64 {
        UInt64(a) << 24 | UInt64(b) << 16 | UInt64(c) << 8 | UInt64(d)
    }
}

/// Which events each command appended, as the entries themselves say.
struct CommandRuns: Sendable {
    fileprivate var runs: [CommandRun] = []

    /// Takes the next event of the log.
    mutating func take(_ event: RecordedEvent) {
        let (command, position) = (event.command.uuid, event.position.rawValue)
        if let last = runs.last, last.command == command {
            runs[runs.count - 1].last = position
        } else {
            runs.append(CommandRun(command: command, first: position, last: position))
        }
    }
}

/// Events that stand together and came of one command.
private struct CommandRun: Equatable, Sendable {
    let command: UUID
    let first: Int64
    var last: Int64
}

/// Holds the records of commands, in the order of their first events, against the entries.
struct CommandRecordCheck: Sendable {
    private let runs: [CommandRun]
    private var matched = 0
    /// Where the first command stands whose record does not cover exactly its events.
    private(set) var stray: Int64?

    init(_ runs: CommandRuns) {
        self.runs = runs.runs
    }

    /// Reads the columns in the order in which ``EventLog/verify(with:)`` asks for them.
    mutating func take(_ row: inout CopiedRow) throws {
        guard stray == nil else { return }
        let command: UUID = try row.next()
        let record = CommandRun(command: command, first: try row.int64(), last: try row.int64())
        if matched < runs.count, record == runs[matched] {
            matched += 1
        } else {
            stray = place(of: record)
        }
    }

    /// Where to look for what is wrong with a record that is not that of the next run.
    private func place(of record: CommandRun) -> Int64 {
        if matched < runs.count, runs[matched].first < record.first { return runs[matched].first }
        return runs.first { $0.command == record.command }?.first ?? record.first
    }

    /// No record is left: events of which there was none are stray.
    mutating func end() {
        if stray == nil, matched < runs.count { stray = runs[matched].first }
    }
}
