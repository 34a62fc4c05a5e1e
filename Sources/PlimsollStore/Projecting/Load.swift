import PlimsollDomain
import PlimsollPostgres

/// Fills a generation that nobody reads yet with a whole log, as fast as it can be read.
///
/// While some events are folded, the ones before them are copied into the two large tables, over a
/// session each; what little else there is goes through the fold's own statement. The tables get
/// their indexes when they are full.
struct Load {
    let generation: Int32
    let log: EventLog
    let pool: SessionPool
    /// How many events are folded at once, which bounds what is kept of them in memory.
    let runLength: Int
    /// Where to stop, at the end of an append; `nil` for all that there is.
    let end: Position?

    /// How many sessions of the pool it needs at once: one reads, three write.
    static let sessions = 4

    /// Far more than a log of ten million events takes.
    private static let timeout = Duration.seconds(3600)

    /// Answers where the generation stands then.
    func run() async throws -> Fold {
        // One that was killed may have left it, as a part of tables that people read.
        let left = try await pool.first(
            "SELECT FROM projection.state WHERE generation = \(generation)"
        )
        if left != nil { try await pool.drop(generation: generation) }
        try await pool.query("SELECT projection.begin_generation(\(generation))")
        try await pool.execute(
            "UPDATE projection.state SET shape = \(Fold.shape) WHERE generation = \(generation)"
        )
        let head = try await log.head().position
        let channel = BoundedChannel<BatchContent>(piecesMaximum: 1)
        async let reading = read(upTo: end ?? head, into: channel)
        var residue = LoadResidue()
        while let content = await channel.next() {
            do {
                try await write(content, and: residue.take(content.rowsBesideEvents, isLast: false))
            } catch {
                channel.forsake()
                throw error
            }
        }
        let batch = try await reading
        let end = FoldedRows(start: batch.end, end: batch.end)
        try await write(residue.take(end, isLast: true))
        try await attach()
        return Fold(generation: generation, after: batch)
    }

    /// Answers the state behind the last whole append.
    private func read(
        upTo end: Position,
        into channel: BoundedChannel<BatchContent>
    ) async throws -> Batch {
        defer { channel.end() }
        var reading = LoadReading(upTo: end)
        while !reading.isFinished {
            try await reading.advance(log, atMost: runLength)
            guard await channel.send(reading.takeContent()) else { throw CancellationError() }
        }
        return reading.batch
    }

    private func write(_ content: BatchContent, and rows: FoldedRows) async throws {
        async let events: Void = copyEvents(content)
        async let fields: Void = copyFields(content)
        try await write(rows)
        _ = try await (events, fields)
    }

    private func write(_ rows: FoldedRows) async throws {
        guard rows.end > .start else { return }
        let statement = rows.statement(generation: generation)
        let row = try await pool.first(statement, timeout: Self.timeout)
        let reached = try row?.value(at: 0, as: Int64.self) ?? -1
        guard reached == rows.end.rawValue else {
            throw FoldInterrupted(generation: generation, standsAt: reached)
        }
    }

    private func attach() async throws {
        let generation = generation
        async let events: [Row] = pool.query(
            "SELECT projection.attach_events(\(generation))",
            timeout: Self.timeout
        )
        async let fields: [Row] = pool.query(
            "SELECT projection.attach_fields(\(generation))",
            timeout: Self.timeout
        )
        _ = try await (events, fields)
    }
}

/// How far a load has read.
private struct LoadReading: Sendable {
    private let end: Position
    /// The events of the last whole appends that were read, folded.
    private(set) var batch = Batch(on: LogState())
    /// The beginning of an append of which more follows.
    private var pending: [RecordedEvent] = []

    init(upTo end: Position) {
        self.end = end
    }

    var isFinished: Bool { batch.end >= end }

    /// Reads on; with the last event the last append is whole.
    mutating func advance(_ log: EventLog, atMost count: Int) async throws {
        let start = pending.last?.position ?? batch.end
        let last = min(start.advanced(by: count), end)
        self = try await log.replay(after: start, upTo: last, into: self) { reading, event in
            reading.take(event)
        }
        let reached = pending.last?.position ?? batch.end
        guard reached == last else { throw LogError.shortened(expected: last, found: reached) }
        if last == end { closeAppend() }
    }

    /// Gives away what was read.
    mutating func takeContent() -> BatchContent { batch.takeContent() }

    private mutating func take(_ event: RecordedEvent) {
        if let first = pending.first, first.command != event.command { closeAppend() }
        pending.append(event)
    }

    private mutating func closeAppend() {
        batch.take(append: pending[...])
        pending.removeAll(keepingCapacity: true)
    }
}

/// Changes that are open, and so not written before it is known how they end.
struct LoadResidue: Sendable {
    private var open: [ChangeID: ChangeRow] = [:]

    /// Rows without those of changes that may still change, or with all that were kept back.
    mutating func take(_ folded: FoldedRows, isLast: Bool) -> FoldedRows {
        var rows = folded
        for row in rows.changes { open[row.change.id] = row.state.isOpen ? row : nil }
        rows.changes.removeAll(where: \.state.isOpen)
        if isLast { rows.changes += open.values.sorted { $0.change.id < $1.change.id } }
        return rows
    }
}

extension Load {
    private func copyEvents(_ content: BatchContent) async throws {
        let generation = generation
        try await copy(
            content,
            """
            COPY projection.\(identifier: "event_\(generation)") (
                \(raw: AuditedEvent.columns)
            ) FROM STDIN (FORMAT binary)
            """
        ) { place, writer in
            // Through a span an event is written where it lies, without a copy of it.
            content.events.span[place].write(generation, to: &writer)
        }
    }

    private func copyFields(_ content: BatchContent) async throws {
        let generation = generation
        try await copy(
            content,
            """
            COPY projection.\(identifier: "event_field_\(generation)") (
                \(raw: FoldedRows.FieldRow.columns)
            ) FROM STDIN (FORMAT binary)
            """
        ) { place, writer in content.events.span[place].writeFields(generation, to: &writer) }
    }

    private func copy(
        _ content: BatchContent,
        _ statement: Statement,
        _ write: @Sendable (_ place: Int, inout CopyWriter) -> Void
    ) async throws {
        let count = content.events.count
        guard count > 0 else { return }
        _ = try await pool.withSession { session in
            try await session.copyIn(statement, from: 0, timeout: Self.timeout) { next, writer in
                write(next, &writer)
                next += 1
                return next < count ? .more : .end
            }
        }
    }
}
