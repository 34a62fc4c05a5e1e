import PlimsollDomain
import PlimsollPostgres

/// One generation of the read models, and the state as far as it has been followed.
struct Fold {
    let generation: Int32
    /// Where others left the generation, as far as is known: the end of an append.
    private(set) var standsAt: Position
    private(set) var logState = LogState()

    /// In which shape its rows are; to be raised where a program makes others of the same events.
    static let shape: Int32 = 2

    /// How many events are taken in at once; an append that is longer is taken whole all the same.
    static let batchSizeMaximum = 1000

    init(generation: Int32, standsAt: Position) {
        self.generation = generation
        self.standsAt = standsAt
    }

    /// Goes on where a generation was filled to.
    init(generation: Int32, after batch: Batch) {
        self.init(generation: generation, standsAt: batch.end)
        logState = batch.logState
    }

    /// Goes on from what the log is known to come to at some event, unless the generation lacks that.
    mutating func skip(to known: LogState) {
        guard known.position > logState.position, known.position <= standsAt else { return }
        logState = known
    }

    /// Follows the log up to where the generation stood, which may be long, without touching it:
    /// only the state moves.
    ///
    /// The listener gets whole appends, with the state after each run of them.
    mutating func follow(
        _ log: EventLog,
        _ listener: @Sendable ([AuditedEvent], LogState) -> Void
    ) async throws {
        guard logState.position < standsAt else { return }
        let end = standsAt
        var run = try await log.replay(
            after: logState.position,
            upTo: end,
            into: Run(after: Batch(on: logState))
        ) { run, event in
            guard let whole = run.take(event) else { return }
            listener(whole.events, whole.logState)
        }
        let last = run.finish()
        listener(last.events, last.logState)
        logState = last.logState
    }

    /// Takes the next whole appends of the log in, and says which events they were.
    ///
    /// Up to where the generation stood only the state moves; from there on, effects and
    /// checkpoint move in one transaction. Where another process has come a part of the way
    /// meanwhile, that part is its own. An empty answer means that the log has come to its end, or to
    /// that of an append beyond which nothing is wanted.
    mutating func advance(
        log: EventLog,
        database: any Querying,
        upTo end: Position? = nil
    ) async throws -> [AuditedEvent] {
        while true {
            let events = try await wholeAppends(of: log, upTo: end)
            guard !events.isEmpty else { return [] }
            var batch = Batch(on: logState)
            for append in appends(of: events[...]) { batch.take(append: append) }
            if batch.end > standsAt {
                let reached = try await fold(batch, database: database)
                if reached < batch.end {
                    standsAt = reached
                    continue
                }
            }
            logState = batch.logState
            return batch.events
        }
    }

    /// Throws unless the generation still has all that was folded.
    ///
    /// A fold does not wait for the disk, so a server that was killed may have forgotten the last
    /// ones.
    func confirm(in database: any Querying) async throws {
        let row = try await database.first(
            "SELECT position FROM projection.state WHERE generation = \(generation)"
        )
        let reached = try row?.value(at: 0, as: Int64.self) ?? -1
        guard reached >= logState.position.rawValue else {
            throw FoldInterrupted(generation: generation, standsAt: reached)
        }
    }

    /// Answers where the generation stands then: behind its start, or something is lost.
    private func fold(_ batch: Batch, database: any Querying) async throws -> Position {
        let rows = try await database.query(batch.rows.statement(generation: generation))
        let reached = try rows.first?.value(at: 0, as: Int64.self) ?? -1
        guard let position = Position(rawValue: reached), position > logState.position else {
            throw FoldInterrupted(generation: generation, standsAt: reached)
        }
        return position
    }

    /// Never reads across the place where the generation stood, nor beyond the end.
    private func wholeAppends(
        of log: EventLog,
        upTo end: Position?
    ) async throws -> [RecordedEvent] {
        if let end, end <= logState.position { return [] }
        let ends = [standsAt, end].compactMap(\.self).filter { $0 > logState.position }
        let rest = ends.min().map { Int($0.rawValue - logState.position.rawValue) } ?? .max
        var limit = min(Self.batchSizeMaximum, rest)
        while true {
            let events = try await log.events(after: logState.position, limit: limit)
            guard events.count == limit, limit < rest, let last = events.last else {
                return events
            }
            let whole = events.prefix { $0.command != last.command }
            if !whole.isEmpty { return Array(whole) }
            limit = min(limit * 2, rest)
        }
    }
}

/// Collects events as they come, until they are many whole appends.
private struct Run: Sendable {
    private var batch: Batch
    private var append: [RecordedEvent] = []

    init(after batch: Batch) {
        self.batch = batch
    }

    /// Answers what was collected before the event, if that is enough.
    mutating func take(_ event: RecordedEvent) -> Batch? {
        defer { append.append(event) }
        guard let last = append.last, last.command != event.command else { return nil }
        batch.take(append: append[...])
        append.removeAll(keepingCapacity: true)
        guard batch.events.count >= Fold.batchSizeMaximum else { return nil }
        defer { batch = Batch(on: batch.logState) }
        return batch
    }

    /// Answers the rest.
    mutating func finish() -> Batch {
        batch.take(append: append[...])
        return batch
    }
}

/// A generation lacks what was folded into it: it was rebuilt, or the server lost the end of it.
package struct FoldInterrupted: Error, Equatable, Sendable, CustomStringConvertible {
    package let generation: Int32
    package let standsAt: Int64

    package var description: String {
        "somebody else makes or has made generation \(generation) of the read models; try again once"
            + " that is done"
    }
}
