package import PlimsollDomain
import PlimsollJSON
package import PlimsollLog

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
    package private(set) var audit: DecisionAudit?
    package private(set) var frontier = MerkleFrontier()
    /// The leaves of the tree so far, by which a fork can be found.
    package private(set) var leaves: [MerkleHash] = []
    /// The roots over as many events as were asked about.
    package private(set) var roots: [Int: MerkleRoot] = [0: .empty]

    /// Takes the sizes of which the roots are to be known.
    package init(deciding audit: DecisionAudit? = nil, rootsOf sizes: Set<Int> = []) {
        self.audit = audit
        wanted = sizes
    }

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
        grow(by: .leaf(entry))
        do throws(UnfoundedEvent) {
            try audit?.take(event)
        } catch {
            throw LogFlawFound(error)
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
            event.recordedAt.advanced(by: WriterDesk.clockTolerance) >= previous
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
