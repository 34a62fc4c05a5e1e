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

    /// How many sessions of the pool it needs at once.
    static let sessions = 3

    /// Far more than a log of ten million events takes.
    private static let timeout = Duration.seconds(3600)

    /// Answers where the generation stands then.
    func run() async throws -> Fold {
        try await pool.query("SELECT projection.begin_generation(\(generation))")
        try await pool.execute(
            "UPDATE projection.state SET shape = \(Fold.shape) WHERE generation = \(generation)"
        )
        let head = try await log.head().position
        var reading = LoadReading(upTo: end ?? head)
        var residue = LoadResidue()
        while !reading.isFinished {
            let (current, rows) = (reading, residue.take(reading.batch, isLast: false))
            async let next = current.next(from: log, atMost: runLength)
            try await write(rows)
            reading = try await next
        }
        try await write(residue.take(reading.batch, isLast: true))
        try await attach()
        return Fold(generation: generation, after: reading.batch)
    }

    private func write(_ rows: FoldedRows) async throws {
        guard rows.end > .start else { return }
        async let events: Void = copyEvents(rows.events)
        async let fields: Void = copyFields(rows.fields)
        var rest = rows
        (rest.events, rest.fields) = ([], [])
        try await pool.query(rest.statement(generation: generation), timeout: Self.timeout)
        _ = try await (events, fields)
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
    func next(from log: EventLog, atMost count: Int) async throws -> LoadReading {
        let start = pending.last?.position ?? batch.end
        let last = min(start.advanced(by: count), end)
        var next = self
        next.batch = Batch(on: batch.logState, reachedAt: batch.latest)
        next = try await log.replay(after: start, upTo: last, into: next) { reading, event in
            reading.take(event)
        }
        if last == end { next.closeAppend() }
        return next
    }

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

    /// The rows of a batch without what may still change, or with all that was kept back.
    mutating func take(_ batch: Batch, isLast: Bool) -> FoldedRows {
        var rows = batch.rows
        for row in rows.changes { open[row.change.id] = row.state.isOpen ? row : nil }
        rows.changes.removeAll(where: \.state.isOpen)
        if isLast { rows.changes += open.values.sorted { $0.change.id < $1.change.id } }
        return rows
    }
}

extension Load {
    private func copyEvents(_ rows: [FoldedRows.EventRow]) async throws {
        let generation = generation
        try await copy(
            rows,
            """
            COPY projection.\(identifier: "event_\(generation)") (
                \(raw: FoldedRows.EventRow.columns)
            ) FROM STDIN (FORMAT binary)
            """
        ) { row, writer in row.write(generation, to: &writer) }
    }

    private func copyFields(_ rows: [FoldedRows.FieldRow]) async throws {
        let generation = generation
        try await copy(
            rows,
            """
            COPY projection.\(identifier: "event_field_\(generation)") (
                \(raw: FoldedRows.FieldRow.columns)
            ) FROM STDIN (FORMAT binary)
            """
        ) { row, writer in row.write(generation, to: &writer) }
    }

    private func copy<Element: Sendable>(
        _ rows: [Element],
        _ statement: Statement,
        _ write: @Sendable (Element, inout CopyWriter) -> Void
    ) async throws {
        guard !rows.isEmpty else { return }
        _ = try await pool.withSession { session in
            try await session.copyIn(statement, from: 0, timeout: Self.timeout) { next, writer in
                write(rows[next], &writer)
                next += 1
                return next < rows.count ? .more : .end
            }
        }
    }
}
