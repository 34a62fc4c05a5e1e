import FoundationEssentials
package import PlimsollDomain
package import PlimsollPostgres

extension EventLog {
    /// How long an append may wait for others and for the disk.
    package static let appendTimeout = Duration.seconds(10)

    /// Appends commands in their order, in one transaction, and answers each.
    ///
    /// The first that cannot be appended ends the group. When the connection is lost on the way,
    /// nobody knows what became of it: ask with ``commands(_:)``.
    package func append(_ group: [LogCommand]) async throws(PostgresError) -> [AppendAnswer] {
        guard !group.isEmpty else { return [] }
        let statement = group.single.map(Statement.init(appending:)) ?? Statement(appending: group)
        let rows = try await database.query(statement, timeout: Self.appendTimeout)
        var answers: [AppendAnswer] = []
        for row in rows { answers.append(try AppendAnswer(row)) }
        guard answers.count == group.count else {
            throw PostgresError(.decoding, "log.append answers every command")
        }
        return answers
    }

    /// What the log knows of some commands: with the digest of the request each came with.
    package func commands(
        _ ids: [CommandID]
    ) async throws(LogError) -> [CommandID: (requestDigest: [UInt8], command: KnownCommand)] {
        let statement: Statement = """
            SELECT command_id, request_digest, first_position, last_position, outcome, recorded_at
            FROM log.command WHERE command_id = ANY(\(ids.map(\.uuid)))
            """
        return try await reading { () async throws(PostgresError) in
            var known: [CommandID: (requestDigest: [UInt8], command: KnownCommand)] = [:]
            for row in try await database.query(statement) {
                var reader = RowReader(row: row)
                let id = CommandID(try reader.next())
                let digest: [UInt8] = try reader.next()
                let first: Int64? = try reader.next()
                let last: Int64 = try reader.next()
                known[id] = (
                    digest,
                    KnownCommand(
                        span: try LogSpan(first: first, last: last),
                        outcome: try reader.next(),
                        recordedAt: Instant(try reader.next(Timestamp.self))
                    )
                )
            }
            return known
        }
    }
}

extension [LogCommand] {
    /// The command if it can go the short way: alone, with one event.
    fileprivate var single: LogCommand? {
        guard count == 1, let command = first, command.events.count == 1 else { return nil }
        return command.expectsOwnStreams ? command : nil
    }
}

extension LogCommand {
    /// Whether its event continues the stream as the command expects it.
    fileprivate var expectsOwnStreams: Bool {
        events.allSatisfy { event in
            expectations.allSatisfy {
                $0.stream != event.recorded.stream || $0.revision.next == event.recorded.revision
            }
        }
    }
}

extension Statement {
    /// One command with one event, the common case when nobody else waits.
    fileprivate init(appending command: LogCommand) {
        let event = command.events[0]
        let others = command.expectations.filter { $0.stream != event.recorded.stream }
        self = """
            SELECT * FROM log.append_one(
                \(command.identity.id.uuid), \(command.identity.requestDigest), \(command.outcome),
                \(Timestamp(command.recordedAt)), \(others.map(\.stream.text)),
                \(others.map(\.revision.rawValue)), \(event.recorded.stream.text),
                \(event.recorded.revision.rawValue), \(event.recorded.event.type.rawValue),
                \(Int32(event.recorded.event.type.shape)), \(event.recorded.id), \(event.entry)
            )
            """
    }

    fileprivate init(appending group: [LogCommand]) {
        let expectations = group.enumerated().flatMap { index, command in
            command.expectations.map { (command: Int32(index + 1), $0.stream, $0.revision) }
        }
        let events = group.flatMap(\.events)
        var end: Int32 = 0
        let ends = group.map { command in
            end += Int32(command.events.count)
            return end
        }
        self = """
            SELECT * FROM log.append(
                \(group.map(\.identity.id.uuid)), \(group.map(\.identity.requestDigest)),
                \(group.map(\.outcome)), \(group.map { Timestamp($0.recordedAt) }), \(ends),
                \(expectations.map(\.command)), \(expectations.map(\.1.text)),
                \(expectations.map(\.2.rawValue)), \(events.map(\.recorded.stream.text)),
                \(events.map(\.recorded.revision.rawValue)),
                \(events.map(\.recorded.event.type.rawValue)),
                \(events.map { Int32($0.recorded.event.type.shape) }), \(events.map(\.recorded.id)),
                \(events.map(\.entry))
            )
            """
    }
}

extension AppendAnswer {
    fileprivate init(_ row: Row) throws(PostgresError) {
        let (_, status, first, last, outcome, stream, revision, recordedAt) = try row.decode(
            (Int32, String, Int64?, Int64?, [UInt8]?, String?, Int64?, Timestamp?).self
        )
        switch (status, last, outcome, stream.flatMap(StreamName.init), revision, recordedAt) {
        case ("appended", let last?, _, _, _, _):
            self = .appended(try LogSpan(first: first, last: last))
        case ("duplicate", let last?, let outcome?, _, _, let recordedAt?):
            self = .duplicate(
                KnownCommand(
                    span: try LogSpan(first: first, last: last),
                    outcome: outcome,
                    recordedAt: Instant(recordedAt)
                )
            )
        case ("mismatch", _, _, _, _, _): self = .mismatch
        case ("conflict", _, _, let stream?, let revision?, _):
            self = .conflict(stream, Revision(rawValue: revision) ?? .none)
        case ("clockBehind", _, _, _, _, let recordedAt?):
            self = .clockBehind(Instant(recordedAt))
        case ("undecided", _, _, _, _, _): self = .undecided
        default: throw PostgresError(.decoding, "log.append answered an unknown status")
        }
    }
}

extension LogSpan {
    fileprivate init(first: Int64?, last: Int64) throws(PostgresError) {
        guard let first else {
            self.init(first: nil, last: try Position(row: last))
            return
        }
        self.init(first: try Position(row: first), last: try Position(row: last))
    }
}
