package import Logging
import Metrics
package import PlimsollDomain
package import PlimsollLog
package import PlimsollPostgres
import PlimsollSystem
import Synchronization

/// What this process knows of the log's end: what it has appended or read.
///
/// A database that comes back without that has lost what somebody was answered. Then the process
/// reads only, until it is started again: whatever it appended, signed or sent would stand on a past
/// that the log does not have.
package final class LogMemory: Sendable {
    private struct State {
        var tip = LogTip.start
        /// What the database said that it has appended, before all that precedes it was read.
        var promised = LogTip.start
        var recent = RecentEntries()
        /// Of the server that was last greeted.
        var timeline: ServerTimeline?
        /// When a server on an older timeline was asked last whether a standby confirms it.
        var askedAt: ContinuousClock.Instant?
        var prohibition: Prohibition?
        var loss: Prohibition?
    }

    private let logger: Logger
    private let state = Mutex(State())
    private let forbidden = OneShot<Void>()

    package init(logger: Logger) {
        self.logger = logger
    }

    /// The last event that this process knows.
    package var tip: LogTip { state.withLock(\.tip) }

    /// Why nothing may be written; `nil` where it may.
    package var prohibition: Prohibition? { state.withLock(\.prohibition) }

    /// How the database lacks what is known; `nil` where it does not, as far as was looked.
    package var loss: Prohibition? { state.withLock(\.loss) }

    /// Of the server that was last greeted.
    var timeline: ServerTimeline? { state.withLock(\.timeline) }

    /// The last entries that this process knows, as many as it keeps.
    package var recent: RecentEntries { state.withLock(\.recent) }

    /// The leaf of an event, if it is one of the last that this process knows.
    package func leaf(at position: Position) -> MerkleHash? {
        state.withLock { state in
            if state.tip.position == position { return state.tip.leaf }
            return state.recent.entry(at: position)?.tip.leaf
        }
    }

    /// Takes note of events that follow what is known already, the last one as the tip.
    func add(_ entries: [LogEntry], upTo tip: LogTip) {
        state.withLock { state in
            state.recent.append(entries)
            state.tip = tip
        }
    }

    /// Takes note of an event that the database has, though not all before it was read.
    func add(promised tip: LogTip) {
        state.withLock { $0.promised = tip }
    }

    /// The furthest event that the database has to have.
    private var furthest: LogTip {
        state.withLock { $0.promised.position > $0.tip.position ? $0.promised : $0.tip }
    }

    /// From now on nothing is written; of several reasons the first stays.
    package func forbid(_ reason: Prohibition) {
        state.withLock { $0.prohibition = $0.prohibition ?? reason }
        forbidden.settle()
    }

    /// The same where an error says that the log lacks what is known; others change nothing.
    package func lose(_ error: LogError) {
        switch error {
        case .lost(let finding): finding.prohibition.map(lose)
        case .shortened: lose(Prohibition(.logBehind, error.description))
        case .hole, .revisionHole, .unreadable, .newer, .unauthentic, .repeated, .flawed,
            .contradictoryCheckpoint:
            lose(Prohibition(damage: error))
        case .database, .interrupted: break
        }
    }

    /// From now on nothing is written, and the log that there is is read no more.
    package func lose(_ loss: Prohibition) {
        let isFirst = state.withLock { state in
            defer { state.loss = state.loss ?? loss }
            return state.loss == nil
        }
        guard isFirst else { return }
        forbid(loss)
        Gauge(label: "plimsoll.log.read_only").record(1)
        logger.critical("the service reads only", metadata: ["error": "\(loss.sentence)"])
    }

    /// The same where a server lacks what was published, which this process need not have read.
    ///
    /// One that waits for a standby, and has none that confirms, may have been replaced by it before
    /// that: then nothing is lost, and it is refused as if it could not be reached.
    package func lose(_ loss: Prohibition, on session: Session) async throws(PostgresError) {
        if try await session.waitsForStandby() {
            guard mayAsk(), try await session.isConfirmedByStandby() else {
                throw PostgresError(
                    .connectFailed,
                    "this server lacks what was published, and no standby has confirmed that it leads:"
                        + " either another one was promoted in its place, then make it a standby or"
                        + " stop it; or it took over and the last events are lost, then attach its"
                        + " standby or take that out of synchronous_standby_names"
                )
            }
        }
        lose(loss)
    }

    /// Returns once nothing may be written any more; throws when the task is cancelled before.
    package func whenForbidden() async throws {
        try await forbidden.value
    }

    /// Whether this process works on the log by now.
    package var isAtWork: Bool { state.withLock { $0.tip != .start && $0.prohibition == nil } }

    /// Looks whether the database of a session that begins has what is known.
    ///
    /// The session is of use all the same: what is there can be read. A server that was replaced is
    /// refused: what it lacks is not lost. If a standby confirms what it commits, it leads again,
    /// and the promotion was undone. A standby is refused, too: it may lead soon, or never again, and
    /// then the name that led to it leads elsewhere.
    package func greet(_ session: Session) async throws(PostgresError) {
        try await session.requireLeading()
        if let timeline = try await ServerTimeline(of: session) {
            try await follow(timeline, on: session)
        }
        guard isAtWork else { return }
        let tip = furthest
        let found: LogFinding
        do throws(PostgresError) {
            found = try await LogFinding(tip, on: session)
        } catch  where error.saysNothingIsThere {
            found = .behind(tip, end: .start)
        }
        found.prohibition.map(lose)
    }
}

extension LogMemory {
    /// A commit that nobody confirms keeps a session of its server for as long as that lives.
    private static let askingInterval = Duration.seconds(10)

