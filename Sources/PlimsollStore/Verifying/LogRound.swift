import Crypto
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres

/// A way through the log from its first event on, with all that is learned on it.
///
/// Every entry has to be one that the service wrote, stand in its place, and lead to the trees that
/// were signed. The state that the events lead to is folded along.
struct LogRound: Sendable {
    /// The whole appends since the last ``takeContent()``.
    private var batch = Batch(on: LogState())
    /// An append of which more may follow.
    private var pending: [RecordedEvent] = []
    private var frontier = MerkleFrontier()
    private var reader: EntryReader
    private var columns = EventColumns()
    /// Who has to have signed a recorded checkpoint; where that is not known, none counts.
    private var logKey: VerifierKey?
    /// Over how many events checkpoints are recorded that this key has not signed.
    private(set) var strayCheckpoints: [Int] = []
    /// Roots that have to be met, by their sizes.
    private var roots: [Int: MerkleHash] = [:]
    /// Up to where the last of them was met.
    private var rootedUpTo = Position.start
    private var tip = LogTip.start
    /// Of what is read of a stretch, as the database sends it.
    private var hash = SHA256()

    init(_ authentication: EntryAuthentication?) {
        reader = EntryReader(authentication)
    }

    /// The last event that was read.
    var position: Position { Position(frontier.size) }

    /// Who there is, as of the last whole append.
    var access: Access { batch.logState.access }

    mutating func expect(_ root: MerkleHash, over size: Int) {
        if size > frontier.size { roots[size] = root }
    }

    mutating func trust(_ logKey: VerifierKey?) { self.logKey = logKey }

    fileprivate mutating func expect(_ recorded: RecordedCheckpoint) {
        guard let logKey else { return }
        if let stored = recorded.stored, stored.isSigned(by: logKey) {
            expect(stored.root.hash, over: recorded.size)
        } else {
            strayCheckpoints.append(recorded.size)
        }
    }

    /// An event that has to be met where the log is known to end.
    mutating func expect(_ tip: LogTip) { self.tip = tip }

    /// Reads the columns in the order in which ``EventLog/walk(_:to:)`` asks for them.
    mutating func take(_ row: inout CopiedRow) throws {
        hash.update(data: row.whole)
        let next = position.advanced(by: 1)
        let found = try Position(row: row.int64())
        guard found == next else { throw LogError.hole(at: next, found: found) }
        let entry = try row.bytes()
        let event = try reader.read(entry.span, at: next)
        let leaf = MerkleHash.leaf(entry)
        let isLeaf = try row.withBytes { leaf.isEqual(to: $0) } ?? false
        if let column = try columns.thatDiffers(from: event, &row) {
            throw LogError.flawed(next, .differs(column: column))
        }
        guard isLeaf else { throw LogError.flawed(next, .leafHash) }
        try grow(by: leaf)
        if let first = pending.first, first.command != event.command { try closeAppend() }
        pending.append(event)
    }

    /// A stretch begins that is read at once.
    mutating func beginStretch() {
        hash = SHA256()
        hash.update(data: CopyWriter.header)
    }

    /// The hash of all that ``Statement/stretch(behind:upTo:)`` answered of the stretch read last.
    var stretchDigest: SHA256.Digest {
        var whole = hash
        whole.update(data: CopyWriter.trailer)
        return whole.finalize()
    }

    private mutating func grow(by leaf: MerkleHash) throws(LogError) {
        frontier.append(leaf: leaf)
        let size = frontier.size
        if let root = roots.removeValue(forKey: size) {
            guard root == frontier.root.hash else {
                throw .flawed(rootedUpTo.advanced(by: 1), .checkpoint(size: size))
            }
            rootedUpTo = position
        }
        guard position != tip.position || leaf == tip.leaf else {
            throw .flawed(position, .changed(upTo: position))
        }
    }

    /// Nothing more of the last append follows.
    mutating func closeAppend() throws(LogError) {
        var revisions: [StreamName: Revision] = [:]
        for event in pending {
            let last = revisions[event.stream] ?? batch.logState.revision(of: event.stream)
            guard event.revision == last.next else {
                throw .repeated(event.position, event.stream, event.revision)
            }
            revisions[event.stream] = event.revision
        }
        batch.take(append: pending[...])
        pending.removeAll(keepingCapacity: true)
    }

    /// Gives away what was collected.
    mutating func takeContent() -> BatchContent { batch.takeContent() }
}

extension EventLog {
    /// Goes on with a round up to an event.
    func walk(_ round: LogRound, to end: Position) async throws(LogError) -> LogRound {
        guard end > round.position else { return round }
        var begun = round
        let recorded = try await reading { () async throws(PostgresError) in
            try await RecordedCheckpoint.all(
                in: database,
                after: begun.position.rawValue,
                upTo: end.rawValue
            )
        }
        for checkpoint in recorded { begun.expect(checkpoint) }
        begun.beginStretch()
        let initial = begun
        let ended = try await copying { session in
            try await session.copyOut(
                .stretch(behind: initial.position, upTo: end),
                into: initial,
                timeout: Self.appendTimeout
            ) { round, row in try round.take(&row) }
        }
        guard ended.position == end else {
            let missing = ended.position.advanced(by: 1)
            guard let next = try await entries(from: missing, limit: 1).first else {
                throw .shortened(expected: end, found: ended.position)
            }
            throw .hole(at: missing, found: next.position)
        }
        return ended
    }
}

extension Statement {
    /// What there is of a stretch of the log.
    static func stretch(behind start: Position, upTo end: Position) -> Statement {
        """
        COPY (
            SELECT position, entry, leaf_hash, stream, revision, type, event_id, command_id,
                recorded_at
            FROM log.event
            WHERE position > \(literal: start.rawValue) AND position <= \(literal: end.rawValue)
            ORDER BY position
        ) TO STDOUT (FORMAT binary)
        """
    }
}