    private func mayAsk() -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            if let last = state.askedAt, now - last < Self.askingInterval { return false }
            state.askedAt = now
            return true
        }
    }

    private func follow(
        _ timeline: ServerTimeline,
        on session: Session
    ) async throws(PostgresError) {
        let known = state.withLock { state in
            if let known = state.timeline, timeline.isReplaced(by: known) { return known }
            state.timeline = timeline
            return timeline
        }
        guard known != timeline else { return }
        guard mayAsk(), try await session.isConfirmedByStandby() else {
            throw PostgresError(
                .connectFailed,
                "this server goes on with timeline \(timeline.number), and the database with"
                    + " \(known.number): another server was promoted in its place, and no standby"
                    + " confirms what this one commits; make it a standby or stop it, or, if it is"
                    + " the right one all the same, start this process again"
            )
        }
        state.withLock { state in
            if state.timeline == known { state.timeline = timeline }
        }
    }
}

/// An event of the log by its place and its leaf, which hashes all that is in it.
package struct LogTip: Hashable, Sendable {
    package let position: Position
    package let leaf: MerkleHash

    package init(position: Position, leaf: MerkleHash) {
        self.position = position
        self.leaf = leaf
    }

    /// Of a log without events.
    package static let start = LogTip(position: .start, leaf: .emptyTree)
}

/// An event as it is kept and hashed.
package struct LogEntry: Hashable, Sendable {
    package let position: Position
    package let bytes: [UInt8]

    package init(position: Position, bytes: [UInt8]) {
        self.position = position
        self.bytes = bytes
    }

    package var tip: LogTip { LogTip(position: position, leaf: .leaf(bytes)) }
}

/// The last entries that a process has appended or read, without a hole.
///
/// Their bytes lie one behind the other: arrays that live for thousands of entries would have every
/// new one made in memory that no cache has.
package struct RecentEntries: Sendable {
    /// How many are kept at least, once there were so many, unless they are too large.
    package static let countMaximum = 4096
    package static let bytesMaximum = 4 << 20

    private var bytes: [UInt8] = []
    /// Where each ends, with those before it that are kept no more.
    private var ends: [Int] = []
    private var goneSize = 0
    private var last = Position.start

    package init() {}

    package var entries: [LogEntry] { ends.indices.map(entry) }

    /// The entry of a position, if it is kept.
    func entry(at position: Position) -> LogEntry? {
        let index = ends.count - 1 - Int(last.rawValue - position.rawValue)
        return ends.indices.contains(index) ? entry(index) : nil
    }

    private func entry(_ index: Int) -> LogEntry {
        let start = index == 0 ? goneSize : ends[index - 1]
        return LogEntry(
            position: last.advanced(by: index + 1 - ends.count),
            bytes: Array(bytes[(start - goneSize)..<(ends[index] - goneSize)])
        )
    }

    /// Adds what follows; where something is missing before it, only that is kept.
    mutating func append(_ new: [LogEntry]) {
        guard let first = new.first, let newLast = new.last else { return }
        if first.position != last.advanced(by: 1) { self = RecentEntries() }
        for entry in new {
            bytes += entry.bytes
            ends.append(goneSize + bytes.count)
        }
        last = newLast.position
        // Half of them go at once, so that each is moved once.
        guard ends.count > 2 * Self.countMaximum || bytes.count > 2 * Self.bytesMaximum else {
            return
        }
        while ends.count > Self.countMaximum || bytes.count > Self.bytesMaximum {
            let half = (ends.count + 1) / 2
            bytes.removeFirst(ends[half - 1] - goneSize)
            goneSize = ends[half - 1]
            ends.removeFirst(half)
        }
    }
}

extension PostgresError {
    /// Whether the database has no log: somebody put a new one in its place.
    var saysNothingIsThere: Bool { sqlState == "42P01" || sqlState == "3F000" }
}

/// How a database stands to the last event that a process knows.
package enum LogFinding: Equatable, Sendable {
    /// It has that event.
    case known
    /// It ends before it.
    case behind(LogTip, end: Position)
    /// It has another one in its place.
    case forked(LogTip)

    /// Asks a database; a standby may be late and says nothing.
    init(_ tip: LogTip, on database: some Querying) async throws(PostgresError) {
        let row = try await database.first(
            """
            SELECT (SELECT position FROM log.event ORDER BY position DESC LIMIT 1),
                (SELECT leaf_hash FROM log.event WHERE position = \(tip.position.rawValue))
            WHERE NOT pg_is_in_recovery()
            """
        )
        guard let row, tip != .start else {
            self = .known
            return
        }
        let end: Int64? = try row.value(at: 0)
        let leaf: [UInt8]? = try row.value(at: 1)
        guard let leaf else {
            self = .behind(tip, end: try Position(row: end ?? 0))
            return
        }
        self = leaf == tip.leaf.bytes ? .known : .forked(tip)
    }

    /// Why nothing may be written any more; `nil` where all is well.
    package var prohibition: Prohibition? {
        switch self {
        case .known: nil
        case .behind(let tip, let end):
            Prohibition(
                .logBehind,
                "The database ends at event \(end), and this process knows event \(tip.position): the"
                    + " last events were lost, as in a failover to a server that had not received them."
                    + Self.advice
            )
        case .forked(let tip):
            Prohibition(
                .logForked,
                "Event \(tip.position) of the database is not the one that this process knows: events"
                    + " were lost and others appended in their place." + Self.advice
            )
        }
    }

    private static let advice =
        " Nothing is appended, signed or sent; phones get what was published last. plimsoll diverged"
        + " shows what is missing. Bring back the database that has it, or decide to go on without it;"
        + " then start this process again."
}
